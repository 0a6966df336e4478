// Passwords by mail: asking for a link, and setting a password with it. Only the form uses a link up, so that a mail
// program which looks at it first breaks nothing.

import { h } from 'preact';
import { isEmail, normaliseEmail } from '../../domain/accounts/email.ts';
import { PASSWORD_FAULTS, SHORTEST_PASSWORD } from '../../domain/accounts/password.ts';
import { describeSpan } from '../../domain/span.ts';
import { findLinkedAccount, type LinkedAccount } from '../../engine/accounts/account-links.ts';
import { findInvitation } from '../../engine/accounts/invitations.ts';
import { requestPasswordReset } from '../../engine/accounts/request-password-reset.ts';
import { setPasswordByLink } from '../../engine/accounts/set-password-by-link.ts';
import { answerPage } from '../../engine/pages/answer-page.ts';
import { type PageDeps, routeOpenPage } from '../../engine/pages/page-routes.ts';
import { visitorOf } from '../../engine/pages/visitor.ts';
import { languageOf } from '../../engine/requests/language-of.ts';
import { requesterOf } from '../../engine/requests/requester-of.ts';
import type { Database } from '../../platform/db/database.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { DeadLinkPage, ForgotPasswordPage, MailAskedPage, NewPasswordPage } from './password-views.tsx';
import { PATHS, type PasswordPurpose, wordsOf } from './password-words.ts';

export function routePasswordPages(
  app: HttpServer,
  deps: PageDeps & { db: Database; hasMailServer: () => boolean },
): void {
  const { db } = deps;

  routeOpenPage(app, deps, {
    method: 'GET',
    url: '/forgot-password',
    show: ({ request, reply }) =>
      answerPage(reply, 200, h(ForgotPasswordPage, { visitor: visitorOf(request), email: '', error: null })),
  });

  routeOpenPage(app, deps, {
    method: 'POST',
    url: '/forgot-password',
    show: async ({ request, reply, form: { email = '' } }) => {
      const visitor = visitorOf(request);
      const language = languageOf(request);
      const { say } = language;
      const refuse = (status: number, error: string) =>
        answerPage(reply, status, h(ForgotPasswordPage, { visitor, email, error }));
      if (!isEmail(normaliseEmail(email)))
        return refuse(422, say('Enter your email address, such as you@lab.example.'));
      const asked = await db.transaction((tx) =>
        requestPasswordReset(tx, requesterOf(request), { email }, request.now),
      );
      if (asked.ok) return reply.redirect('/forgot-password/sent', 303);
      const { seconds } = asked.refusal;
      reply.header('retry-after', seconds);
      const span = describeSpan(seconds * 1000, language);
      return refuse(429, say('Too many requests. Try again in {span}.', { span }));
    },
  });

  routeOpenPage(app, deps, {
    method: 'GET',
    url: '/forgot-password/sent',
    show: ({ request, reply }) =>
      answerPage(
        reply,
        200,
        h(MailAskedPage, { visitor: visitorOf(request), hasMailServer: deps.hasMailServer() }),
      ),
  });

  routeLinkPages(app, deps, 'password_reset');
  routeLinkPages(app, deps, 'activation');
}

function routeLinkPages(app: HttpServer, deps: PageDeps & { db: Database }, purpose: PasswordPurpose): void {
  const { db } = deps;
  const path = PATHS[purpose];
  const url = `${path}/:token`;

  routeOpenPage(app, deps, {
    method: 'GET',
    url,
    show: async ({ request, reply, params: { token = '' } }) => {
      const visitor = visitorOf(request);
      const words = wordsOf(purpose, languageOf(request));
      const account = await findLinkedAccount(db, purpose, token, request.now);
      if (!account) return answerPage(reply, 404, h(DeadLinkPage, { visitor, words }));
      const action = `${path}/${token}`;
      const invitation = await findInvitationOf(db, account);
      return answerPage(
        reply,
        200,
        h(NewPasswordPage, { visitor, words, action, email: account.email, invitation, error: null }),
      );
    },
  });

  routeOpenPage(app, deps, {
    method: 'POST',
    url,
    show: async ({ request, reply, params: { token = '' }, form: { password = '', repeated = '' } }) => {
      const { now } = request;
      const visitor = visitorOf(request);
      const language = languageOf(request);
      const { say } = language;
      const words = wordsOf(purpose, language);
      const account = await findLinkedAccount(db, purpose, token, now);
      if (!account) return answerPage(reply, 404, h(DeadLinkPage, { visitor, words }));
      const { email } = account;
      const action = `${path}/${token}`;
      const invitation = await findInvitationOf(db, account);
      const refuse = (error: string) =>
        answerPage(reply, 422, h(NewPasswordPage, { visitor, words, action, email, invitation, error }));
      if (password !== repeated) return refuse(say('The two passwords differ. Type the same one twice.'));
      const set = await setPasswordByLink(db, requesterOf(request), { purpose, token, password }, now);
      if (set.ok) return reply.redirect('/login?news=password-set', 303);
      if (set.refusal === 'link_not_valid')
        return answerPage(reply, 404, h(DeadLinkPage, { visitor, words }));
      return refuse(
        set.refusal === 'password_too_short'
          ? say('Choose a password of at least {least} characters.', { least: SHORTEST_PASSWORD })
          : say(PASSWORD_FAULTS[set.refusal]),
      );
    },
  });
}

const findInvitationOf = async (db: Database, { invitationId }: LinkedAccount) =>
  invitationId === null ? null : findInvitation(db, invitationId);
