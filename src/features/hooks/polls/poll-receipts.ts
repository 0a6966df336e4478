// Messages whose providers do not tell what became of them: they are asked.
import { writeFailure } from '../../../domain/words/failure-words.ts';
import {
  askAgainAt,
  leasePoll,
  type OpenReceipt,
  returnPoll,
  selectOpenReceipts,
} from '../../../engine/outbox/provider-polls.ts';
import { noteConfirmed, noteLost, noteReceived } from '../../../engine/outbox/receipts.ts';
import type { Receipts } from '../../../engine/providers/record/receipts.ts';
import type { Database } from '../../../platform/db/database.ts';
import { eachAlone } from '../../../platform/process/each-alone.ts';
import { askProvider } from './ask-provider.ts';

const LEASE_MS = 120_000;
const AWAY_PAUSE_MS = 30_000;

interface Poll<Settings> {
  db: Database;
  signal: AbortSignal;
  receipts: Receipts<Settings>;
  /** Of the provider, as they are in force. */
  settings: Settings;
}

/** What follows from an answer: when to ask again, nothing more, or a pause for all of them. */
type Heard = { againAt: Date } | 'closed' | { pauseMs: number };

export async function pollReceipts<Settings>(poll: Poll<Settings>, now: Date): Promise<void> {
  const { db, receipts } = poll;
  const since = new Date(now.getTime() - receipts.withinMs);
  const readOpen = () => selectOpenReceipts(db, receipts.via, since, now);
  if ((await readOpen()).length === 0) return;
  if (!(await leasePoll(db, receipts.kind, new Date(now.getTime() + LEASE_MS), now))) return;
  let notBefore: Date | null = null;
  try {
    // Once more: whoever had the lease before may have asked.
    await eachAlone(
      await readOpen(),
      ({ letterId }) => `the receipt of letter ${letterId}`,
      async (receipt) => {
        if (notBefore) return;
        const heard = await askOne(poll, receipt, now);
        if (typeof heard === 'object' && 'pauseMs' in heard)
          notBefore = new Date(now.getTime() + heard.pauseMs);
        else await askAgainAt(db, receipt.letterId, heard === 'closed' ? null : heard.againAt);
      },
    );
  } finally {
    await returnPoll(db, receipts.kind, notBefore, now);
  }
}

async function askOne<Settings>(
  { db, signal, receipts, settings }: Poll<Settings>,
  { letterId, providerId, sentAt, isOver }: OpenReceipt,
  now: Date,
): Promise<Heard> {
  const question = receipts.ask(settings, providerId);
  if (!question) return 'closed';
  const answer = await askProvider(question, now, signal);
  if (answer.kind === 'refused') return 'closed';
  if (answer.kind === 'pause') return { pauseMs: answer.ms };
  if (answer.kind === 'away') return after(now, AWAY_PAUSE_MS);
  const { isReceived, lost, confirmedBy, isLast } = receipts.read(answer.fields);
  if (isReceived) await db.transaction((tx) => noteReceived(tx, providerId, now));
  if (lost !== undefined)
    await db.transaction((tx) =>
      noteLost(tx, providerId, writeFailure('provider_says', { said: lost }), now),
    );
  if (confirmedBy !== undefined) await db.transaction((tx) => noteConfirmed(tx, letterId, confirmedBy, now));
  if (isLast) return 'closed';
  if (!isOver || !receipts.stop) return after(now, receipts.pauseMs(now.getTime() - sentAt.getTime()));
  const { kind } = await askProvider(receipts.stop(settings, providerId), now, signal);
  return kind === 'said' || kind === 'refused' ? 'closed' : after(now, AWAY_PAUSE_MS);
}

const after = (now: Date, ms: number): { againAt: Date } => ({ againAt: new Date(now.getTime() + ms) });
