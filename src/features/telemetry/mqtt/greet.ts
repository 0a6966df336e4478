// Who comes: a client says the secret of a source as its password.

import { randomUUID } from 'node:crypto';
import type { IConnectPacket } from 'mqtt-packet';
import { message } from '../../../domain/language/message.ts';
import { fault } from '../../../domain/readings/refused.ts';
import { ok, type Result, refuse } from '../../../domain/result.ts';
import type { SourceLedger } from '../../../engine/sources/source-ledger.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import type { Sources } from '../sources.ts';
import { type ConnectRefusal, versionOf } from './packets.ts';
import { isTopic } from './session.ts';
import type { Client, Message } from './take-message.ts';

/** `offline`, or some JSON: each client's is kept as long as it is connected. */
const MOST_WILL_BYTES = 16 * 1024;

export interface Greeted {
  sender: Client;
  /** What is said of it when it goes without a word; null: nothing. */
  will: (Message & { delaySeconds: number }) | null;
  /** For a client that came without a name. */
  assigned: string | null;
}

export async function greet(
  { sources, ledger, clock, log }: { sources: Sources; ledger: SourceLedger; clock: Clock; log: Log },
  packet: IConnectPacket,
): Promise<Result<Greeted, ConnectRefusal>> {
  const { clientId, clean, password, will, properties } = packet;
  const version = versionOf(packet);
  if (properties?.authenticationMethod !== undefined) return refuse('bad_method');
  if (clientId === '' && (version === 3 || (version === 4 && !clean))) return refuse('bad_identifier');
  if (will && !isTopic(will.topic)) return refuse('bad_identifier');
  try {
    const secret = password?.toString('utf8') ?? '';
    const sender = secret === '' ? null : await sources.find(secret);
    if (!sender) return refuse('bad_secret');
    if (will && Buffer.byteLength(will.payload) > MOST_WILL_BYTES) {
      const why = fault(message('a last will may take at most {most} kB: the client was refused'), {
        most: MOST_WILL_BYTES / 1024,
      });
      ledger.refused(sender.source, { why, sample: () => Buffer.from(clientId) }, clock());
      return refuse('too_large');
    }
    const assigned = clientId === '' ? randomUUID() : null;
    return ok({
      sender: { ...sender, clientId: assigned ?? clientId },
      assigned,
      will: will
        ? {
            topic: will.topic,
            payload: Buffer.from(will.payload),
            isAnswered: false,
            isRepeated: false,
            delaySeconds: will.properties?.willDelayInterval ?? 0,
          }
        : null,
    });
  } catch (error) {
    log.error({ err: error }, 'the secret of an MQTT client could not be looked for');
    return refuse('unavailable');
  }
}
