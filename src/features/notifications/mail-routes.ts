import { h } from 'preact';
import { organizationNameIn } from '../../domain/accounts/requester.ts';
import type { OrganizationId } from '../../domain/ids.ts';
import { selectKeptMail, selectKeptMails } from '../../engine/mail/kept-mail.ts';
import { answerErrorPage, answerPage } from '../../engine/pages/answer-page.ts';
import { type PageDeps, readBigId } from '../../engine/pages/page-routes.ts';
import { frameOf, routeSettingsPage, type SettingsVisit } from '../../engine/pages/settings-routes.ts';
import { requesterOf } from '../../engine/requests/requester-of.ts';
import type { Database } from '../../platform/db/database.ts';
import { showTime } from '../../platform/html/time.tsx';
import type { HttpServer } from '../../platform/http/server.ts';
import { MailListPage, MailPage } from './mail-view.tsx';
import { recordMailRead } from './record-mail-read.ts';

const MOST_LISTED = 200;

/** The mail brings styles and pictures of its own; nothing else of it may act, nor be shown anywhere but on our page. */
const MAIL_POLICY =
  "sandbox;default-src 'none';style-src 'unsafe-inline';img-src data:;form-action 'none';base-uri 'none';frame-ancestors 'self'";

export function routeMailPages(
  app: HttpServer,
  deps: PageDeps & { db: Database; hasMailServer: () => boolean },
): void {
  const { db, hasMailServer } = deps;

  /** That it is opened goes on record. */
  const openMail = async (visit: SettingsVisit) => {
    const { request, params } = visit;
    const id = readBigId(params.mail_id);
    const own = administeredBy(visit);
    const mail = id === null ? null : await selectKeptMail(db, own, id);
    if (mail)
      await db.transaction((tx) =>
        recordMailRead(tx, requesterOf(request), { mail, organizationIds: own }, request.now),
      );
    return mail;
  };

  routeSettingsPage(app, deps, {
    method: 'GET',
    url: '/settings/mail',
    show: async (visit) => {
      const kept = await selectKeptMails(db, administeredBy(visit), MOST_LISTED);
      const mails = kept.map(({ createdAt, organizationId, ...mail }) => ({
        ...mail,
        organizationName: organizationId && organizationNameIn(visit.visitor, organizationId),
        at: showTime(createdAt, visit.visitor),
      }));
      const props = { frame: frameOf(visit), mails, hasMailServer: hasMailServer(), most: MOST_LISTED };
      return answerPage(visit.reply, 200, h(MailListPage, props));
    },
  });

  routeSettingsPage(app, deps, {
    method: 'GET',
    url: '/settings/mail/:mail_id',
    show: async (visit) => {
      const { reply, visitor } = visit;
      const mail = await openMail(visit);
      if (!mail) return answerErrorPage(reply, 404);
      const policy = String(reply.getHeader('content-security-policy'));
      reply.header('content-security-policy', `${policy};frame-src 'self'`);
      const { id, recipient, organizationId, subject, text, createdAt } = mail;
      const organizationName = organizationId && organizationNameIn(visitor, organizationId);
      const at = showTime(createdAt, visitor);
      return answerPage(
        reply,
        200,
        h(MailPage, { frame: frameOf(visit), id, recipient, organizationName, subject, text, at }),
      );
    },
  });

  routeSettingsPage(app, deps, {
    method: 'GET',
    url: '/settings/mail/:mail_id/html',
    show: async (visit) => {
      const { reply } = visit;
      const mail = await openMail(visit);
      if (!mail) return answerErrorPage(reply, 404);
      return reply
        .header('content-security-policy', MAIL_POLICY)
        .header('x-frame-options', 'SAMEORIGIN')
        .header('cache-control', 'no-store')
        .type('text/html; charset=utf-8')
        .send(mail.html);
    },
  });
}

const administeredBy = ({ organizations }: SettingsVisit): OrganizationId[] =>
  organizations.map(({ id }) => id);
