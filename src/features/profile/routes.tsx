import type { DeviceSessionId, SessionId } from '../../domain/ids.ts';
import { message } from '../../domain/language/message.ts';
import { type Sayable, sayOne } from '../../domain/language/sayable.ts';
import type { Language } from '../../domain/language/speak.ts';
import { describeProgram } from '../../domain/words/program-words.ts';
import { selectDevices } from '../../engine/accounts/device-sessions.ts';
import { selectPasskeys } from '../../engine/accounts/passkeys.ts';
import { selectOwnPin } from '../../engine/accounts/phone-pins.ts';
import { selectSessions } from '../../engine/accounts/sessions.ts';
import { answerErrorPage, answerPage } from '../../engine/pages/answer-page.ts';
import { readPageId, routePage } from '../../engine/pages/page-routes.ts';
import { TOKEN_COOKIE } from '../../engine/requests/find-signed-in.ts';
import { findPasskeySite } from '../../engine/requests/passkey-site.ts';
import { userAgentOf } from '../../engine/requests/requester-of.ts';
import { keepSession } from '../../engine/requests/session-cookie.ts';
import { signInAgain } from '../../engine/sign-in/check-password.ts';
import { showTime } from '../../platform/html/time.tsx';
import type { HttpServer } from '../../platform/http/server.ts';
import { findLanguage, nameOfLanguage } from '../../platform/languages/languages.ts';
import { routeOwnQuestions } from './ask-profile.ts';
import { changePassword, type ProfileFault, saveProfile } from './change-profile.ts';
import { type ContactPageDeps, routeContacts } from './contact-routes.tsx';
import { DEVICES } from './devices-card.tsx';
import { endOwnDevice, endOwnOtherSessions, endOwnSession } from './end-sessions.ts';
import { againOf, findDone, type OwnVisit } from './own-visit.ts';
import { routePasskeys } from './passkey-routes.ts';
import { sayMissingPin } from './phone-pin-card.tsx';
import { selectChosenLanguages, selectOrganizations } from './queries.ts';
import { SESSIONS } from './sessions-card.tsx';
import { PROFILE, ProfilePage } from './views.tsx';

const DONE: Record<string, Sayable> = {
  save: message('Saved.'),
  password: message('Your password is changed. Everything else that was signed in as you is signed out.'),
  role: message('Your role is changed.'),
  left: message('You are no longer a member of that organization.'),
  session: message('That session is ended.'),
  others: message('All your other sessions are ended.'),
  device: message('You stay signed in there no longer.'),
  passkey: message('The passkey is added. From now on it signs you in.'),
  'passkey-removed': message(
    'The passkey is removed: it signs nobody in any more. Delete it on its device too.',
  ),
};

