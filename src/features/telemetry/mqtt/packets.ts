// What the server says, in the version of the protocol that the client speaks.
import { generate, type IConnectPacket, type Packet } from 'mqtt-packet';
import { MOST_MESSAGE_BYTES } from './take-message.ts';

/** That a client may have under way, and a message with its topic. */
export const MOST_UNANSWERED = 100;
const MOST_HEADER_BYTES = 256 * 1024;
export const MOST_PACKET_BYTES = MOST_MESSAGE_BYTES + MOST_HEADER_BYTES;

type Version = 3 | 4 | 5;

export const versionOf = ({ protocolVersion = 4 }: IConnectPacket): Version => protocolVersion;

/** By the word for it: of the versions before 5 (null: there is none), and of 5. */
const REFUSALS = {
  bad_identifier: [2, 0x85],
  unavailable: [3, 0x88],
  bad_secret: [4, 0x86],
  bad_method: [5, 0x8c],
  too_many: [3, 0x97],
  too_large: [3, 0x95],
} as const;
export type ConnectRefusal = keyof typeof REFUSALS;

/** `assigned`: to a client that came without a name. */
export function writeConnack(version: Version, assigned: string | null): Buffer {
  const properties = {
    receiveMaximum: MOST_UNANSWERED,
    maximumPacketSize: MOST_PACKET_BYTES,
    ...(assigned !== null && { assignedClientIdentifier: assigned }),
  };
  return write(
    version,
    version === 5
      ? { cmd: 'connack', reasonCode: 0, sessionPresent: false, properties }
      : { cmd: 'connack', returnCode: 0, sessionPresent: false },
  );
}

export function writeRefusal(version: Version, refusal: ConnectRefusal): Buffer {
  const [returnCode, reasonCode] = REFUSALS[refusal];
  return write(
    version,
    version === 5
      ? { cmd: 'connack', reasonCode, sessionPresent: false }
      : { cmd: 'connack', returnCode, sessionPresent: false },
  );
}

const GOODBYES = {
  malformed: 0x81,
  protocol_error: 0x82,
  not_authorized: 0x87,
  unavailable: 0x88,
  shutting_down: 0x8b,
  keep_alive: 0x8d,
  taken_over: 0x8e,
  topic_invalid: 0x90,
  too_large: 0x95,
  too_many: 0x97,
} as const;
export type Goodbye = keyof typeof GOODBYES;

/** Before version 5 a server has no words for it. */
export const writeGoodbye = (version: Version, goodbye: Goodbye): Buffer | null =>
  version === 5 ? write(version, { cmd: 'disconnect', reasonCode: GOODBYES[goodbye] }) : null;

export const writeSuback = (version: Version, messageId: number, granted: number[]): Buffer =>
  write(version, { cmd: 'suback', messageId, granted });

export const writeUnsuback = (version: Version, messageId: number, count: number): Buffer =>
  write(version, { cmd: 'unsuback', messageId, granted: Array<number>(count).fill(0) });

const write = (protocolVersion: Version, packet: Packet): Buffer => generate(packet, { protocolVersion });

const ACKS = { puback: 0x40, pubrec: 0x50, pubcomp: 0x70 } as const;

/** The same in all versions. */
export const writeAck = (kind: keyof typeof ACKS, messageId: number): Buffer =>
  Buffer.from([ACKS[kind], 2, messageId >> 8, messageId & 255]);

/** Of a message that nobody has heard of. */
export const writeUnknownPubcomp = (version: Version, messageId: number): Buffer =>
  version === 5
    ? write(version, { cmd: 'pubcomp', messageId, reasonCode: 0x92 })
    : writeAck('pubcomp', messageId);

export const PINGRESP = Buffer.from([0xd0, 0]);

/** The length of the packet that is being read, once it is known. Not of the interface of the library: packets.test.ts looks. */
export const findComing = (input: unknown): number =>
  (input as { packet?: { length?: number } }).packet?.length ?? 0;
