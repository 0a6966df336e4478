import { expect, test } from 'vitest';
import { english } from '../../../domain/language/english.ts';
import { type Refused, sayRefused } from '../../../domain/readings/refused.ts';
import type { Database } from '../../../platform/db/database.ts';
import { keepAnnouncements, MOST_ANNOUNCED_BYTES } from './announcements.ts';

/** A database that keeps announcements of one source, and counts how many bodies are read from it. */
function openStore() {
  const rows = new Map<string, string>();
  let read = 0;
  const query = async ({ sql, values }: { sql: string; values: unknown[] }) => {
    if (sql.includes('insert')) {
      rows.set(values[0] as string, values[1] as string);
      return [{}];
    }
    if (sql.includes('delete')) rows.delete(values[1] as string);
    if (sql.includes('sha256')) {
      const { createHash } = await import('node:crypto');
      const digest = (body: string) => createHash('sha256').update(body).digest('hex');
      return [...rows].map(([topic, body]) => ({ topic, digest: digest(body) }));
    }
    const topics = values[1];
    if (!Array.isArray(topics)) return [];
    read += topics.length;
    return topics.flatMap((topic) => (rows.has(topic) ? [{ topic, body: rows.get(topic) }] : []));
  };
  return { db: { query } as unknown as Database, rows, countRead: () => read };
}

const config = (name: string) => `homeassistant/sensor/${name}/config`;
const body = (topic: string, note = '') => JSON.stringify({ stat_t: topic, dev: { ids: 'd' }, note });

test('each announcement is read once, however many there are', async () => {
  const { db, countRead } = openStore();
  const announcements = keepAnnouncements(db);
  for (let number = 0; number < 50; number += 1)
    expect(
      await announcements.note(1, config(`t${number}`), body(`s/${number}`, 'x'.repeat(40_000))),
    ).toEqual([]);
  expect(countRead()).toBe(0);
  expect(await announcements.find(1, 's/7')).toMatchObject([{ topic: 's/7', channel: 't7' }]);
  const another = keepAnnouncements(db);
  expect(await another.find(1, 's/7')).toMatchObject([{ channel: 't7' }]);
  await Promise.all(['s/1', 's/2', 's/none'].map((topic) => another.find(1, topic)));
  expect(countRead()).toBe(50);
});

test('a changed announcement takes the place of the one before, and an empty one takes it back', async () => {
  const { db, rows } = openStore();
  const announcements = keepAnnouncements(db);
  await announcements.note(1, config('t'), body('old'));
  await announcements.note(1, config('t'), body('new'));
  expect(await announcements.find(1, 'old')).toEqual([]);
  expect(await announcements.find(1, 'new')).toHaveLength(1);
  await announcements.note(1, config('t'), '');
  expect(await announcements.find(1, 'new')).toEqual([]);
  expect(rows.size).toBe(0);
});

test('many announcements of one topic are found up to a most', async () => {
  const { db } = openStore();
  const announcements = keepAnnouncements(db);
  for (let number = 0; number < 600; number += 1)
    await announcements.note(1, config(`t${number}`), body('same'));
  expect(await announcements.find(1, 'same')).toHaveLength(500);
});

const sayFaults = (faults: readonly Refused[] | 'unknown_source') =>
  faults === 'unknown_source' ? [faults] : faults.map((fault) => sayRefused(fault, english));

test('a source has a most of announcements, in number and in bytes', async () => {
  const { db, rows } = openStore();
  const announcements = keepAnnouncements(db);
  const answers = new Set<string>();
  for (let number = 0; number < 70; number += 1)
    for (const fault of sayFaults(
      await announcements.note(1, config(`t${number}`), body('s', 'x'.repeat(65_000))),
    ))
      answers.add(fault);
  expect([...answers]).toEqual(['announcements of a source may take at most 4 MB: take some back']);
  const bytes = [...rows.values()].reduce((sum, text) => sum + text.length, 0);
  expect(bytes).toBeLessThanOrEqual(MOST_ANNOUNCED_BYTES);
  for (let number = 0; number < 2_001; number += 1)
    for (const fault of sayFaults(await announcements.note(2, config(`t${number}`), body('s'))))
      answers.add(fault);
  expect([...answers].at(-1)).toBe('A source has at most 2,000 announcements by MQTT: take some back.');
});
