// The Things Stack posts each message once. What was lost, for we could not be reached, is fetched from its storage: every ten
// minutes, by one program at a time. What is here already is counted as double, and what is late is stored and not judged.

import type { OrganizationId } from '../../../domain/ids.ts';
import type { Instant } from '../../../domain/instant.ts';
import { message } from '../../../domain/language/message.ts';
import { fault, type Refused, said } from '../../../domain/readings/refused.ts';
import { readTts } from '../../../domain/ways-in/tts.ts';
import {
  askStored,
  MOST_STORED,
  readStoredPage,
  type StorageSettings,
  type StoredMessage,
} from '../../../domain/ways-in/tts-storage.ts';
import type { UplinkDecoder } from '../../../engine/codecs/uplink-decoder.ts';
import {
  claimCatchUp,
  type DueCatchUp,
  leaveCatchUp,
  markCaughtUp,
} from '../../../engine/sources/catch-ups.ts';
import type { SourceLedger } from '../../../engine/sources/source-ledger.ts';
import { explainFailure } from '../../../engine/transports/webhook/webhook-outcome.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import { inSlices } from '../../../platform/in-slices.ts';
import type { Log } from '../../../platform/log.ts';
import { type OutboundSettings, requestOutbound } from '../../../platform/outbound/request-outbound.ts';
import { holdInTurns, SetAside } from '../../../platform/process/in-hand.ts';
import { countTurns } from '../../../platform/turns.ts';
import type { Source } from '../queries.ts';
import { openLargeGate, SMALL_BYTES, type Take } from '../take-post.ts';
import { openSettling } from '../ways-in/settle-post.ts';
import { openTakeWay } from '../ways-in/take-way.ts';

export interface CatchUpDeps {
  db: Database;
  clock: Clock;
  take: Take;
  ledger: SourceLedger;
  codecs: UplinkDecoder;
  log: Log;
  outbound: Pick<OutboundSettings, 'allowPrivate' | 'resolve'>;
}

const EVERY_MS = 10 * 60_000;
const CLAIM_MS = 5 * 60_000;
/** A message may be stored a moment after others that were received later. */
const OVERLAP_MS = 5 * 60_000;
/** The first time, and after a longer absence: the storage of the sandbox goes back as far. */
const LONGEST_MS = 24 * 3_600_000;
const TIMEOUT_MS = 20_000;
const MOST_PAGES = 50;
const MOST_BYTES = 4 * 1024 * 1024;
const MOST_MESSAGE_BYTES = 1024 * 1024;

/** Sources that are asked at a time, in turns by organization: what one storage takes its time for holds up nobody else's. */
const AT_ONCE = 8;

export interface CatchUp {
  /** Begins with what is due; does not wait for storages. */
  round(now: Date): Promise<void>;
  /** Until nothing is under way. */
  settle(): Promise<void>;
  /** What is under way is broken off. */
  leave(): Promise<void>;
}

