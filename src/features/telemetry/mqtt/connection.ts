// One client of the listener, from the first byte to the last. Whatever it does wrong ends this connection alone.

import type { Socket } from 'node:net';
import { type IConnectPacket, parser as openParser, type Packet } from 'mqtt-packet';
import { message } from '../../../domain/language/message.ts';
import { fault, type Refused } from '../../../domain/readings/refused.ts';
import type { SourceLedger } from '../../../engine/sources/source-ledger.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Sources } from '../sources.ts';
import { type Greeted, greet } from './greet.ts';
import type { MessageRoom } from './message-room.ts';
import {
  type ConnectRefusal,
  findComing,
  type Goodbye,
  MOST_PACKET_BYTES,
  MOST_UNANSWERED,
  versionOf,
  writeConnack,
  writeGoodbye,
  writeRefusal,
} from './packets.ts';
import { openSession, type Session, type SessionDeps } from './session.ts';

export interface ConnectionDeps extends SessionDeps {
  sources: Sources;
  ledger: SourceLedger;
  clock: Clock;
  room: MessageRoom;
  /** A client was let in; what it is refused for, if it is one too many. */
  admit(connection: Connection, greeted: Greeted): ConnectRefusal | null;
  /** How it ended: a client that went without a word leaves its will. */
  onClosed(connection: Connection, how: { leavesWill: boolean }): void;
}

export interface Connection {
  /** null: it has not said yet who it is. */
  readonly greeted: Greeted | null;
  close(goodbye: Goodbye): void;
  destroy(): void;
  /** Takes nothing more, answers what is under way, and says goodbye. */
  leave(): Promise<void>;
  /** Ends it if the client has not been heard for longer than it said it would be silent. */
  look(nowMs: number): void;
}

const CONNECT_WITHIN_MS = 10_000;
const MOST_HELD_BYTES = 2 * 1024 * 1024;
const UNFINISHED_MS = 5_000;
const PROBE_AFTER_MS = 60_000;

/** Of our own making, or of a client whose place another connection has taken: nobody is gone. */
const WITHOUT_WILL: readonly (Goodbye | null)[] = [null, 'shutting_down', 'unavailable', 'taken_over'];

export function serveConnection(socket: Socket, deps: ConnectionDeps): Connection {
  const { room, ledger, clock, log } = deps;
  const input = openParser();
  const openedAt = performance.now();
  let heardAt = openedAt;
  let greeted: Greeted | null = null;
  let version: 3 | 4 | 5 = 4;
  let session: Session | null = null;
  let quietMs = Number.POSITIVE_INFINITY;
  /** What came before it was known who speaks; null: nobody has spoken yet. */
  let early: Packet[] | null = null;
  let goodbye: Goodbye | null | undefined;
  let isLeaving = false;
  const held = { messages: 0, bytes: 0, unreadBytes: 0 };

  const isEnded = () => goodbye !== undefined;

  function end(why: Goodbye | null, words: Buffer | null): void {
    if (isEnded()) return;
    goodbye = why;
    input.removeAllListeners().on('error', () => {});
    if (socket.destroyed) return;
    // What it still sends is nobody's business, but a client that waits for the end of its sending has to read ours.
    socket.off('data', hear).resume();
    if (words) socket.end(words);
    else socket.end();
    const unfinished = setTimeout(() => socket.destroy(), UNFINISHED_MS).unref();
    socket.once('close', () => clearTimeout(unfinished));
  }
  const close = (why: Goodbye | null) => end(why, why && greeted ? writeGoodbye(version, why) : null);

  function updateFlow(): void {
    room.hold(connection, held.bytes + held.unreadBytes);
    if (isEnded() || isLeaving) return;
    const isFull =
      held.messages > MOST_UNANSWERED ||
      held.bytes > MOST_HELD_BYTES ||
      (held.bytes > 0 && room.isFull()) ||
      socket.writableNeedDrain ||
      (early !== null && session === null);
    if (isFull) socket.pause();
    else socket.resume();
  }

  const line = {
    send(bytes: Buffer) {
      if (!isEnded() && socket.writable) socket.write(bytes);
    },
    close,
    onHeld(messages: number, bytes: number) {
      held.messages = messages;
      held.bytes = bytes;
      updateFlow();
    },
  };

  async function hearConnect(packet: IConnectPacket): Promise<void> {
    early = [];
    socket.pause();
    version = versionOf(packet);
    const found = await greet(deps, packet);
    if (isEnded() || socket.destroyed) return;
    const refusal = found.ok ? deps.admit(connection, found.value) : found.refusal;
    if (refusal !== null || !found.ok) {
      log.info({ refusal, from: socket.remoteAddress }, 'an MQTT client was refused');
      return end('not_authorized', writeRefusal(version, refusal ?? 'unavailable'));
    }
    greeted = found.value;
    session = openSession(deps, { sender: greeted.sender, version, line });
    if (packet.keepalive) quietMs = 1_500 * packet.keepalive;
    line.send(writeConnack(version, greeted.assigned));
    for (const waiting of early.splice(0)) hearPacket(waiting);
    updateFlow();
  }

  function hearPacket(packet: Packet): void {
    if (isEnded() || isLeaving) return;
    if (session) session.hear(packet);
    else if (early) early.push(packet);
    else if (packet.cmd === 'connect') void hearConnect(packet);
    else close('protocol_error');
  }

  function refuseInput(goodbyeWhy: Goodbye, why: Refused, sample: Buffer): void {
    if (isEnded()) return;
    if (greeted) ledger.refused(greeted.sender.source, { why, sample: () => sample }, clock());
    close(goodbyeWhy);
  }

  function hear(chunk: Buffer): void {
    heardAt = performance.now();
    try {
      held.unreadBytes = input.parse(chunk);
    } catch {
      refuseInput('malformed', MALFORMED, chunk);
    }
    if (findComing(input) > MOST_PACKET_BYTES) refuseInput('too_large', TOO_LARGE, Buffer.alloc(0));
    updateFlow();
  }

  const connection: Connection = {
    get greeted() {
      return greeted;
    },
    close,
    destroy: () => void socket.destroy(),
    async leave() {
      isLeaving = true;
      socket.pause();
      await session?.settle();
      close('shutting_down');
    },
    look(nowMs) {
      if (isEnded()) return;
      if (session === null && nowMs - openedAt > CONNECT_WITHIN_MS) close('keep_alive');
      // Whoever is kept waiting by us cannot be heard.
      else if (nowMs - heardAt > quietMs && !socket.isPaused()) close('keep_alive');
    },
  };

  input.on('packet', hearPacket);
  input.on('error', () => refuseInput('malformed', MALFORMED, Buffer.alloc(0)));
  socket.setNoDelay(true).setKeepAlive(true, PROBE_AFTER_MS);
  socket
    .on('data', hear)
    .on('drain', updateFlow)
    .on('error', () => {})
    .on('end', () => socket.end())
    .on('close', () => {
      const leavesWill = !isLeaving && !(isEnded() && WITHOUT_WILL.includes(goodbye as Goodbye | null));
      goodbye ??= 'protocol_error';
      room.hold(connection, 0);
      deps.onClosed(connection, { leavesWill });
    });
  return connection;
}

const MALFORMED = fault(message('a packet of MQTT could not be read'));
const TOO_LARGE = fault(message('a message may take at most 1 MiB'));
