// What people answer to the bot: the button below an alarm, or a reply to it. Telegram proves who they are; whose chat it is
// was proved by a code.
import { findPhones, type Phone, switchOffMethods } from '../../../engine/accounts/contact-methods.ts';
import { leasePoll, movePoll, returnPoll, selectLetterOf } from '../../../engine/outbox/provider-polls.ts';
import { selectAnswerable } from '../../../engine/outbox/receipts.ts';
import { type ButtonVerb, readButtonData } from '../../../engine/transports/method/telegram-buttons.ts';
import type { Database, Tx } from '../../../platform/db/database.ts';
import type { Log } from '../../../platform/log.ts';
import { underAddress } from '../../../platform/outbound/under-address.ts';
import type { Channels } from '../../../platform/read-channels.ts';
import { answerableSince, isStop, takeAlarms } from '../answer-by-phone.ts';
import { isNo, passAlarmsOn } from '../pass-by-phone.ts';
import { NOTHING_OPEN, REFUSALS, sayOutcome } from '../say-outcome.ts';
import { askProvider } from './ask-provider.ts';
import { hasTelegram } from './queries.ts';

interface TelegramDeps {
  db: Database;
  log: Log;
  telegram: NonNullable<Channels['telegram']>;
  signal: AbortSignal;
  /** How long Telegram waits for something to tell. */
  waitSeconds?: number;
}

const LEASE_MS = 90_000;
const MOST_AT_ONCE = 5;
const CONFLICT = 409;

interface Update {
  update_id: number;
  callback_query?: {
    id: string;
    from: { id: number };
    /** What the button hangs on; left out where that is not known. */
    message?: { chat: { id: number; type: string } };
    data?: string;
  };
  message?: {
    message_id: number;
    from?: { id: number };
    chat: { id: number; type: string };
    text?: string;
    reply_to_message?: { message_id: number };
  };
}

export async function pollTelegram(deps: TelegramDeps, now: Date): Promise<void> {
  const { db, log, waitSeconds = 25 } = deps;
  if (!(await hasTelegram(db))) return;
  const lease = await leasePoll(db, 'telegram', new Date(now.getTime() + LEASE_MS), now);
  if (!lease) return;
  let notBefore: Date | null = null;
  try {
    const answer = await callBot(
      deps,
      'getUpdates',
      {
        ...(lease.position !== null && { offset: Number(lease.position) }),
        timeout: waitSeconds,
        limit: MOST_AT_ONCE,
        allowed_updates: ['callback_query', 'message'],
      },
      now,
      (waitSeconds + 10) * 1000,
    );
    if (answer.kind === 'said') await takeUpdates(deps, answer.fields.result, answer.text, now);
    else if (answer.kind !== 'away' || !deps.signal.aborted) {
      const ms = answer.kind === 'pause' ? answer.ms : answer.kind === 'refused' ? 60_000 : 10_000;
      notBefore = new Date(now.getTime() + ms);
      if (answer.kind === 'refused')
        log.warn(
          { status: answer.status },
          answer.status === CONFLICT
            ? 'another program asks for what is written to the Telegram bot: nobody can acknowledge there'
            : 'Telegram does not say what is written to the bot',
        );
    }
  } finally {
    await returnPoll(db, 'telegram', notBefore, now);
  }
}

const callBot = (
  { telegram: { url, token }, signal }: TelegramDeps,
  verb: string,
  body: unknown,
  now: Date,
  timeoutMs?: number,
) =>
  askProvider(
    {
      url: underAddress(url, `/bot${token}/${verb}`),
      headers: { 'user-agent': 'Tocsin', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    },
    now,
    signal,
    timeoutMs,
  );

async function takeUpdates(deps: TelegramDeps, result: unknown, text: string, now: Date): Promise<void> {
  if (!Array.isArray(result)) {
    // One that is longer than what is read of an answer would come again for ever.
    const [, first] = /"update_id"\s*:\s*(\d{1,15})/.exec(text) ?? [];
    if (first !== undefined) await deps.db.transaction(async (tx) => pass(tx, Number(first)));
    return;
  }
  for (const update of result as Update[]) {
    if (!Number.isSafeInteger(update?.update_id)) continue;
    // What follows from it and that it was taken are one: the same update twice changes nothing.
    const said = await deps.db.transaction(async (tx) => {
      pass(tx, update.update_id);
      return answerUpdate(tx, update, now);
    });
    if (said === null) continue;
    if (update.callback_query)
      await callBot(
        deps,
        'answerCallbackQuery',
        { callback_query_id: update.callback_query.id, text: said },
        now,
      );
    else await callBot(deps, 'sendMessage', { chat_id: update.message?.chat.id, text: said }, now);
  }
}

const pass = (tx: Tx, updateId: number): void => movePoll(tx, 'telegram', String(updateId + 1));

/** null: nothing is answered. */
async function answerUpdate(
  tx: Tx,
  { callback_query: pressed, message }: Update,
  now: Date,
): Promise<string | null> {
  if (pressed) {
    // In a group anybody could press it in the name of whoever added the chat.
    if (pressed.message?.chat?.type !== 'private') return null;
    const { verb, letterId } = readButtonData(pressed.data ?? '') ?? NOTHING_PRESSED;
    const isOwn = pressed.message.chat.id === pressed.from?.id;
    const phones = isOwn ? await findPhones(tx, 'telegram', String(pressed.from.id)) : [];
    return answerLetter(tx, { phones, letterId, verb, how: 'button' }, now);
  }
  if (message?.chat?.type !== 'private' || message.text === undefined) return null;
  const phones = await findPhones(tx, 'telegram', String(message.chat.id));
  if (phones.length === 0) return null;
  if (isStop(message.text)) {
    const ids = phones.map(({ id }) => id);
    await switchOffMethods(tx, ids, 'STOP came from it', now);
    return sayOutcome({ outcome: 'stopped' });
  }
  const replied = message.reply_to_message?.message_id;
  const verb = YES.test(message.text.trim()) ? 'acknowledge' : isNo(message.text) ? 'pass_on' : null;
  if (replied === undefined || verb === null) return HOW;
  const letterId = await selectLetterOf(tx, `${message.chat.id}:${replied}`);
  return answerLetter(tx, { phones, letterId, verb, how: 'reply' }, now);
}

const NOTHING_PRESSED = { verb: 'acknowledge', letterId: null } as const;

const YES = /^(1|ok|ack|acknowledged?)(\s*[.!])?$/i;

const HOW =
  'Press Acknowledge below an alarm, or reply to it with OK; with NO if you cannot go. STOP ends these messages.';

interface Answered {
  phones: readonly Phone[];
  letterId: string | null;
  verb: ButtonVerb;
  how: 'button' | 'reply';
}

async function answerLetter(tx: Tx, { phones, letterId, verb, how }: Answered, now: Date): Promise<string> {
  const ids = phones.map(({ id }) => id);
  const alarms = (await selectAnswerable(tx, ids, answerableSince(now))).filter(
    (one) => one.letterId === letterId,
  );
  const phone = phones.find(({ id }) => id === alarms[0]?.methodId);
  if (!phone) return NOTHING_OPEN;
  // Updates are numbered, and each is taken once.
  const given = { phone, alarms, how, answerId: null };
  const taken = verb === 'pass_on' ? await passAlarmsOn(tx, given, now) : await takeAlarms(tx, given, now);
  return (taken.ok ? sayOutcome(taken.value) : REFUSALS[taken.refusal]) ?? NOTHING_OPEN;
}
