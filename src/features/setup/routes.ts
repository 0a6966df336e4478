// The first run: while there is no account, every page leads to the one that makes it. Afterwards it is gone.

import { h } from 'preact';
import type { AccountId } from '../../domain/ids.ts';
import { sayOne } from '../../domain/language/sayable.ts';
import type { Language } from '../../domain/language/speak.ts';
import { answerErrorPage, answerPage } from '../../engine/pages/answer-page.ts';
import { routeOpenPage } from '../../engine/pages/page-routes.ts';
import { languageOf } from '../../engine/requests/language-of.ts';
import { requesterOf, userAgentOf } from '../../engine/requests/requester-of.ts';
import { keepSession } from '../../engine/requests/session-cookie.ts';
import { signIn } from '../../engine/sign-in/sign-in.ts';
import type { TokenSigner } from '../../platform/auth/token.ts';
import type { Database } from '../../platform/db/database.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { hasAccount } from './queries.ts';
import { FIELD_FAULTS, type FieldFault, type SetUpForm, type SetUpRefusal, setUp } from './set-up.ts';
import { type SetUpModel, SetUpPage } from './views.tsx';

export interface SetupDeps {
  db: Database;
  publicUrl: () => URL | null;
  signer: TokenSigner;
  /** Goes on after the answer: it takes a while. */
  fillDemo: (owner: AccountId) => void;
}

const SETUP = '/setup';
const TIME_ZONES = Intl.supportedValuesOf('timeZone');
const EMPTY = { code: '', organization: '', name: '', email: '', timezone: 'UTC', language: '' };

export function routeSetup(app: HttpServer, deps: SetupDeps): void {
  const { db, publicUrl } = deps;
  let isSetUp = false;
  /** Asked until there is one: an account may come by the command line, or through another program. */
  const checkSetUp = async () => {
    isSetUp ||= await hasAccount(db);
    return isSetUp;
  };

  app.addHook('onRequest', async (request, reply) => {
    if (isSetUp || !request.routeOptions.config.isPage || request.routeOptions.url === SETUP) return;
    if (!(await checkSetUp())) return reply.redirect(SETUP, 303);
  });

  const page = (model: Pick<SetUpModel, 'typed' | 'isDemo' | 'fault'>) =>
    h(SetUpPage, { ...model, timeZones: TIME_ZONES });

  routeOpenPage(app, deps, {
    method: 'GET',
    url: SETUP,
    show: async ({ request, reply }) => {
      if (await checkSetUp()) return answerErrorPage(reply, 404);
      const typed = { ...EMPTY, language: languageOf(request).tag };
      return answerPage(reply, 200, page({ typed, isDemo: false, fault: null }));
    },
  });

  routeOpenPage(app, deps, {
    method: 'POST',
    url: SETUP,
    show: async ({ request, reply, form: sent }) => {
      const form: SetUpForm = { ...EMPTY, password: '', ...sent };
      const { now } = request;
      const requester = requesterOf(request);
      const isDemo = sent.begin === 'demo';
      const made = await setUp(db, requester, form, now);
      if (!made.ok) {
        const { refusal } = made;
        if (refusal.reason === 'already_set_up') return answerErrorPage(reply, 404);
        const { status, fault, retryAfter } = describe(refusal, languageOf(request));
        if (retryAfter !== null) reply.header('retry-after', retryAfter);
        const { password: _, ...typed } = form;
        return answerPage(reply, status, page({ typed, isDemo, fault }));
      }
      isSetUp = true;
      if (isDemo) deps.fillDemo(made.value.accountId);
      const credentials = {
        username: form.email,
        password: form.password,
        userAgent: userAgentOf(request),
      };
      const signedIn = await signIn(deps, requester, credentials, now);
      if (signedIn.ok) keepSession(request, reply, signedIn.value, publicUrl());
      return reply.redirect(signedIn.ok ? '/' : '/login', 303);
    },
  });
}

type Shown = { reason: FieldFault } | Extract<SetUpRefusal, { reason: 'throttled' }>;

function describe(refusal: Shown, language: Language) {
  if (refusal.reason === 'throttled') {
    const { seconds } = refusal;
    const text = language.say('Too many attempts. Try again in {seconds}s.', { seconds });
    return { status: 429, fault: { field: null, text }, retryAfter: seconds };
  }
  const [field, text] = FIELD_FAULTS[refusal.reason];
  return { status: 422, fault: { field, text: sayOne(text, language) }, retryAfter: null };
}
