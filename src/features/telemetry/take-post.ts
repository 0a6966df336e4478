// A post on its way from bytes to the road. A large one is read and taken a piece at a time, two at once at most and one of an
// organization: whoever comes meanwhile is answered, and finds memory.

import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { findExcess } from '../../domain/json/find-excess.ts';
import {
  openPost,
  type PostFault,
  readTelemetry,
  type TelemetryEntry,
  type TelemetryPost,
} from '../../domain/readings/telemetry.ts';
import type { PostOutcome } from '../../engine/ingest/ingest.ts';
import type { PostAnswer, SentPost } from '../../engine/ingest/sort-readings.ts';
import { inSlices } from '../../platform/in-slices.ts';
import { holdBriefly, holdInTurns } from '../../platform/process/in-hand.ts';
import { type Gate, openGate } from '../../platform/turns.ts';
import { namePost, unlessSetAside } from './hold-post.ts';
import type { Source } from './queries.ts';
import { BODY_LIMIT, encodingOf, unpackBody } from './read-body.ts';
import { EntryTooLarge, findArray, MOST_ENTRY_BYTES, readInPieces } from './read-in-pieces.ts';

/** Read and taken in one go. */
export const SMALL_BYTES = 64 * 1024;
/** What the road takes in one transaction without keeping others waiting. */
const SLICE_READINGS = 2_000;

/** Between two slices it rests for as long as the last one took: half of the time the database is there for others. */
const LONGEST_REST_MS = 200;

/** Of one organization; who comes then is asked to come again. */
const MOST_WAITING = 16;

/** For large posts, whichever way they came. */
export const openLargeGate = (mostWaiting = MOST_WAITING): Gate =>
  openGate({ atOnce: 2, leavesRoom: true, mostWaiting });

export type TakeFault =
  | PostFault
  | 'not_a_post'
  | 'too_large'
  | 'entry_too_large'
  | 'not_json'
  | 'no_room'
  | 'set_aside';

/** Answers when the post is committed. */
export type Take = (post: SentPost, size: number) => Promise<PostOutcome>;

export interface ReceivedPost {
  body: Buffer;
  headers: IncomingHttpHeaders;
  now: Date;
}

type Owner = Pick<Source, 'sourceId' | 'organizationId'>;

type TakePost = (source: Owner, post: ReceivedPost) => Promise<PostOutcome | TakeFault>;

export function openTakePost(take: Take, large: Gate): TakePost {
  return (source, post) => {
    const isPlain = encodingOf(post.headers) === 'identity';
    return isPlain && post.body.length <= SMALL_BYTES
      ? takeSmall(take, source, post.body, post.now)
      : takeUnpacked(source, post);
  };

  async function takeUnpacked(
    source: Owner,
    { body, headers, now }: ReceivedPost,
  ): Promise<PostOutcome | TakeFault> {
    const text = await unpackBody(body, headers, SMALL_BYTES);
    if (text === 'unreadable') return 'not_json';
    if (text !== 'too_large') return takeSmall(take, source, text, now);
    if (large.isFull(source.organizationId)) return 'no_room';
    return large.pass(source.organizationId, takeLarge);

    async function takeLarge(): Promise<PostOutcome | TakeFault> {
      const whole = await unpackBody(body, headers, BODY_LIMIT);
      if (!Buffer.isBuffer(whole)) return whole === 'too_large' ? whole : 'not_json';
      const item = await namePost(source, whole);
      const read = await unlessSetAside(() => inSlices(holdInTurns(item, readLarge(whole, now)), 'posts'));
      return typeof read === 'string' ? read : takeInSlices(take, source, read);
    }
  }
}

async function takeSmall(
  take: Take,
  source: Owner,
  text: Buffer,
  now: Date,
): Promise<PostOutcome | TakeFault> {
  const item = await namePost(source, text);
  const post = await unlessSetAside(() => holdBriefly(item, () => readSmall(text, now)));
  if (typeof post === 'string') return post;
  const { sourceId, organizationId } = source;
  const { entries, rejected } = post;
  return take({ sourceId, organizationId, entries, rejected }, countReadings(entries));
}

function readSmall(body: Buffer, now: Date): TelemetryPost | TakeFault {
  const text = body.toString('utf8');
  if (body.length > SMALL_BYTES && findExcess(text) !== null) return 'entry_too_large';
  try {
    return readTelemetry(JSON.parse(text), now.getTime());
  } catch {
    return 'not_json';
  }
}

/** Stops after each piece. */
function* readLarge(text: Buffer, now: Date): Generator<void, TelemetryPost | TakeFault> {
  const start = findArray(text);
  // What is no array is a single entry.
  if (start === null) return text.length > MOST_ENTRY_BYTES ? 'entry_too_large' : readSmall(text, now);
  const { post, add } = openPost(now.getTime());
  try {
    for (const piece of readInPieces(text, start)) {
      const fault = add(piece);
      if (fault) return fault;
      yield;
    }
    return post;
  } catch (error) {
    return error instanceof EntryTooLarge ? 'entry_too_large' : 'not_json';
  }
}

/** As if they had come one after the other. In the order of their times, in which they would be judged together. */
export async function takeInSlices(take: Take, source: Owner, post: TelemetryPost): Promise<PostOutcome> {
  const sum: PostAnswer = { accepted: 0, duplicates: 0, rejected: post.rejected };
  let tookMs = 0;
  for (const entries of slice(post.entries.toSorted((one, other) => one.at - other.at))) {
    if (tookMs > 0) await sleep(Math.min(tookMs, LONGEST_REST_MS));
    const startedAt = performance.now();
    const outcome = await take({ ...source, entries, rejected: [] }, countReadings(entries));
    tookMs = performance.now() - startedAt;
    if (outcome === 'unknown_source') return outcome;
    sum.accepted += outcome.accepted;
    sum.duplicates += outcome.duplicates;
    sum.rejected.push(...outcome.rejected);
    if (outcome.waiting !== undefined) sum.waiting = (sum.waiting ?? 0) + outcome.waiting;
  }
  return sum;
}

function slice(entries: readonly TelemetryEntry[]): TelemetryEntry[][] {
  const slices: TelemetryEntry[][] = [[]];
  let readings = 0;
  for (const entry of entries) {
    readings += countSaid(entry);
    if (readings > SLICE_READINGS) {
      slices.push([]);
      readings = countSaid(entry);
    }
    slices.at(-1)?.push(entry);
  }
  return slices;
}

export const countReadings = (entries: readonly TelemetryEntry[]): number =>
  entries.reduce((sum, entry) => sum + countSaid(entry), 0);

const countSaid = ({ values, faults }: TelemetryEntry): number => values.length + (faults?.length ?? 0);
