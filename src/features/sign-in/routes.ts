import { h } from 'preact';
import { answerPage } from '../../engine/pages/answer-page.ts';
import { routeOpenPage } from '../../engine/pages/page-routes.ts';
import { visitorOf } from '../../engine/pages/visitor.ts';
import { requesterOf, type SignIn, userAgentOf } from '../../engine/requests/requester-of.ts';
import { keepSession } from '../../engine/requests/session-cookie.ts';
import type { Database } from '../../platform/db/database.ts';
import { readOwnPath } from '../../platform/http/own-path.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { routePasswordPages } from './password-routes.ts';
import { NEWS, type SignInNews, SignInPage } from './views.tsx';

interface Refused {
  status: number;
  text: string;
  retryAfterSeconds: number | null;
}

export interface SignInPageDeps {
  db: Database;
  publicUrl: URL | null;
  /** Throttled, on record and in the words of the token endpoint. */
  signIn: SignIn<Refused>;
}

export function routeSignInPages(app: HttpServer, deps: SignInPageDeps): void {
  routePasswordPages(app, deps);

  routeOpenPage(app, deps, {
    method: 'GET',
    url: '/login',
    show: ({ request, reply, query }) => {
      const model = { next: readOwnPath(query.next), email: '', error: null, news: findNews(query.news) };
      return answerPage(reply, 200, h(SignInPage, { ...model, visitor: visitorOf(request) }));
    },
  });

  routeOpenPage(app, deps, {
    method: 'POST',
    url: '/login',
    show: async ({ request, reply, form }) => {
      const { username = '', password = '' } = form;
      const next = readOwnPath(form.next);
      const refuse = (status: number, error: string) => {
        if (status === 401) reply.header('www-authenticate', 'Bearer');
        const model = { next, email: username, error, news: null, visitor: visitorOf(request) };
        return answerPage(reply, status, h(SignInPage, model));
      };
      if (username.trim() === '' || password === '')
        return refuse(422, 'Enter your email address and your password.');

      const credentials = {
        username,
        password,
        userAgent: userAgentOf(request),
        replaces: request.signedIn,
      };
      const signedIn = await deps.signIn(requesterOf(request), credentials, request.now);
      if (!signedIn.ok) {
        const { status, text, retryAfterSeconds } = signedIn.refusal;
        if (retryAfterSeconds !== null) reply.header('retry-after', retryAfterSeconds);
        return refuse(status, text);
      }
      keepSession(request, reply, signedIn.value, deps.publicUrl);
      return reply.redirect(next ?? '/', 303);
    },
  });
}

const findNews = (text: string | undefined): SignInNews | null =>
  text !== undefined && Object.hasOwn(NEWS, text) ? (text as SignInNews) : null;
