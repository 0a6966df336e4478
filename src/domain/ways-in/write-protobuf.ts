// The few kinds of fields that answers are made of.

const [VARINT, EIGHT_BYTES, LENGTH] = [0, 1, 2];
const UTF8 = new TextEncoder();

export function writeMessage(...fields: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const message = new Uint8Array(fields.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const field of fields) {
    message.set(field, at);
    at += field.length;
  }
  return message;
}

/** A whole number, also below zero. */
export const wholeField = (field: number, value: number | bigint): Uint8Array =>
  writeMessage(tagOf(field, VARINT), varint(BigInt.asUintN(64, BigInt(value))));

export function doubleField(field: number, value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value, true);
  return writeMessage(tagOf(field, EIGHT_BYTES), bytes);
}

export function fixed64Field(field: number, value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt.asUintN(64, value), true);
  return writeMessage(tagOf(field, EIGHT_BYTES), bytes);
}

/** A text, or a message within this one. */
export function bytesField(field: number, value: Uint8Array | string): Uint8Array {
  const bytes = typeof value === 'string' ? UTF8.encode(value) : value;
  return writeMessage(tagOf(field, LENGTH), varint(BigInt(bytes.length)), bytes);
}

const tagOf = (field: number, wire: number): Uint8Array => varint(BigInt(field * 8 + wire));

function varint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}
