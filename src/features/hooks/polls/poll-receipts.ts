// Messages whose providers do not tell what became of them: Pushover says when somebody confirmed one, Twilio whether an SMS
// arrived, where it cannot call back.
import {
  askAgainAt,
  leasePoll,
  type OpenReceipt,
  type PolledProvider,
  returnPoll,
  selectOpenReceipts,
} from '../../../engine/outbox/provider-polls.ts';
import { noteConfirmed, noteLost, noteReceived } from '../../../engine/outbox/receipts.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { OutboundPost } from '../../../platform/outbound/post-outbound.ts';
import { underAddress } from '../../../platform/outbound/under-address.ts';
import { eachAlone } from '../../../platform/process/each-alone.ts';
import type { Channels, SmsGateway } from '../../../platform/read-channels.ts';
import { readStatus } from '../read-report.ts';
import { askProvider, type ProviderAnswer } from './ask-provider.ts';

const LEASE_MS = 120_000;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** An urgent message is repeated for an hour (`expire`). */
const PUSHOVER_WITHIN_MS = 65 * MINUTE;
const TWILIO_WITHIN_MS = 240 * MINUTE;

interface Poll {
  db: Database;
  signal: AbortSignal;
}

/** What follows from an answer: when to ask again, or nothing more. */
type Heard = { againAt: Date } | 'closed';

async function pollOpen(
  { db }: Poll,
  kind: PolledProvider,
  which: { via: 'pushover' | 'sms'; withinMs: number },
  ask: (receipt: OpenReceipt) => Promise<Heard | { pauseMs: number }>,
  now: Date,
): Promise<void> {
  const since = new Date(now.getTime() - which.withinMs);
  const readOpen = () => selectOpenReceipts(db, which.via, since, now);
  if ((await readOpen()).length === 0) return;
  if (!(await leasePoll(db, kind, new Date(now.getTime() + LEASE_MS), now))) return;
  let notBefore: Date | null = null;
  try {
    // Once more: whoever had the lease before may have asked.
    await eachAlone(
      await readOpen(),
      ({ letterId }) => `the receipt of letter ${letterId}`,
      async (receipt) => {
        if (notBefore) return;
        const heard = await ask(receipt);
        if (typeof heard === 'object' && 'pauseMs' in heard)
          notBefore = new Date(now.getTime() + heard.pauseMs);
        else await askAgainAt(db, receipt.letterId, heard === 'closed' ? null : heard.againAt);
      },
    );
  } finally {
    await returnPoll(db, kind, notBefore, now);
  }
}

const after = (now: Date, ms: number): { againAt: Date } => ({ againAt: new Date(now.getTime() + ms) });

/** `answered`: what to do with an answer that came. */
const meet = (
  answer: ProviderAnswer,
  now: Date,
  answered: (fields: Record<string, unknown>) => Promise<Heard>,
): Promise<Heard | { pauseMs: number }> | Heard | { pauseMs: number } => {
  switch (answer.kind) {
    case 'said':
      return answered(answer.fields);
    case 'refused':
      return 'closed';
    case 'pause':
      return { pauseMs: answer.ms };
    case 'away':
      return after(now, 30 * SECOND);
  }
};

export async function pollPushover(
  { pushover, ...poll }: Poll & { pushover: NonNullable<Channels['pushover']> },
  now: Date,
): Promise<void> {
  const { db, signal } = poll;
  const address = (receipt: string, rest: string) =>
    underAddress(pushover.url, `/1/receipts/${encodeURIComponent(receipt)}${rest}`);
  const which = { via: 'pushover' as const, withinMs: PUSHOVER_WITHIN_MS };
  await pollOpen(
    poll,
    'pushover',
    which,
    async ({ letterId, providerId, isOver }) => {
      // Only urgent messages have a receipt; others are named by their request.
      if (!/^[A-Za-z0-9]{30}$/.test(providerId)) return 'closed';
      const url = address(providerId, '.json');
      url.searchParams.set('token', pushover.token);
      const asked = await askProvider({ method: 'GET', url, headers: AS_TOCSIN, body: '' }, now, signal);
      return meet(asked, now, async (fields) => {
        const has = (name: string) => Number(fields[name] ?? 0) > 0;
        if (has('last_delivered_at')) await db.transaction((tx) => noteReceived(tx, providerId, now));
        if (has('acknowledged')) {
          await db.transaction((tx) => noteConfirmed(tx, letterId, 'Pushover', now));
          return 'closed';
        }
        if (has('expired')) return 'closed';
        if (!isOver) return after(now, 10 * SECOND);
        const cancel: OutboundPost = {
          url: address(providerId, '/cancel.json'),
          headers: { ...AS_TOCSIN, 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams({ token: pushover.token }).toString(),
        };
        const { kind } = await askProvider(cancel, now, signal);
        return kind === 'said' || kind === 'refused' ? 'closed' : after(now, 30 * SECOND);
      });
    },
    now,
  );
}

const AS_TOCSIN = { 'user-agent': 'Tocsin', accept: 'application/json' };

export async function pollTwilio(
  { sms, ...poll }: Poll & { sms: Pick<SmsGateway, 'url' | 'headers'> },
  now: Date,
): Promise<void> {
  const { db, signal } = poll;
  const which = { via: 'sms' as const, withinMs: TWILIO_WITHIN_MS };
  await pollOpen(
    poll,
    'twilio',
    which,
    async ({ providerId, sentAt }) => {
      const url = new URL(sms.url.replace(/\.json$/, `/${encodeURIComponent(providerId)}.json`));
      const headers = { ...AS_TOCSIN, ...sms.headers };
      const asked = await askProvider({ method: 'GET', url, headers, body: '' }, now, signal);
      return meet(asked, now, async ({ status }) => {
        const said = String(status ?? '');
        const state = readStatus(said);
        if (state === 'received') await db.transaction((tx) => noteReceived(tx, providerId, now));
        if (state === 'lost')
          await db.transaction((tx) => noteLost(tx, providerId, `The provider says: ${said}`, now));
        const isYoung = now.getTime() - sentAt.getTime() < 5 * MINUTE;
        return state === null ? after(now, isYoung ? 15 * SECOND : 5 * MINUTE) : 'closed';
      });
    },
    now,
  );
}
