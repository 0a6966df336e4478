// A body of any format on its way to the road of our own JSON. One that takes long to read is read a piece at a time.
import type { IncomingHttpHeaders } from 'node:http';
import { isWaiting } from '../../../domain/readings/refused.ts';
import { holdsAnything, type PostFault, type Rejection } from '../../../domain/readings/telemetry.ts';
import type { WayPost } from '../../../domain/ways-in/gather-readings.ts';
import type { SourceSettings } from '../../../domain/ways-in/source-settings.ts';
import type { Reading, WayRules } from '../../../domain/ways-in/way-in.ts';
import type { UplinkDecoder } from '../../../engine/codecs/uplink-decoder.ts';
import type { PostOutcome } from '../../../engine/ingest/ingest.ts';
import type { PostAnswer } from '../../../engine/ingest/sort-readings.ts';
import type { SourceLedger } from '../../../engine/sources/source-ledger.ts';
import { inSlices } from '../../../platform/in-slices.ts';
import { holdInTurns } from '../../../platform/process/in-hand.ts';
import type { Gate } from '../../../platform/turns.ts';
import { namePost, unlessSetAside } from '../hold-post.ts';
import type { Source } from '../queries.ts';
import { BODY_LIMIT, encodingOf, unpackBody } from '../read-body.ts';
import { countReadings, SMALL_BYTES, type Take, takeInSlices } from '../take-post.ts';
import type { SettlePost } from './settle-post.ts';

export type ReadWay = (body: Buffer, rules: WayRules<SourceSettings>) => Reading<PostFault | 'unreadable'>;

export type WayFault = PostFault | 'too_large' | 'not_unpacked' | 'unreadable' | 'set_aside';

interface Received {
  body: Buffer;
  headers: IncomingHttpHeaders;
  source: Source;
  now: Date;
  read: ReadWay;
  mostBytes: number;
  /** What was refused, as far as it can be told. */
  sampleOf: (body: Buffer, index: number) => Buffer;
  /** So that a mapping can be written beside it. */
  isBodyKept: boolean;
  /** Of MQTT. */
  topic?: string;
}

export interface WayAnswer extends PostAnswer {
  /** Devices that nobody has adopted yet are none: they wait. */
  refused: readonly Rejection[];
  counted?: WayPost['counted'];
}

interface DeskDeps<Refusal extends string> {
  take: Take;
  ledger: SourceLedger;
  codecs: UplinkDecoder;
  settle: SettlePost<Refusal>;
  large: Gate;
}

export function openTakeWay<Refusal extends string>({
  take,
  ledger,
  codecs,
  settle,
  large,
}: DeskDeps<Refusal>) {
  type WayOutcome = WayAnswer | WayFault | 'unknown_source' | 'no_room' | Refusal;
  return (received: Received): Promise<WayOutcome> => {
    const { body, headers } = received;
    const isPlain = encodingOf(headers) === 'identity';
    return isPlain && body.length <= SMALL_BYTES ? takeBody(body, received) : takeUnpacked(received);
  };

  async function takeUnpacked(received: Received): Promise<WayOutcome> {
    const { body, headers, mostBytes } = received;
    const small = await unpackBody(body, headers, SMALL_BYTES);
    if (small === 'unreadable') return 'not_unpacked';
    if (small !== 'too_large') return takeBody(small, received);
    const { organizationId } = received.source;
    if (large.isFull(organizationId)) return 'no_room';
    return large.pass(organizationId, async () => {
      const whole = await unpackBody(body, headers, Math.min(mostBytes, BODY_LIMIT));
      if (!Buffer.isBuffer(whole)) return whole === 'too_large' ? whole : 'not_unpacked';
      return takeBody(whole, received);
    });
  }

  async function takeBody(body: Buffer, received: Received): Promise<WayOutcome> {
    const { source, now } = received;
    ledger.seen(source, now);
    if (received.isBodyKept) ledger.body(source, body, received.topic ?? null);
    const item = await namePost(source, body);
    const post = await unlessSetAside(() => inSlices(holdInTurns(item, readBody(body, received)), 'posts'));
    if (typeof post === 'string') return post;
    for (const undecoded of post.undecoded ?? []) {
      const why = await codecs.decode(source, undecoded, now);
      if (why !== null) post.rejected.push({ index: undecoded.index, why });
    }
    const refusal = post.unsettled ? await settle(post, { body, source, now }) : null;
    if (refusal !== null) return refusal;
    const outcome = await takePost(post, source);
    if (outcome === 'unknown_source') return outcome;
    if (post.suspects.size > 0) ledger.suspect(source, post.suspects, now);
    const noted = findNoted(outcome.rejected);
    for (const { index, why } of noted)
      ledger.refused(source, { why, sample: () => received.sampleOf(body, index) }, now);
    for (const note of post.notes ?? []) ledger.refused(source, { why: note, sample: () => NOTHING }, now);
    const refused = noted.filter(({ why }) => !isWaiting(why));
    return { ...outcome, refused, counted: post.counted };
  }

  function takePost(post: WayPost, source: Source): Promise<PostOutcome> {
    const { rejected } = post;
    const entries = post.entries.every(holdsAnything) ? post.entries : post.entries.filter(holdsAnything);
    const readings = countReadings(entries);
    const { sourceId, organizationId } = source;
    const sent = { sourceId, organizationId, entries, rejected, leavesOutFaults: true };
    return readings > MOST_AT_ONCE ? takeInSlices(take, sent, sent) : take(sent, readings);
  }
}

function* readBody(body: Buffer, { read, source, now }: Received) {
  const reading = read(body, { settings: source.settings, receivedAt: now.getTime() });
  return 'next' in reading ? yield* reading : reading;
}

function findNoted(rejected: readonly Rejection[]): readonly Rejection[] {
  if (rejected.length === 0) return NONE;
  return rejected
    .filter(({ why }) => why.code !== 'unknown_device')
    .sort((one, other) => one.index - other.index);
}

const NONE: readonly Rejection[] = [];
const MOST_AT_ONCE = 2_000;
const NOTHING = Buffer.alloc(0);