export function openCatchUp(deps: CatchUpDeps): CatchUp {
  const { db, clock, log } = deps;
  const takeBody = openTakeWay({ ...deps, settle: openSettling(db), large: openLargeGate() });
  const turns = countTurns({ atOnce: AT_ONCE, leavesRoom: true });
  const underWay = new Map<Promise<void>, OrganizationId>();
  const stopping = new AbortController();
  let filling: Promise<void> | null = null;

  /** Only what can begin at once is claimed, for a claim does not last long. */
  async function fill(now: Date): Promise<void> {
    while (!stopping.signal.aborted && underWay.size < AT_ONCE) {
      const organizations = [...underWay.values()];
      const full = organizations.filter((organizationId) => !turns.mayBegin(organizationId));
      const due = await claimCatchUp(db, { organizations, full }, new Date(now.getTime() + CLAIM_MS), now);
      if (!due) return;
      turns.begin(due.organizationId);
      const done = work(due, now)
        .catch((error) => log.error({ err: error, source: due.sourceId }, 'what was missed is not fetched'))
        .finally(() => {
          turns.end(due.organizationId);
          underWay.delete(done);
          refill(clock()).catch((error) => log.error({ err: error }, 'what else is due is asked for later'));
        });
      underWay.set(done, due.organizationId);
    }
  }

  /** One at a time: whoever asks meanwhile gets the same one. */
  function refill(now: Date): Promise<void> {
    filling ??= fill(now).finally(() => {
      filling = null;
    });
    return filling;
  }

  async function work({ caughtUpUntil, ...source }: DueCatchUp, now: Date): Promise<void> {
    const fetchMissed = () => catchUp(source, caughtUpUntil, now, stopping.signal);
    const failure = await fetchMissed().catch((error) => {
      if (error instanceof SetAside) return said(error.message);
      throw error;
    });
    // Another program goes on at once.
    const isLeft = failure !== null && stopping.signal.aborted;
    if (failure !== null && !isLeft)
      deps.ledger.refused(source, { why: failure, sample: () => Buffer.alloc(0) }, now);
    await leaveCatchUp(db, source.sourceId, new Date(now.getTime() + (isLeft ? 0 : EVERY_MS)), now);
  }

  async function settle(): Promise<void> {
    while (underWay.size > 0 || filling) await Promise.all([...underWay.keys(), filling]);
  }

  return {
    round: refill,
    settle,
    async leave() {
      stopping.abort();
      await settle();
    },
  };

  /** Answers with what went wrong. */
  async function catchUp(
    source: Source,
    caughtUpUntil: Date | null,
    now: Date,
    signal: AbortSignal,
  ): Promise<Refused | null> {
    const { storage } = source.settings;
    if (!storage) return null;
    const earliest = now.getTime() - LONGEST_MS;
    const endsAt = performance.now() + CLAIM_MS - 2 * TIMEOUT_MS;
    let after: Instant = Math.max((caughtUpUntil?.getTime() ?? earliest) - OVERLAP_MS, earliest);
    // What is left is fetched the next time: another program may claim it by then.
    for (let page = 0; page < MOST_PAGES && performance.now() < endsAt; page += 1) {
      const fetched = await fetchPage(source, storage, new Date(after), signal);
      if ('code' in fetched) return fetched;
      for (const message of fetched.messages) {
        const taken = await takeStored(source, message);
        if (taken === 'unknown_source' || taken === 'no_room') return null;
        after = Math.max(after, message.receivedAt);
      }
      const isWhole = fetched.messages.length < MOST_STORED && !fetched.isCut && fetched.error === null;
      await markCaughtUp(db, source.sourceId, new Date(isWhole ? now.getTime() : after));
      if (fetched.error !== null)
        return fault(message('The storage says: {error}'), { error: fetched.error });
      if (isWhole || fetched.messages.length === 0) return null;
    }
    return null;
  }

  /** In hand is what it answered, and each message by itself: while storages are waited for, none of them is to blame. */
  async function fetchPage({ sourceId }: Source, storage: StorageSettings, after: Date, signal: AbortSignal) {
    const headers = { authorization: `Bearer ${storage.key}`, accept: 'text/event-stream' };
    const question = { method: 'GET' as const, url: askStored(storage, after), headers, body: '' };
    const settings = { ...deps.outbound, timeoutMs: TIMEOUT_MS, mostBytes: MOST_BYTES };
    const answer = await requestOutbound(question, settings, signal);
    if (!answer.ok) {
      const outcome = explainFailure(question, answer.refusal);
      return outcome.isSent ? fault(message('The storage could not be asked')) : said(outcome.error);
    }
    const { status, text } = answer.value;
    if (status !== 200)
      return fault(message('The storage of The Things Stack answered {status}'), { status });
    return {
      ...(await inSlices(holdInTurns(`source ${sourceId}`, readStoredPage(text)), 'posts')),
      isCut: Buffer.byteLength(text) >= MOST_BYTES,
    };
  }

  function takeStored(source: Source, { text }: StoredMessage) {
    const now = deps.clock();
    return takeBody({
      body: Buffer.from(text),
      headers: {},
      source,
      now,
      read: function* (body, rules) {
        // Others first.
        if (body.length > SMALL_BYTES) yield;
        return readTts(text, { device: '', ...rules });
      },
      mostBytes: MOST_MESSAGE_BYTES,
      sampleOf: (body) => body,
      isBodyKept: false,
    });
  }
}