export function routeProfilePages(app: HttpServer, deps: ContactPageDeps): void {
  const { db } = deps;

  const showProfile = async (
    { request, reply, visitor, query, form }: OwnVisit,
    fault: ProfileFault | null = null,
  ) => {
    const { language } = visitor;
    const chosen = await selectChosenLanguages(db, visitor.accountId);
    const site = findPasskeySite(request, deps.publicUrl());
    return answerPage(
      reply,
      fault ? 422 : 200,
      <ProfilePage
        visitor={visitor}
        name={form.name ?? visitor.name}
        timezone={form.timezone ?? visitor.timezone}
        language={{
          chosen: form.language ?? chosen?.own ?? null,
          none: sayUnchosen(chosen?.ofOrganizations ?? [], language),
        }}
        timezones={['UTC', ...Intl.supportedValuesOf('timeZone')]}
        organizations={await selectOrganizations(db, visitor.accountId)}
        sessions={(await selectSessions(db, visitor.accountId, visitor.now)).map((session) => ({
          id: session.id,
          program: describeProgram(session.userAgent, language),
          address: session.address,
          isThisOne: session.id === visitor.sessionId,
          beganAt: showTime(session.beganAt, visitor),
          lastSeenAt: showTime(session.lastSeenAt, visitor),
        }))}
        devices={(await selectDevices(db, visitor.accountId, visitor.sessionId, visitor.now)).map(
          (device) => ({
            id: device.id,
            program: describeProgram(device.userAgent, language),
            address: device.address,
            isThisOne: device.isThisOne,
            beganAt: showTime(device.beganAt, visitor),
            lastUsedAt: showTime(device.lastUsedAt, visitor),
            endsAt: showTime(device.endsAt, visitor),
          }),
        )}
        passkeys={{
          passkeys: (await selectPasskeys(db, visitor.accountId)).map((passkey) => ({
            id: passkey.id,
            name: passkey.name,
            host: site.ok && site.value.id === passkey.host ? null : passkey.host,
            createdAt: showTime(passkey.createdAt, visitor),
            lastUsedAt: passkey.lastUsedAt && showTime(passkey.lastUsedAt, visitor),
          })),
          off: site.ok ? null : site.refusal,
          email: visitor.email,
          device: describeProgram(userAgentOf(request), language),
        }}
        missingPin={sayMissingPin(await selectOwnPin(db, visitor.accountId), language)}
        done={fault ? null : findDone(DONE, query, language)}
        fault={fault && { field: fault[0], text: sayOne(fault[1], language) }}
      />,
    );
  };

  routeOwnQuestions(app, deps);
  routeContacts(app, deps);
  routePasskeys(app, deps, showProfile);

  routePage(app, deps, { method: 'GET', url: PROFILE, show: (visit) => showProfile(visit) });

  routePage(app, deps, {
    method: 'POST',
    url: `${PROFILE}/save`,
    show: async (visit) => {
      const { visitor, form } = visit;
      const saved = await db.transaction((tx) => saveProfile(tx, visitor, { form }, visitor.now));
      if (!saved.ok) return showProfile(visit, saved.refusal);
      return visit.reply.redirect(`${PROFILE}?done=save`, 303);
    },
  });

  routePage(app, deps, {
    method: 'POST',
    url: `${PROFILE}/password`,
    show: async (visit) => {
      const { request, reply, visitor, form } = visit;
      const signIn = (password: string) => signInAgain(deps, againOf(visit), password);
      const changed = await changePassword(db, visitor, { form, checkPassword: signIn }, request.now);
      if (!changed.ok) return showProfile(visit, changed.refusal);
      const signedIn = await signIn(form.password ?? '');
      if (signedIn.ok) keepSession(request, reply, signedIn.value, deps.publicUrl());
      return reply.redirect(`${PROFILE}?done=password`, 303);
    },
  });

  routePage(app, deps, {
    method: 'POST',
    url: `${SESSIONS}/:session_id/end`,
    show: async (visit) => {
      const { reply, visitor, params } = visit;
      const id = readPageId<SessionId>(params.session_id);
      if (id === null) return answerErrorPage(reply, 404);
      const ended = await db.transaction((tx) => endOwnSession(tx, visitor, { id }, visitor.now));
      if (!ended.ok) return answerErrorPage(reply, 404);
      if (id !== visitor.sessionId) return reply.redirect(`${PROFILE}?done=session`, 303);
      return reply.clearCookie(TOKEN_COOKIE, { path: '/' }).redirect('/login', 303);
    },
  });

  routePage(app, deps, {
    method: 'POST',
    url: `${DEVICES}/:device_id/end`,
    show: async ({ reply, visitor, params }) => {
      const id = readPageId<DeviceSessionId>(params.device_id);
      if (id === null) return answerErrorPage(reply, 404);
      const ended = await db.transaction((tx) => endOwnDevice(tx, visitor, { id }, visitor.now));
      return ended.ok ? reply.redirect(`${PROFILE}?done=device`, 303) : answerErrorPage(reply, 404);
    },
  });

  routePage(app, deps, {
    method: 'POST',
    url: `${SESSIONS}/end-others`,
    show: async ({ reply, visitor }) => {
      const { sessionId: kept, now } = visitor;
      await db.transaction((tx) => endOwnOtherSessions(tx, visitor, { kept }, now));
      return reply.redirect(`${PROFILE}?done=others`, 303);
    },
  });
}

/** In which language somebody reads who has chosen none. */
function sayUnchosen(tags: readonly (string | null)[], { say }: Language): string {
  const language = findLanguage(...tags);
  // For translators: the language of somebody who has not chosen one
  return language
    ? say('As your organization: {language}', { language: nameOfLanguage(language) })
    : say('As my browser asks');
}
