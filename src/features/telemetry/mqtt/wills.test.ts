import { expect, test } from 'vitest';
import { english } from '../../../domain/language/english.ts';
import { MOSTS } from '../../../domain/mosts.ts';
import { type Refused, sayRefused } from '../../../domain/readings/refused.ts';
import type { SourceLedger } from '../../../engine/sources/source-ledger.ts';
import type { Log } from '../../../platform/log.ts';
import type { Greeted } from './greet.ts';
import { openWills } from './wills.ts';

function open() {
  const taken: string[] = [];
  const noted = new Set<string>();
  const wills = openWills({
    takeMessage: async (_, { topic }) => {
      taken.push(topic);
      return 'taken';
    },
    ledger: {
      refused: (_: unknown, { why }: { why: Refused }) => void noted.add(sayRefused(why, english)),
    } as unknown as SourceLedger,
    clock: () => new Date(),
    log: {} as Log,
  });
  const leave = (name: string, { sourceId = 1, organizationId = 1, delaySeconds = 3_600 } = {}) =>
    wills.leave(
      {
        sender: { source: { sourceId, organizationId } },
        will: { topic: name, payload: Buffer.from('0'), delaySeconds },
      } as unknown as Greeted,
      name,
    );
  return { wills, taken, noted, leave };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test('of more wills than may wait the oldest is taken before its time, and its source is told', async () => {
  const { wills, taken, noted, leave } = open();
  for (let number = 0; number < 3_000; number += 1) leave(`client-${number}`);
  await nextTurn();
  expect(taken).toHaveLength(3_000 - MOSTS.wills.most);
  expect(taken.slice(0, 2)).toEqual(['client-0', 'client-1']);
  expect([...noted]).toEqual(['200 last wills wait for their clients: the oldest was taken before its time']);
  await wills.close();
});

test('sources of an organization share a most, and others are not touched', async () => {
  const { wills, taken, noted, leave } = open();
  leave('other', { sourceId: 99, organizationId: 2 });
  for (let number = 0; number < 1_200; number += 1)
    leave(`client-${number}`, { sourceId: 1 + (number % 10), organizationId: 1 });
  await nextTurn();
  expect(taken).toHaveLength(1_200 - MOSTS.willsInAll.most);
  expect(taken).not.toContain('other');
  expect([...noted]).toEqual([
    '1,000 last wills wait for their clients: the oldest was taken before its time',
  ]);
  await wills.close();
});

test('a client has one will, and none once it is back', async () => {
  const { wills, taken, leave } = open();
  for (let times = 0; times < 500; times += 1) leave('restless');
  wills.withdraw('restless');
  await wills.close();
  expect(taken).toEqual([]);
});

test('a will without a delay is taken at once', async () => {
  const { wills, taken, leave } = open();
  leave('gone', { delaySeconds: 0 });
  await wills.close();
  expect(taken).toEqual(['gone']);
});
