import { expect, test } from 'vitest';
import type { ReadyLetter } from './compose-letters.ts';
import { createLanes } from './lanes.ts';

const LIMITS = {
  email: { atOnce: 10, most: 50, mostOfOwner: 50, slots: { atOnce: 10 } },
  web: { atOnce: 4, most: 16, mostOfOwner: 32, slots: { atOnce: 20, leavesRoom: true }, slowMs: 5_000 },
};

const lettersOf = (lane: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `${lane} ${index}`, lane }) as ReadyLetter);

/** Puts so many letters into each of these lanes. */
function fill(lanes: ReturnType<typeof createLanes>, names: string[], count: number): void {
  const taken = new Map(names.map((name) => [name, count]));
  lanes.put(
    names.flatMap((name) => lettersOf(name, count)),
    taken,
  );
}

const hostsOf = (owner: number, count: number) =>
  Array.from({ length: count }, (_, index) => `webhook ${owner} host-${index}.example`);

test('a lane that was filled to the brim asks for more, until a claim finds nothing', () => {
  const lanes = createLanes(LIMITS);
  lanes.put([], new Map([['webhook 1 one.example', 16]]));
  expect(lanes.isLow()).toBe(true);
  lanes.put([], new Map());
  expect(lanes.isLow()).toBe(false);
  expect(lanes.room().lanes.size).toBe(0);
});

test('a claim that took all there was room for asks for more, also where letters went meanwhile', () => {
  const lanes = createLanes(LIMITS);
  fill(lanes, ['email 1'], 50);
  const sent = lanes.start();
  for (const letter of sent) {
    lanes.answer(letter, 10);
    lanes.finish(letter);
  }
  const room = lanes.room().lanes.get('email 1') ?? 0;
  expect(room).toBe(10);
  for (let next = lanes.start(); next.length > 0; next = lanes.start())
    for (const letter of next) {
      lanes.answer(letter, 10);
      lanes.finish(letter);
    }
  fill(lanes, ['email 1'], room);
  expect(lanes.isLow()).toBe(true);
});

test('a receiver that has answered gets the next letter before the answer is marked, and no more than may be in hand', () => {
  const lanes = createLanes({ ...LIMITS, email: { ...LIMITS.email, atOnce: 1, most: 2, mostOfOwner: 2 } });
  const [one, two] = lettersOf('email 1', 2) as [ReadyLetter, ReadyLetter];
  lanes.put([one, two], new Map([['email 1', 2]]));
  expect(lanes.start()).toEqual([one]);
  lanes.answer(one, 10);
  expect(lanes.start()).toEqual([two]);
  lanes.answer(two, 10);
  expect(lanes.room().heldIds).toEqual([one.id, two.id]);
  expect(lanes.isLow()).toBe(false);
  lanes.finish(one);
  expect(lanes.room().heldIds).toEqual([two.id]);
  expect(lanes.isLow()).toBe(true);
});

test('the mail of organizations takes turns, whatever one of them has waiting', () => {
  const lanes = createLanes(LIMITS);
  const storm = lettersOf('email 1', 50);
  lanes.put(storm, new Map([['email 1', 50]]));
  expect(lanes.start()).toEqual(storm.slice(0, 10));
  lanes.put(lettersOf('email 2', 3), new Map([['email 2', 3]]));
  expect(lanes.start()).toEqual([]);
  for (const letter of storm.slice(0, 2)) lanes.answer(letter, 10);
  expect(lanes.start().map(({ id }) => id)).toEqual(['email 2 0', 'email 2 1']);
});

test('however many hosts an organization sends to, as much as it has under way is left for others', () => {
  const lanes = createLanes(LIMITS);
  fill(lanes, hostsOf(1, 30), 1);
  expect(lanes.start()).toHaveLength(10);
  fill(lanes, hostsOf(2, 30), 1);
  expect(lanes.start().filter(({ lane }) => lane.startsWith('webhook 2'))).toHaveLength(5);
  fill(lanes, hostsOf(3, 1), 1);
  expect(lanes.start().map(({ lane }) => lane)).toEqual(hostsOf(3, 1));
});

test('a receiver that was slow gets one at a time, after all others of its organization, until it is quick', () => {
  const lanes = createLanes(LIMITS);
  const [slow = '', quick = ''] = hostsOf(1, 2);
  fill(lanes, [slow], 6);
  const [first, ...others] = lanes.start();
  expect(others).toHaveLength(3);
  for (const letter of [first as ReadyLetter, ...others]) lanes.answer(letter, 15_000);
  fill(lanes, [quick], 4);
  expect(lanes.start().map(({ lane }) => lane)).toEqual([quick, quick, quick, quick, slow]);
  expect(lanes.room().lanes.get(slow)).toBeLessThanOrEqual(0);
  lanes.answer({ id: `${slow} 4`, lane: slow } as ReadyLetter, 10);
  fill(lanes, [slow], 3);
  expect(lanes.start().map(({ lane }) => lane)).toEqual([slow, slow, slow, slow]);
});

test('of what is slow an organization has a few lanes in hand, and of all no more than its share', () => {
  const lanes = createLanes(LIMITS);
  const hosts = hostsOf(1, 20);
  for (const host of hosts) {
    fill(lanes, [host], 1);
    for (const letter of lanes.start()) {
      lanes.answer(letter, 15_000);
      lanes.finish(letter);
    }
  }
  const rooms = [...lanes.room().lanes.values()];
  expect([rooms.length, rooms.filter((room) => room > 0).length]).toEqual([20, 8]);
  fill(lanes, hostsOf(2, 16), 2);
  expect(lanes.room().owners.get('2')).toBe(0);
  // Its lanes are not at their brim, and there may be more of each.
  for (const letter of lanes.start()) {
    lanes.answer(letter, 10);
    lanes.finish(letter);
  }
  expect(lanes.isLow()).toBe(false);
  for (const letter of lanes.start()) {
    lanes.answer(letter, 10);
    lanes.finish(letter);
  }
  expect(lanes.isLow()).toBe(true);
});
