import { h } from 'preact';
import type { OrganizationId } from '../../domain/ids.ts';
import { canAdminister } from '../../domain/role.ts';
import { selectKeptMail, selectKeptMails } from '../../engine/kept-mail.ts';
import type { Database } from '../../platform/db/database.ts';
import { showTime } from '../../platform/html/time.tsx';
import { askerOf } from '../../platform/http/caller.ts';
import { answerErrorPage, answerPage } from '../../platform/http/error-page.ts';
import { type PageDeps, readBigId, routePage, type Visitor } from '../../platform/http/pages.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { MailListPage, MailPage } from './mail-view.tsx';
import { recordReading } from './record-reading.ts';

const MOST_LISTED = 200;

/** The mail brings styles and pictures of its own; nothing else of it may act, nor be shown anywhere but on our page. */
const MAIL_POLICY =
  "sandbox;default-src 'none';style-src 'unsafe-inline';img-src data:;form-action 'none';base-uri 'none';frame-ancestors 'self'";

export function routeMailPages(
  app: HttpServer,
  deps: PageDeps & { db: Database; hasMailServer: boolean },
): void {
  const { db, hasMailServer } = deps;

  const findMail = async (visitor: Visitor, text: string | undefined) => {
    const id = readBigId(text);
    const own = administeredBy(visitor);
    return id === null || own.length === 0 ? null : selectKeptMail(db, own, id);
  };

  routePage(app, deps, {
    method: 'GET',
    url: '/settings/mail',
    show: async ({ reply, visitor }) => {
      const own = administeredBy(visitor);
      if (own.length === 0) return answerErrorPage(reply, 404);
      const mails = (await selectKeptMails(db, own, MOST_LISTED)).map(({ createdAt, ...mail }) => ({
        ...mail,
        at: showTime(createdAt, visitor.timezone),
      }));
      return answerPage(reply, 200, h(MailListPage, { visitor, mails, hasMailServer, most: MOST_LISTED }));
    },
  });

  routePage(app, deps, {
    method: 'GET',
    url: '/settings/mail/:mail_id',
    show: async ({ request, reply, params, visitor }) => {
      const mail = await findMail(visitor, params.mail_id);
      if (!mail) return answerErrorPage(reply, 404);
      await recordReading(db, askerOf(request), mail, administeredBy(visitor), request.now);
      const policy = String(reply.getHeader('content-security-policy'));
      reply.header('content-security-policy', `${policy};frame-src 'self'`);
      const { id, recipient, subject, text, createdAt } = mail;
      const at = showTime(createdAt, visitor.timezone);
      return answerPage(reply, 200, h(MailPage, { visitor, id, recipient, subject, text, at }));
    },
  });

  routePage(app, deps, {
    method: 'GET',
    url: '/settings/mail/:mail_id/html',
    show: async ({ request, reply, params, visitor }) => {
      const mail = await findMail(visitor, params.mail_id);
      if (!mail) return answerErrorPage(reply, 404);
      await recordReading(db, askerOf(request), mail, administeredBy(visitor), request.now);
      return reply
        .header('content-security-policy', MAIL_POLICY)
        .header('x-frame-options', 'SAMEORIGIN')
        .header('cache-control', 'no-store')
        .type('text/html; charset=utf-8')
        .send(mail.html);
    },
  });
}

const administeredBy = ({ memberships }: Visitor): OrganizationId[] =>
  memberships.filter(({ role }) => canAdminister(role)).map(({ organizationId }) => organizationId);
