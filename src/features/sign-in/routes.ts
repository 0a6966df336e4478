import { h } from 'preact';
import type { Result } from '../../domain/result.ts';
import { beginDevice, endDeviceOfBrowser } from '../../engine/accounts/device-sessions.ts';
import { answerErrorPage, answerPage } from '../../engine/pages/answer-page.ts';
import { routeOpenPage, type Visit } from '../../engine/pages/page-routes.ts';
import { findStartPage } from '../../engine/pages/start-page.ts';
import { visitorOf } from '../../engine/pages/visitor.ts';
import { dropDevice, findDeviceSecret, keepDevice } from '../../engine/requests/device-cookie.ts';
import { languageOf } from '../../engine/requests/language-of.ts';
import { rememberChallenge, takeChallenge } from '../../engine/requests/passkey-challenge.ts';
import { findPasskeySite } from '../../engine/requests/passkey-site.ts';
import { requesterOf, userAgentOf } from '../../engine/requests/requester-of.ts';
import { keepSession } from '../../engine/requests/session-cookie.ts';
import { describeSignInRefusal, type PasskeyRefusal, signIn } from '../../engine/sign-in/sign-in.ts';
import { signInByPasskey } from '../../engine/sign-in/sign-in-by-passkey.ts';
import { askForPasskey } from '../../platform/auth/passkeys.ts';
import type { TokenClaims, TokenSigner } from '../../platform/auth/token.ts';
import type { Database } from '../../platform/db/database.ts';
import { readOwnPath } from '../../platform/http/own-path.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { routePasswordPages } from './password-routes.ts';
import { BY_PASSKEY, NEWS, type SignInModel, type SignInNews, SignInPage } from './views.tsx';

interface SignInPageDeps {
  db: Database;
  publicUrl: () => URL | null;
  signer: TokenSigner;
  /** Whether mail leaves, or is kept. */
  hasMailServer: () => boolean;
}

export function routeSignInPages(app: HttpServer, deps: SignInPageDeps): void {
  routePasswordPages(app, deps);

  const show = (
    { request, reply }: Visit,
    status: number,
    model: Pick<SignInModel, 'next'> & Partial<SignInModel>,
  ) => {
    if (status === 401) reply.header('www-authenticate', 'Bearer');
    const offersPasskeys = findPasskeySite(request, deps.publicUrl()).ok;
    const visitor = visitorOf(request);
    return answerPage(
      reply,
      status,
      h(SignInPage, { email: '', stays: false, error: null, news: null, ...model, offersPasskeys, visitor }),
    );
  };
  const finish = async (
    visit: Visit,
    signedIn: Result<string, PasskeyRefusal>,
    model: Pick<SignInModel, 'next'> & Partial<SignInModel>,
  ) => {
    const { request, reply } = visit;
    if (!signedIn.ok) {
      const {
        status,
        text: error,
        retryAfterSeconds,
      } = describeSignInRefusal(signedIn.refusal, languageOf(request));
      if (retryAfterSeconds !== null) reply.header('retry-after', retryAfterSeconds);
      return show(visit, status, { ...model, error });
    }
    keepSession(request, reply, signedIn.value, deps.publicUrl());
    const claims = await deps.signer.read(signedIn.value, request.now);
    if (claims) await stayOrNot(deps, visit, claims);
    const start = claims && model.next === null ? await findStartPage(deps.db, claims.accountId) : '/';
    return reply.redirect(model.next ?? start, 303);
  };

  routeOpenPage(app, deps, {
    method: 'GET',
    url: '/login',
    show: (visit) =>
      show(visit, 200, { next: readOwnPath(visit.query.next), news: findNews(visit.query.news) }),
  });

  routeOpenPage(app, deps, {
    method: 'POST',
    url: '/login',
    show: async (visit) => {
      const { request, form } = visit;
      const { username = '', password = '' } = form;
      const model = { next: readOwnPath(form.next), email: username, stays: form.stay === 'yes' };
      const { say } = languageOf(request);
      if (username.trim() === '' || password === '')
        return show(visit, 422, { ...model, error: say('Enter your email address and your password.') });
      const credentials = {
        username,
        password,
        userAgent: userAgentOf(request),
        replaces: request.signedIn,
      };
      return finish(visit, await signIn(deps, requesterOf(request), credentials, request.now), model);
    },
  });

  routeOpenPage(app, deps, {
    method: 'POST',
    url: `${BY_PASSKEY}/options`,
    show: async ({ request, reply }) => {
      const site = findPasskeySite(request, deps.publicUrl());
      if (!site.ok) return answerErrorPage(reply, 404);
      const options = await askForPasskey(site.value);
      const asked = { challenge: options.challenge, accountId: null };
      await rememberChallenge(deps, request, reply, 'sign in by passkey', asked);
      return reply.header('cache-control', 'no-store').send(options);
    },
  });

  routeOpenPage(app, deps, {
    method: 'POST',
    url: BY_PASSKEY,
    show: async (visit) => {
      const { request, reply, form } = visit;
      const site = findPasskeySite(request, deps.publicUrl());
      if (!site.ok) return answerErrorPage(reply, 404);
      const given = {
        answer: form.answer ?? '',
        challenge: await takeChallenge(deps, request, reply, 'sign in by passkey'),
        site: site.value,
        userAgent: userAgentOf(request),
        replaces: request.signedIn,
      };
      const signedIn = await signInByPasskey(deps, requesterOf(request), given, request.now);
      return finish(visit, signedIn, { next: readOwnPath(form.next) });
    },
  });
}

/** Whoever signs in anew leaves what the browser kept before, be it another's. */
async function stayOrNot(
  { db, publicUrl }: SignInPageDeps,
  { request, reply, form }: Visit,
  { accountId, sessionId }: TokenClaims,
): Promise<void> {
  const before = findDeviceSecret(request);
  const stays = form.stay === 'yes' && sessionId !== undefined;
  if (before === null && !stays) return;
  const kept = await db.transaction(async (tx) => {
    if (before !== null) await endDeviceOfBrowser(tx, before);
    if (!stays) return null;
    const device = { accountId, sessionId, address: request.ip, userAgent: userAgentOf(request) };
    return beginDevice(tx, device, request.now);
  });
  if (kept) keepDevice(request, reply, kept, publicUrl());
  else if (before !== null) dropDevice(reply);
}

const findNews = (text: string | undefined): SignInNews | null =>
  text !== undefined && Object.hasOwn(NEWS, text) ? (text as SignInNews) : null;
