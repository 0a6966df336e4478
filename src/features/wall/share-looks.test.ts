import { expect, test } from 'vitest';
import type { OrganizationId } from '../../domain/ids.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { shareLooks } from './share-looks.ts';

const where = { organizationId: 1 as OrganizationId, locationId: null, branch: null };
const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);

function openDatabase(units: number) {
  const asked = { count: 0 };
  const answer = async () => {
    asked.count += 1;
    return Array.from({ length: units }, (_, id) => ({ id }));
  };
  const db: Pick<ReadDatabase, 'query'> = { query: answer as never };
  return { asked, read: shareLooks(db as ReadDatabase) };
}

test('screens that ask at once share a look; of few units the next one looks again', async () => {
  const { asked, read } = openDatabase(3);
  await Promise.all([read(where, at(0)), read(where, at(0))]);
  expect(asked.count).toBe(1);
  await read(where, at(1));
  expect(asked.count).toBe(2);
});

test('what many units are is good for a moment, for the same place alone', async () => {
  const { asked, read } = openDatabase(2_000);
  await read(where, at(0));
  await read(where, at(4));
  expect(asked.count).toBe(1);
  await read({ ...where, organizationId: 2 as OrganizationId }, at(4));
  await read({ ...where, locationId: 7 }, at(4));
  expect(asked.count).toBe(3);
  await read(where, at(5));
  expect(asked.count).toBe(4);
});

test('what failed is asked for again', async () => {
  let fails = true;
  const db = {
    query: async () => {
      if (fails) throw new Error('away');
      return [];
    },
  } as unknown as ReadDatabase;
  const read = shareLooks(db);
  await expect(read(where, at(0))).rejects.toThrow('away');
  fails = false;
  expect(await read(where, at(0))).toEqual([]);
});
