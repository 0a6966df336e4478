import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addUnsigned,
  nextField,
  openInner,
  openMessage,
  ProtobufFault,
  readBytes,
  readDouble,
  readFixed64,
  readFloat,
  readSigned,
  readSignedFixed64,
  readText,
  readTruth,
  readUnsigned,
} from './read-protobuf.ts';
import { bytesField, doubleField, fixed64Field, wholeField, writeMessage } from './write-protobuf.ts';

/** The only field of a message. */
const open = (...fields: Uint8Array[]) => {
  const message = openMessage(writeMessage(...fields));
  nextField(message);
  return message;
};
const numberOf = fc.integer({ min: 1, max: 536_870_911 });

describe('what was written is read', () => {
  test('whole numbers, also below zero', () => {
    fc.assert(
      fc.property(numberOf, fc.maxSafeInteger(), (field, value) => {
        const message = open(wholeField(field, value));
        expect([message.field, readSigned(message)]).toEqual([field, value]);
        if (value >= 0) expect(readUnsigned(message)).toBe(value);
        expect(readTruth(message)).toBe(value !== 0);
        expect(readSignedFixed64(open(fixed64Field(field, BigInt(value))))).toBe(value);
      }),
    );
  });

  test('doubles, to the bit', () => {
    fc.assert(
      fc.property(numberOf, fc.double(), (field, value) => {
        const message = open(doubleField(field, value));
        expect(readDouble(message)).toBe(value);
        expect(readFixed64(message)).toBe(new BigUint64Array(Float64Array.of(value).buffer)[0]);
      }),
    );
  });

  test('texts and bytes', () => {
    fc.assert(
      fc.property(numberOf, fc.string({ unit: 'grapheme' }), (field, value) => {
        const message = open(bytesField(field, value));
        const bytes = new TextEncoder().encode(value);
        expect(readText(message)).toBe(value);
        expect(readBytes(message)).toEqual(bytes);
        for (const likely of [value, `${value}!`, value.replace(/.$/s, 'x')])
          expect(readText(message, likely)).toBe(value);
      }),
    );
  });

  test('a float', () => expect(readFloat(open(Uint8Array.of(13, 0, 0, 128, 63)))).toBe(1));

  test('numbers in a row, packed or one by one', () => {
    const numbers: number[] = [];
    const message = openMessage(writeMessage(bytesField(1, Uint8Array.of(1, 172, 2)), wholeField(1, 7)));
    while (nextField(message)) addUnsigned(message, numbers);
    expect(numbers).toEqual([1, 300, 7]);
  });

  test('messages within each other, with fields in between that nobody knows', () => {
    const inner = writeMessage(doubleField(9, 1), bytesField(2, 'deep'), fixed64Field(8, 1n));
    const message = openMessage(
      writeMessage(wholeField(7, 1), bytesField(1, inner), Uint8Array.of(0x35, 0, 0, 0, 0)),
    );
    const texts: string[] = [];
    while (nextField(message)) {
      if (message.field !== 1) continue;
      const within = openInner(message);
      while (nextField(within)) if (within.field === 2) texts.push(readText(within));
    }
    expect(texts).toEqual(['deep']);
  });
});

describe('what is none', () => {
  test.each<[string, number[], string]>([
    ['a number without an end', [8, 128], 'is cut off'],
    ['a number of eleven bytes', [8, ...Array(10).fill(255), 1], 'has a number of more than ten bytes'],
    ['a text that is cut off', [10, 5, 97], 'is cut off'],
    ['a text of more bytes than there are anywhere', [10, ...Array(9).fill(255), 1], 'is cut off'],
    ['a double that is cut off', [9, 0, 0], 'is cut off'],
    ['a group', [11, 12], 'has a field of the unknown kind 3'],
    ['a field without a number', [0, 1], 'has a field without a number'],
    ['a field beyond all numbers', [136, 128, 128, 128, 128, 1, 0], 'has a field that no message can have'],
  ])('%s', (_, bytes, reason) => {
    const message = openMessage(Uint8Array.from(bytes));
    expect(() => {
      while (nextField(message));
    }).toThrow(new ProtobufFault(reason));
  });

  test('a field of another kind than it should be', () => {
    const message = open(wholeField(3, 1));
    expect(() => readText(message)).toThrow(new ProtobufFault('field 3 is no row of bytes'));
    expect(() => readDouble(message)).toThrow(new ProtobufFault('field 3 is no number'));
    expect(() => openInner(message)).toThrow(new ProtobufFault('field 3 is no message'));
  });

  test('a text that is not UTF-8', () =>
    expect(() => readText(open(bytesField(1, Uint8Array.of(255))))).toThrow(
      new ProtobufFault('has a text that is not UTF-8'),
    ));

  test('any bytes end, in a fault at worst', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const message = openMessage(bytes);
        try {
          while (nextField(message)) expect(message.to).toBeLessThanOrEqual(bytes.length);
        } catch (error) {
          expect(error).toBeInstanceOf(ProtobufFault);
        }
      }),
      { numRuns: 5_000 },
    );
  });
});
