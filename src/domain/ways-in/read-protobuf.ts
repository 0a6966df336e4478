// Protocol buffers, a field at a time: whoever reads a message knows its fields by their numbers and passes over the others.
// Nothing is copied but texts, so a message takes no more memory than its bytes, whatever lengths it claims.

/** A message, or a part of one, with the field that is being looked at. */
export interface ProtobufMessage {
  bytes: Uint8Array;
  view: DataView;
  /** Where the next field begins, and where the message ends. */
  at: number;
  end: number;
  field: number;
  wire: number;
  /** The value: of a varint its two halves, else where it stands. */
  low: number;
  high: number;
  from: number;
  to: number;
  /** How many fields it was asked for. */
  passed: number;
}

/** The bytes are no such message. */
export class ProtobufFault extends Error {}

const [VARINT, EIGHT_BYTES, LENGTH, FOUR_BYTES] = [0, 1, 2, 5];
const TWO_TO_32 = 4_294_967_296;

export function openMessage(bytes: Uint8Array): ProtobufMessage {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    bytes,
    view,
    at: 0,
    end: bytes.length,
    field: 0,
    wire: 0,
    low: 0,
    high: 0,
    from: 0,
    to: 0,
    passed: 0,
  };
}

/** The message that the field holds. One that is read many times over can be used again. */
export function openInner(message: ProtobufMessage, used?: ProtobufMessage): ProtobufMessage {
  expectWire(message, LENGTH, 'message');
  const { bytes, view, from, to } = message;
  if (!used)
    return { bytes, view, at: from, end: to, field: 0, wire: 0, low: 0, high: 0, from: 0, to: 0, passed: 0 };
  used.bytes = bytes;
  used.view = view;
  used.at = from;
  used.end = to;
  return used;
}

/** Read in one go: a label, a sample, a point. */
const MOST_PART_BYTES = 64 * 1024;

/** A message that is read in one go, and so must not be large. */
export function openPart(message: ProtobufMessage, used?: ProtobufMessage): ProtobufMessage {
  if (message.to - message.from > MOST_PART_BYTES)
    throw new ProtobufFault(`has a part of more than ${MOST_PART_BYTES / 1024} kB`);
  return openInner(message, used);
}

/** Moves on to the next field; false: there is none. */
export function nextField(message: ProtobufMessage): boolean {
  if (message.at >= message.end) return false;
  message.passed += 1;
  readHalves(message);
  if (message.high !== 0) throw new ProtobufFault('has a field that no message can have');
  message.field = message.low >>> 3;
  message.wire = message.low & 7;
  if (message.field === 0) throw new ProtobufFault('has a field without a number');
  message.from = message.at;
  if (message.wire === LENGTH) {
    readHalves(message);
    message.from = message.at;
    moveTo(message, message.at + message.high * TWO_TO_32 + message.low);
  } else if (message.wire === VARINT) readHalves(message);
  else if (message.wire === EIGHT_BYTES) moveTo(message, message.at + 8);
  else if (message.wire === FOUR_BYTES) moveTo(message, message.at + 4);
  else throw new ProtobufFault(`has a field of the unknown kind ${message.wire}`);
  message.to = message.at;
  return true;
}

/** Whether others should be answered before one goes on with it: to stop at every field would cost more than the field. */
export const isPauseDue = ({ passed }: ProtobufMessage): boolean => (passed & 63) === 0;

/** uint32, uint64, enum. Beyond 2^53 it is only nearly exact. */
export function readUnsigned(message: ProtobufMessage): number {
  expectWire(message, VARINT, 'whole number');
  return message.high * TWO_TO_32 + message.low;
}

/** int32, int64. Beyond 2^53 it is only nearly exact. */
export function readSigned(message: ProtobufMessage): number {
  expectWire(message, VARINT, 'whole number');
  return (message.high | 0) * TWO_TO_32 + message.low;
}

export const readTruth = (message: ProtobufMessage): boolean => readUnsigned(message) !== 0;

