// What a client says once it is let in, and what it is answered: a message only when it is stored and judged, in the order
// in which messages came.
import type { IPublishPacket, ISubscribePacket, Packet } from 'mqtt-packet';
import type { Log } from '../../../platform/log.ts';
import type { MqttMetrics } from './mqtt-metrics.ts';
import {
  type Goodbye,
  PINGRESP,
  type versionOf,
  writeAck,
  writeSuback,
  writeUnknownPubcomp,
  writeUnsuback,
} from './packets.ts';
import type { Client, TakeMessage } from './take-message.ts';

export interface SessionDeps {
  takeMessage: TakeMessage;
  log: Log;
  metrics: MqttMetrics | null;
}

/** How the session reaches its client. */
export interface Line {
  send(bytes: Buffer): void;
  /** `null`: the client said goodbye itself. */
  close(goodbye: Goodbye | null): void;
  /** So many messages, of so many bytes, wait for their answers. */
  onHeld(messages: number, bytes: number): void;
}

interface Unanswered {
  packet: IPublishPacket;
  isTaken: boolean;
}

export interface Session {
  hear(packet: Packet): void;
  /** Resolves when nothing of it is under way any more. */
  settle(): Promise<void>;
}

export function openSession(
  { takeMessage, log, metrics }: SessionDeps,
  { sender, version, line }: { sender: Client; version: ReturnType<typeof versionOf>; line: Line },
): Session {
  const unanswered: Unanswered[] = [];
  /** Messages of QoS 2 that are here and not released yet; true: answered. */
  const received = new Map<number, boolean>();
  let heldBytes = 0;
  const settled: (() => void)[] = [];

  const hearMessage = (packet: IPublishPacket) => {
    const { topic, qos, dup, messageId = 0 } = packet;
    const payload = Buffer.isBuffer(packet.payload) ? packet.payload : Buffer.from(packet.payload);
    if (!isTopic(topic)) return line.close('topic_invalid');
    if (qos === 2) {
      const isAnswered = received.get(messageId);
      if (isAnswered) return line.send(writeAck('pubrec', messageId));
      if (isAnswered === false) return;
      received.set(messageId, false);
    }
    const waiting: Unanswered = { packet, isTaken: false };
    unanswered.push(waiting);
    heldBytes += payload.length;
    line.onHeld(unanswered.length, heldBytes);
    const startedAt = performance.now();
    takeMessage(sender, { topic, payload, isAnswered: qos > 0, isRepeated: dup }).then(
      (outcome) => {
        metrics?.observe(outcome === 'taken' ? 'taken' : 'refused', (performance.now() - startedAt) / 1000);
        if (outcome === 'unknown_source') line.close('not_authorized');
        else waiting.isTaken = true;
        answerInOrder();
      },
      (error) => {
        metrics?.observe('failed', (performance.now() - startedAt) / 1000);
        log.error({ err: error }, 'readings could not be stored');
        // Only a client that connects anew sends it again.
        line.close('unavailable');
        answerInOrder();
      },
    );
  };

  function answerInOrder(): void {
    let first = unanswered[0];
    while (first?.isTaken) {
      unanswered.shift();
      const { qos, messageId = 0, payload } = first.packet;
      heldBytes -= payload.length;
      if (qos === 2) received.set(messageId, true);
      if (qos > 0) line.send(writeAck(qos === 2 ? 'pubrec' : 'puback', messageId));
      first = unanswered[0];
    }
    line.onHeld(unanswered.length, heldBytes);
    if (unanswered.length === 0) for (const resolve of settled.splice(0)) resolve();
  }

  const ANSWERS: Partial<Record<Packet['cmd'], (packet: never) => void>> = {
    publish: hearMessage,
    pubrel: ({ messageId = 0 }: Packet) => {
      const isKnown = received.delete(messageId);
      line.send(isKnown ? writeAck('pubcomp', messageId) : writeUnknownPubcomp(version, messageId));
    },
    // Granted, and nothing is ever sent.
    subscribe: ({ messageId = 0, subscriptions }: ISubscribePacket) =>
      line.send(
        writeSuback(
          version,
          messageId,
          subscriptions.map(({ qos }) => qos),
        ),
      ),
    unsubscribe: ({ messageId = 0, unsubscriptions }: Packet & { unsubscriptions: string[] }) =>
      line.send(writeUnsuback(version, messageId, unsubscriptions.length)),
    pingreq: () => line.send(PINGRESP),
    disconnect: () => line.close(null),
    puback: () => {},
    pubrec: () => {},
    pubcomp: () => {},
  };

  return {
    hear(packet) {
      const answer = ANSWERS[packet.cmd];
      if (answer) answer(packet as never);
      else line.close('protocol_error');
    },
    settle: () =>
      unanswered.length === 0 ? Promise.resolve() : new Promise((resolve) => settled.push(resolve)),
  };
}

/** One that something can be published under. */
export const isTopic = (topic: string): boolean =>
  topic !== '' && !topic.includes('+') && !topic.includes('#') && !topic.includes('\0');
