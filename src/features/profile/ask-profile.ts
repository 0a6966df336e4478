// What people are asked before they end a session of their own, remove a passkey or a way to be notified.
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import { organizationIdsOf } from '../../domain/accounts/requester.ts';
import type { ContactMethodId } from '../../domain/ids.ts';
import { describeProgram } from '../../domain/words/program-words.ts';
import { selectMethods } from '../../engine/accounts/contact-methods.ts';
import { selectDevices } from '../../engine/accounts/device-sessions.ts';
import { selectPasskeys } from '../../engine/accounts/passkeys.ts';
import { selectSessions } from '../../engine/accounts/sessions.ts';
import { foreseeLoss, type Loss } from '../../engine/outbox/foresee-loss.ts';
import { answerErrorPage, answerPage } from '../../engine/pages/answer-page.ts';
import { type ActQuestion, AskPage } from '../../engine/pages/ask.tsx';
import { readPageId, routePage } from '../../engine/pages/page-routes.ts';
import { kindOf, nameMethod } from '../../engine/providers/providers.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { removeMethod } from './contact-methods.ts';
import { DEVICES } from './devices-card.tsx';
import type { OwnVisit, ProfilePageDeps } from './own-visit.ts';
import { PASSKEYS } from './passkeys-card.tsx';
import { CONTACTS } from './phone-pin-card.tsx';
import { SESSIONS } from './sessions-card.tsx';

const PROFILE = '/profile';

type AskOwn = (db: Database, visit: OwnVisit) => Promise<ActQuestion | null>;

const askEnd: AskOwn = async (db, { visitor, params }) => {
  const { say } = visitor.language;
  const sessions = await selectSessions(db, visitor.accountId, visitor.now);
  const session = sessions.find(({ id }) => String(id) === params.session_id);
  if (!session) return null;
  const program = describeProgram(session.userAgent, visitor.language);
  return {
    act:
      session.id === visitor.sessionId
        ? say('End this session')
        : say('End the session of {program}', { program }),
    says: [say('Whoever uses it is signed out at once.')],
    canUndo: false,
  };
};

const askEndDevice: AskOwn = async (db, { visitor, params }) => {
  const { say } = visitor.language;
  const devices = await selectDevices(db, visitor.accountId, visitor.sessionId, visitor.now);
  const device = devices.find(({ id }) => String(id) === params.device_id);
  if (!device) return null;
  return {
    act: say('End staying signed in on {program}', {
      program: describeProgram(device.userAgent, visitor.language),
    }),
    says: [say('Whoever uses it is signed out at once.')],
    canUndo: false,
  };
};

const askEndOthers: AskOwn = async (db, { visitor }) => {
  const { say } = visitor.language;
  const sessions = await selectSessions(db, visitor.accountId, visitor.now);
  const count = sessions.filter(({ id }) => id !== visitor.sessionId).length;
  return count === 0
    ? null
    : {
        act: say('End all others'),
        says: [
          say('{count, plural, one {# session ends} other {# sessions end}} at once, scripts too.', {
            count,
          }),
        ],
        canUndo: false,
      };
};

const askPasskey: AskOwn = async (db, { visitor, params }) => {
  const { say } = visitor.language;
  const passkey = (await selectPasskeys(db, visitor.accountId)).find(
    ({ id }) => String(id) === params.passkey_id,
  );
  return passkey
    ? {
        act: say('Remove the passkey {name}', { name: passkey.name }),
        says: [say('It signs nobody in any more. Your password keeps working.')],
        canUndo: false,
      }
    : null;
};

const askMethod: AskOwn = async (db, { visitor, params }) => {
  const { language } = visitor;
  const method = (await selectMethods(db, visitor.accountId)).find(
    ({ id }) => String(id) === params.method_id,
  );
  if (!method) return null;
  const { kind } = method;
  const label = nameMethod(kind, language);
  const address =
    (kind !== 'email' && kindOf(kind).showAddress?.(method.address, language)) || method.address;
  return {
    act: language.say('Remove {label} {address}', { label, address }),
    says: [language.say('You are no longer notified by it.')],
    canUndo: false,
  };
};

export const foreseeWithout = (
  db: Database,
  { visitor }: OwnVisit,
  id: ContactMethodId,
): Promise<readonly Loss[]> =>
  foreseeLoss(
    db,
    organizationIdsOf(visitor),
    (tx: Tx) => removeMethod(tx, visitor, { id }, visitor.now),
    visitor.now,
  );

/** As a page; the form of its act says no more than its address. */
async function answerQuestion(
  db: Database,
  visit: OwnVisit,
  ask: AskOwn,
  { back, losses = [] }: { back: string; losses?: readonly Loss[] },
): Promise<FastifyReply> {
  const { visitor, reply, request } = visit;
  const question = await ask(db, visit);
  if (!question) return answerErrorPage(reply, 404);
  const [action = ''] = request.url.split('?');
  const asked = { question, losses, action, form: {}, back };
  return answerPage(reply, 200, h(AskPage, { visitor, current: PROFILE, ...asked }));
}

export const askBeforeRemoving = (db: Database, visit: OwnVisit, losses: readonly Loss[]) =>
  answerQuestion(db, visit, askMethod, { back: CONTACTS, losses });

export function routeOwnQuestions(app: HttpServer, deps: ProfilePageDeps): void {
  const { db } = deps;
  const route = (url: string, ask: AskOwn) =>
    routePage(app, deps, {
      method: 'GET',
      url,
      show: (visit) => answerQuestion(db, visit, ask, { back: PROFILE }),
    });
  route(`${SESSIONS}/:session_id/end`, askEnd);
  route(`${SESSIONS}/end-others`, askEndOthers);
  route(`${DEVICES}/:device_id/end`, askEndDevice);
  route(`${PASSKEYS}/:passkey_id/remove`, askPasskey);
  routePage(app, deps, {
    method: 'GET',
    url: `${CONTACTS}/:method_id/remove`,
    show: async (visit) => {
      const id = readPageId<ContactMethodId>(visit.params.method_id);
      return askBeforeRemoving(db, visit, id === null ? [] : await foreseeWithout(db, visit, id));
    },
  });
}