export function readDouble(message: ProtobufMessage): number {
  expectWire(message, EIGHT_BYTES, 'number');
  return message.view.getFloat64(message.from, true);
}

export function readFloat(message: ProtobufMessage): number {
  expectWire(message, FOUR_BYTES, 'number');
  return message.view.getFloat32(message.from, true);
}

/** fixed64, and the bits of a double. */
export function readFixed64(message: ProtobufMessage): bigint {
  expectWire(message, EIGHT_BYTES, 'number');
  return message.view.getBigUint64(message.from, true);
}

/** sfixed64. Beyond 2^53 it is only nearly exact. */
export function readSignedFixed64(message: ProtobufMessage): number {
  expectWire(message, EIGHT_BYTES, 'number');
  return (
    message.view.getInt32(message.from + 4, true) * TWO_TO_32 + message.view.getUint32(message.from, true)
  );
}

/** A view of the bytes, not a copy. */
export function readBytes(message: ProtobufMessage): Uint8Array {
  expectWire(message, LENGTH, 'row of bytes');
  return message.bytes.subarray(message.from, message.to);
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** What is short and plain is put together by hand: the decoder takes ten times as long to begin. */
const SHORT_TEXT = 64;

/** `likely` is what it probably is, as in the message before: then it need not be made again. */
export function readText(message: ProtobufMessage, likely = ''): string {
  expectWire(message, LENGTH, 'row of bytes');
  const { bytes, from, to } = message;
  if (isPlainText(message, likely)) return likely;
  if (to - from <= SHORT_TEXT) {
    let text = '';
    let at = from;
    for (; at < to; at += 1) {
      const byte = bytes[at] as number;
      if (byte >= 128) break;
      text += String.fromCharCode(byte);
    }
    if (at === to) return text;
  }
  try {
    return UTF8.decode(bytes.subarray(from, to));
  } catch {
    throw new ProtobufFault('has a text that is not UTF-8');
  }
}

function isPlainText({ bytes, from, to }: ProtobufMessage, text: string): boolean {
  if (to - from !== text.length) return false;
  for (let index = 0; index < text.length; index += 1) {
    const byte = bytes[from + index] as number;
    if (byte >= 128 || byte !== text.charCodeAt(index)) return false;
  }
  return true;
}

/** Adds the numbers of a repeated field, of which one or many may come at a time. */
export function addUnsigned(message: ProtobufMessage, numbers: number[]): void {
  if (message.wire === VARINT) {
    numbers.push(readUnsigned(message));
    return;
  }
  const packed = openPart(message);
  while (packed.at < packed.end) {
    readHalves(packed);
    numbers.push(packed.high * TWO_TO_32 + packed.low);
  }
}

function expectWire(message: ProtobufMessage, wire: number, what: string): void {
  if (message.wire !== wire) throw new ProtobufFault(`field ${message.field} is no ${what}`);
}

function moveTo(message: ProtobufMessage, at: number): void {
  if (at > message.end) throw new ProtobufFault('is cut off');
  message.at = at;
}

/** Seven bits a byte, the lowest first. */
function readHalves(message: ProtobufMessage): void {
  const { bytes, end } = message;
  let at = message.at;
  const first = bytes[at] as number;
  // Most are: fields, lengths of short texts.
  if (first < 128 && at < end) {
    message.low = first;
    message.high = 0;
    message.at = at + 1;
    return;
  }
  let low = 0;
  let high = 0;
  for (let shift = 0; ; shift += 7) {
    if (at >= end) throw new ProtobufFault('is cut off');
    if (shift > 63) throw new ProtobufFault('has a number of more than ten bytes');
    const byte = bytes[at] as number;
    at += 1;
    const bits = byte & 127;
    if (shift < 28) low |= bits << shift;
    else if (shift === 28) {
      low |= bits << 28;
      high = bits >>> 4;
    } else high |= bits << (shift - 32);
    if (byte < 128) break;
  }
  message.low = low >>> 0;
  message.high = high >>> 0;
  message.at = at;
}
