// What people answer where a provider has to be asked for it: the button below an alarm, or a reply to it. The provider
// proves who they are; whose address it is was proved by a code.
import type { Language } from '../../../domain/language/speak.ts';
import { findPhones, type Phone, switchOffMethods } from '../../../engine/accounts/contact-methods.ts';
import { leasePoll, movePoll, returnPoll, selectLetterOf } from '../../../engine/outbox/provider-polls.ts';
import { selectAnswerable } from '../../../engine/outbox/receipts.ts';
import type { ButtonVerb, Heard, Updates } from '../../../engine/providers/record/updates.ts';
import type { Database, Tx } from '../../../platform/db/database.ts';
import { languageFor } from '../../../platform/languages/languages.ts';
import type { Log } from '../../../platform/log.ts';
import { answerableSince, isStop, takeAlarms } from '../answer-by-phone.ts';
import { isNo, passAlarmsOn } from '../pass-by-phone.ts';
import { NOTHING_OPEN, sayAnswer, sayOutcome } from '../say-outcome.ts';
import { askProvider } from './ask-provider.ts';
import { hasMethod } from './queries.ts';

interface UpdatesDeps<Settings> {
  db: Database;
  log: Log;
  updates: Updates<Settings>;
  /** Of the provider, as they are in force. */
  settings: Settings;
  signal: AbortSignal;
  /** How long the provider waits for something to tell. */
  waitSeconds?: number;
}

const LEASE_MS = 90_000;

export async function pollUpdates<Settings>(deps: UpdatesDeps<Settings>, now: Date): Promise<void> {
  const { db, log, updates, settings, signal, waitSeconds = 25 } = deps;
  const { kind } = updates;
  if (!(await hasMethod(db, updates.via))) return;
  const lease = await leasePoll(db, kind, new Date(now.getTime() + LEASE_MS), now);
  if (!lease) return;
  let notBefore: Date | null = null;
  try {
    const question = updates.ask(settings, lease.position, waitSeconds);
    const answer = await askProvider(question, now, signal, (waitSeconds + 10) * 1000);
    if (answer.kind === 'said') await takeUpdates(deps, answer.fields.result, answer.text, now);
    else if (answer.kind !== 'away' || !signal.aborted) {
      const pauseMs = answer.kind === 'pause' ? (updates.readPauseMs(answer.fields) ?? answer.ms) : 10_000;
      notBefore = new Date(now.getTime() + (answer.kind === 'refused' ? 60_000 : pauseMs));
      if (answer.kind === 'refused')
        log.warn({ status: answer.status }, updates.explainRefusal(answer.status));
    }
  } finally {
    await returnPoll(db, kind, notBefore, now);
  }
}

async function takeUpdates<Settings>(
  deps: UpdatesDeps<Settings>,
  result: unknown,
  text: string,
  now: Date,
): Promise<void> {
  const { db, updates, settings, signal } = deps;
  for (const { nextPosition, heard } of updates.read(result, text)) {
    // What follows from it and that it was taken are one: the same update twice changes nothing.
    const said = await db.transaction(async (tx) => {
      movePoll(tx, updates.kind, nextPosition);
      return heard && answerHeard(tx, updates.via, heard, now);
    });
    if (heard && said !== null) await askProvider(updates.answer(settings, heard.to, said), now, signal);
  }
}

/** null: nothing is answered. */
async function answerHeard(tx: Tx, via: Updates['via'], heard: Heard, now: Date): Promise<string | null> {
  const phones = heard.address === null ? [] : await findPhones(tx, via, heard.address);
  const language = languageFor(...(phones[0]?.languages ?? []));
  if (heard.kind === 'pressed') {
    const { verb, letterId } = heard;
    return answerLetter(tx, { phones, letterId, verb, how: 'button' }, language, now);
  }
  const { text, repliedTo } = heard;
  if (phones.length === 0) return null;
  if (isStop(text)) {
    const ids = phones.map(({ id }) => id);
    await switchOffMethods(tx, ids, 'STOP came from it', now);
    return sayOutcome({ outcome: 'stopped' }, language);
  }
  const verb = YES.test(text.trim()) ? 'acknowledge' : isNo(text) ? 'pass_on' : null;
  if (repliedTo === null || verb === null) return sayHow(language);
  const letterId = await selectLetterOf(tx, repliedTo);
  return answerLetter(tx, { phones, letterId, verb, how: 'reply' }, language, now);
}

const YES = /^(1|ok|ack|acknowledged?)(\s*[.!])?$/i;

const sayHow = ({ say }: Language): string =>
  // For translators: {button} is what is written on a button, {ok}, {no} and {stop} are words that people type
  say(
    'Press {button} below an alarm, or reply to it with {ok}; with {no} if you cannot go. {stop} ends these messages.',
    { button: say('Acknowledge'), ok: 'OK', no: 'NO', stop: 'STOP' },
  );

interface Answered {
  phones: readonly Phone[];
  letterId: string | null;
  verb: ButtonVerb;
  how: 'button' | 'reply';
}

async function answerLetter(
  tx: Tx,
  { phones, letterId, verb, how }: Answered,
  language: Language,
  now: Date,
): Promise<string> {
  const ids = phones.map(({ id }) => id);
  const alarms = (await selectAnswerable(tx, ids, answerableSince(now))).filter(
    (one) => one.letterId === letterId,
  );
  const phone = phones.find(({ id }) => id === alarms[0]?.methodId);
  if (!phone) return language.say(NOTHING_OPEN);
  // Updates are numbered, and each is taken once.
  const given = { phone, alarms, how, answerId: null };
  const taken = verb === 'pass_on' ? await passAlarmsOn(tx, given, now) : await takeAlarms(tx, given, now);
  return sayAnswer(taken, language) ?? language.say(NOTHING_OPEN);
}
