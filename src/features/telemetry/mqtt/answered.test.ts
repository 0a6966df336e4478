import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nameMessage, rememberAnswered } from './answered.ts';

const MINUTE = 60_000;

test('messages that differ have names that differ', () => {
  const message = fc.record({ topic: fc.string(), payload: fc.uint8Array({ maxLength: 100 }) });
  fc.assert(
    fc.property(message, message, (one, other) => {
      const isSame = one.topic === other.topic && Buffer.from(one.payload).equals(other.payload);
      const names = [one, other].map(({ topic, payload }) => nameMessage(topic, payload));
      expect(names[0] === names[1]).toBe(isSame);
      expect(names.every(Number.isSafeInteger)).toBe(true);
    }),
  );
});

test('values that count up, as devices say them, have names of their own', () => {
  const names = new Set<number>();
  for (let device = 0; device < 100; device += 1)
    for (let value = 0; value < 200; value += 1)
      names.add(nameMessage(`tocsin/d${device}`, Buffer.from(`{"temperature":${value / 10}}`)));
  expect(names.size).toBe(20_000);
});

test('what was answered is known for ten minutes, to the client that sent it', () => {
  const answered = rememberAnswered();
  answered.add('1 gateway', 7, 0);
  expect(answered.has('1 gateway', 7, 10 * MINUTE)).toBe(true);
  expect(answered.has('1 gateway', 7, 10 * MINUTE + 1)).toBe(false);
  expect(answered.has('1 gateway', 8, 0)).toBe(false);
  expect(answered.has('2 gateway', 7, 0)).toBe(false);
});

test('of a client the last two hundred are known', () => {
  const answered = rememberAnswered();
  for (let name = 0; name <= 200; name += 1) answered.add('1 gateway', name, 0);
  expect(answered.has('1 gateway', 0, 0)).toBe(false);
  expect(answered.has('1 gateway', 1, 0)).toBe(true);
});
