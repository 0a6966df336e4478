// A message of MQTT on its way to the road, whether a device brought it here or a broker had it.

import { isStorable } from '../../../domain/storable-text.ts';
import { isDiscovery } from '../../../domain/ways-in/home-assistant.ts';
import { hasReader, mayBeAnnounced, mqtt } from '../../../domain/ways-in/topics.ts';
import type { UplinkDecoder } from '../../../engine/codecs/uplink-decoder.ts';
import type { SourceLedger } from '../../../engine/sources/source-ledger.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { Source } from '../queries.ts';
import type { Sender, Sources } from '../sources.ts';
import type { Take } from '../take-post.ts';
import { openLargeGate } from '../take-post.ts';
import { openTakeWay } from '../ways-in/take-way.ts';
import { FAULTS } from '../ways-in/way-route.ts';
import { keepAnnouncements } from './announcements.ts';
import { nameMessage, rememberAnswered } from './answered.ts';
import { openMessageSettling } from './settle-message.ts';

export const MOST_MESSAGE_BYTES = 1024 * 1024;

export interface Client extends Sender {
  clientId: string;
}

/** Whoever has another secret is another client, whatever it calls itself. A secret is never shown: nor is this. */
export const nameClient = ({ secret, clientId }: Client): string => `${secret} ${clientId}`;

export interface Message {
  topic: string;
  payload: Buffer;
  /** It will be answered, and sent again if it is not. */
  isAnswered: boolean;
  /** It was sent before. */
  isRepeated: boolean;
  /** A broker kept it: nobody knows since when. */
  isRetained?: boolean;
}

interface MessageDeps {
  db: Database;
  sources: Sources;
  take: Take;
  ledger: SourceLedger;
  codecs: UplinkDecoder;
  clock: Clock;
}

/** Resolves when all that could be read of it is stored and judged; what could not is noted for its source. */
export type TakeMessage = (sender: Client, message: Message) => Promise<'taken' | 'unknown_source'>;

export function openTakeMessage({ db, sources, take, ledger, codecs, clock }: MessageDeps): TakeMessage {
  // However many wait: each connection has only a few under way.
  const large = openLargeGate(Number.POSITIVE_INFINITY);
  const takeBody = openTakeWay({ take, ledger, codecs, settle: openMessageSettling(), large });
  const answered = rememberAnswered();
  const announcements = keepAnnouncements(db);
  return async (sender, message) => {
    const now = clock();
    const { topic, payload, isAnswered, isRepeated } = message;
    const client = nameClient(sender);
    const name = isAnswered ? nameMessage(topic, payload) : 0;
    if (isRepeated && answered.has(client, name, now.getTime())) return 'taken';
    const outcome = await sources.use(sender, (source) =>
      isDiscovery(topic) ? note(source, message, now) : takeReadings(source, message, now),
    );
    if (outcome === 'unknown_source') return outcome;
    if (isAnswered) answered.add(client, name, now.getTime());
    return 'taken';
  };

  async function note(
    source: Source,
    { topic, payload }: Message,
    now: Date,
  ): Promise<'taken' | 'unknown_source'> {
    ledger.seen(source, now);
    const faults = await announcements.note(source.sourceId, topic, payload.toString('utf8'));
    if (faults === 'unknown_source') return faults;
    for (const why of faults) ledger.refused(source, { why, sample: () => sampleOf(topic, payload) }, now);
    return 'taken';
  }

  async function takeReadings(
    source: Source,
    { topic, payload, isRetained = false }: Message,
    now: Date,
  ): Promise<'taken' | 'unknown_source'> {
    const { settings, sourceId } = source;
    const announced = mayBeAnnounced(topic, settings) ? await announcements.find(sourceId, topic) : [];
    const outcome = await takeBody({
      body: payload,
      headers: {},
      source,
      now,
      read: (body, rules) => mqtt.read(body, { topic, isRetained, announced }, rules),
      mostBytes: MOST_MESSAGE_BYTES,
      sampleOf: (body) => sampleOf(topic, body),
      // Also what a mapping is still to be written for.
      isBodyKept: settings.mapping !== undefined || (announced.length === 0 && !hasReader(topic, settings)),
      topic: isStorable(topic) ? topic : '',
    });
    if (outcome === 'unknown_source') return outcome;
    if (outcome === 'no_room') throw new Error('There is no room for a message');
    if (typeof outcome === 'string')
      ledger.refused(source, { why: FAULTS[outcome][1], sample: () => sampleOf(topic, payload) }, now);
    return 'taken';
  }
}

const sampleOf = (topic: string, payload: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${topic} `), payload]);
