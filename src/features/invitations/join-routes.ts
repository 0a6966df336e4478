// The link in an invitation: its owner answers without signing in. Only the form uses it up.

import { h } from 'preact';
import { PASSWORD_FAULTS, SHORTEST_PASSWORD } from '../../domain/accounts/password.ts';
import { sayOne } from '../../domain/language/sayable.ts';
import { findLinkedAccount } from '../../engine/accounts/account-links.ts';
import { findInvitation } from '../../engine/accounts/invitations.ts';
import { setPasswordByLink } from '../../engine/accounts/set-password-by-link.ts';
import { answerPage } from '../../engine/pages/answer-page.ts';
import { type PageDeps, routeOpenPage, type Visit } from '../../engine/pages/page-routes.ts';
import { visitorOf } from '../../engine/pages/visitor.ts';
import { languageOf } from '../../engine/requests/language-of.ts';
import { requesterOf } from '../../engine/requests/requester-of.ts';
import type { Database } from '../../platform/db/database.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { acceptByLink, declineByLink, needsNewPassword } from './answer-by-link.ts';
import { DeadInvitationPage, JoinPage } from './views.tsx';

export function routeJoinPages(app: HttpServer, deps: PageDeps & { db: Database }): void {
  const { db } = deps;

  const open = async ({ request, params: { token = '' } }: Visit) => {
    const account = await findLinkedAccount(db, 'invitation', token, request.now);
    const invitation = account?.invitationId ? await findInvitation(db, account.invitationId) : null;
    return account && invitation && { account, invitation, token };
  };
  type Opened = NonNullable<Awaited<ReturnType<typeof open>>>;

  const show = ({ request, reply }: Visit, opened: Opened, error: string | null = null) =>
    answerPage(
      reply,
      error === null ? 200 : 422,
      h(JoinPage, {
        visitor: visitorOf(request),
        action: `/join/${opened.token}`,
        email: opened.account.email,
        invitation: opened.invitation,
        needsPassword: needsNewPassword(opened.account),
        error,
      }),
    );
  const showDead = ({ request, reply }: Visit) =>
    answerPage(reply, 404, h(DeadInvitationPage, { visitor: visitorOf(request) }));

  routeOpenPage(app, deps, {
    method: 'GET',
    url: '/join/:token',
    show: async (visit) => {
      const opened = await open(visit);
      return opened ? show(visit, opened) : showDead(visit);
    },
  });

  routeOpenPage(app, deps, {
    method: 'POST',
    url: '/join/:token',
    show: async (visit) => {
      const { request, reply, form } = visit;
      const language = languageOf(request);
      const { say } = language;
      const opened = await open(visit);
      if (!opened) return showDead(visit);
      const { now } = request;
      const requester = requesterOf(request);
      const { token } = opened;
      const leave = (news: string) => reply.redirect(`/login?news=${news}`, 303);

      if (form.answer === 'decline')
        return (await db.transaction((tx) => declineByLink(tx, requester, { token }, now))).ok
          ? leave('declined')
          : showDead(visit);
      if (form.answer !== 'accept') return show(visit, opened, say('Accept or decline.'));
      if (!needsNewPassword(opened.account))
        return (await db.transaction((tx) => acceptByLink(tx, requester, { token }, now))).ok
          ? leave('joined')
          : showDead(visit);

      const { password = '', password_again: again = '' } = form;
      // For translators: somebody joins by the link in an invitation and chooses a password
      if (password !== again) return show(visit, opened, say('The two passwords are not the same.'));
      const set = await setPasswordByLink(db, requester, { purpose: 'invitation', token, password }, now);
      if (set.ok) return leave('joined');
      if (set.refusal === 'link_not_valid') return showDead(visit);
      const fault =
        set.refusal === 'password_too_short'
          ? say('Choose a password of at least {count} characters.', { count: SHORTEST_PASSWORD })
          : sayOne(PASSWORD_FAULTS[set.refusal], language);
      return show(visit, opened, fault);
    },
  });
}
