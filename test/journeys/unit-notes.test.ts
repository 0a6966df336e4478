// Notes pinned to a moment of a unit: on its chart, in the list beside it, on the page of an alarm; changed by whoever wrote them.

import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type DeliveryDesk, openDeliveryDesk, type ToldFreezer } from '../support/delivery-desk.ts';
import { hours, minutes } from '../support/movable-clock.ts';
import { expectPage, textOf } from '../support/page.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { signedIn, type VisitorBrowser } from '../support/visitor.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});

let desk: DeliveryDesk;
let freezer: ToldFreezer;
let oscar: VisitorBrowser;
beforeEach(async () => {
  desk = await openDeliveryDesk(server);
  freezer = await desk.freezer();
  oscar = await signedIn(server, desk.lab.oscar);
  await desk.lab.post([
    { device: freezer.device, time: server.clock.read().getTime(), values: { temperature: -80 } },
  ]);
});

const now = () => server.clock.read();
const ago = (ms: number) => new Date(now().getTime() - ms).toISOString().replace('.000Z', 'Z');
const path = (rest = '') => `/services/${freezer.id}/notes${rest}`;
const pin = (text: string, at = ago(hours(1)), who = desk.lab.oscar) => who.post(path(), { at, text });

const notes = () =>
  server.db.query<{ id: string; text: string; by: string; at: Date }>(sql`
    select id, text, author_name as "by", at from unit_note where service_id = ${freezer.id} order by id`);
const onlyNote = async () => (await notes())[0]?.id ?? 'none';
const audit = () =>
  server.db.query<{ action: string; detail: unknown }>(sql`
    select action, detail from audit where service_id = ${freezer.id} and action like 'note.%' order by id`);
const series = async (who: VisitorBrowser) =>
  (await (await who.open(`/services/${freezer.id}/series?channel=temperature`)).json()) as {
    marks: { words: string; notePath: string | null }[];
  };

test('is pinned by a form without scripts, and stands on the chart, beside it and in its data', async () => {
  const pinned = await pin('Gasket <changed>');
  expect(pinned.status).toBe(303);
  const html = await expectPage(await oscar.open(pinned.headers.get('location') ?? ''), 200);
  expect(html).toContain('The note is pinned to the chart.');
  expect(html).toContain('<title>Oscar');
  expect(html.match(/noted: Gasket &lt;changed>|noted: Gasket &lt;changed&gt;/g)?.length).toBe(2);
  expect((await series(oscar)).marks.at(-1)?.words).toContain('noted: Gasket <changed>');
  const [record] = await audit();
  expect(record).toMatchObject({ action: 'note.pin', detail: { note: 'Gasket <changed>' } });
});

test('the moment is read on the clock of whoever types it, in both spellings', async () => {
  await pin('One', '2026-11-14 22:15');
  await pin('Two', '2026-11-14T22:15');
  const [one, two] = await notes();
  expect(one?.at).toEqual(two?.at);
});

test.each([
  ['', ago.bind(null, hours(1)), 'Write what there is to say'],
  ['Gasket', () => 'tomorrow', 'This is no time.'],
  ['Gasket', () => ago(-hours(1)), 'yet to come'],
  ['x'.repeat(1001), () => ago(0), 'at most 1,000 characters'],
])('%.10s at some time is refused beside the field, with what was typed', async (text, at, words) => {
  const refused = await pin(text, at());
  const html = await expectPage(refused, 422);
  expect(html).toContain(words);
  if (text !== '') expect(html).toContain(text);
  expect(await notes()).toEqual([]);
});

describe('who may', () => {
  test('operators pin, viewers look', async () => {
    const vera = await signedIn(server, desk.lab.vera);
    expect((await pin('Mine', ago(0), desk.lab.vera)).headers.get('location')).toContain(
      'refused=viewer_only',
    );
    await pin('Gasket');
    const html = await vera.read(`/services/${freezer.id}`);
    expect(html).toContain('noted: Gasket');
    expect(html).not.toContain(path());
    expect((await vera.open(path(`/${await onlyNote()}`))).status).toBe(404);
    expect((await series(vera)).marks.at(-1)?.notePath).toBeNull();
  });

  test('whoever wrote it changes and removes it, and so does an administrator', async () => {
    await pin('Gasket');
    const id = await onlyNote();
    const { lab } = desk;
    expect(await oscar.read(path(`/${id}`))).toContain('>Gasket</textarea>');
    const changed = await lab.ada.post(path(`/${id}`), { at: ago(hours(2)), text: 'Gasket, both' });
    expect(changed.headers.get('location')).toContain('done=change-note');
    expect(await notes()).toMatchObject([{ text: 'Gasket, both', by: lab.oscar.name }]);
    expect(textOf(await oscar.read(path(`/${id}/remove`)))).toContain('noted: Gasket, both');
    await lab.oscar.post(path(`/${id}/remove`), {});
    expect(await notes()).toEqual([]);
    expect((await audit()).map(({ action }) => action)).toEqual(['note.pin', 'note.change', 'note.remove']);
    expect((await lab.oscar.post(path(`/${id}/remove`), {})).headers.get('location')).toContain(
      'no_such_note',
    );
  });

  test('another operator changes nothing', async () => {
    await pin('Of Ada', ago(0), desk.lab.ada);
    const id = await onlyNote();
    for (const rest of [`/${id}`, `/${id}/remove`]) {
      const refused = await desk.lab.oscar.post(path(rest), { at: ago(0), text: 'Mine' });
      expect(refused.headers.get('location')).toContain('not_your_note');
    }
    expect(await notes()).toMatchObject([{ text: 'Of Ada' }]);
  });

  test('nobody of another organization sees, pins, changes or removes any', async () => {
    await pin('Gasket');
    const id = await onlyNote();
    const { olga } = desk.lab;
    const others = await signedIn(server, olga);
    for (const rest of ['', `/${id}`, `/${id}/remove`]) {
      expect((await others.open(path(rest))).status).toBe(404);
      expect((await olga.post(path(rest), { at: ago(0), text: 'Mine' })).status).toBe(404);
    }
    expect((await olga.post(path(`/${id}/remove`), {})).status).toBe(404);
    const own = await desk.freezer();
    // By the address of another unit neither.
    expect((await oscar.open(`/services/${own.id}/notes/${id}`)).status).toBe(404);
    expect(await notes()).toMatchObject([{ text: 'Gasket' }]);
  });
});

test('stands on the page of the alarm that it falls into, and on that of no other', async () => {
  const alarm = async (beganAt: Date) =>
    (
      await server.db.query<{ id: string }>(sql`
        insert into episode (id, service_id, organization_id, severity, channel, band, limit_value, began_at, ended_at)
        values (nextval('episode_id'), ${freezer.id}, ${desk.lab.organization}, 'critical', 'temperature', 'CRITICAL_HIGH',
          -60, ${beganAt}, ${new Date(beganAt.getTime() + minutes(30))}) returning id`)
    )[0]?.id;
  const inside = await alarm(new Date(now().getTime() - hours(3)));
  const elsewhere = await alarm(new Date(now().getTime() - hours(30)));
  await pin('Compressor was loud', ago(hours(2.75)));
  expect(textOf(await oscar.read(`/history/${inside}`))).toMatch(/noted Compressor was loud/);
  expect(await oscar.read(`/history/${elsewhere}`)).not.toContain('Compressor');
});

test('a downtime that begins says who planned it and why', async () => {
  await server.db.query(sql`
    insert into downtime (service_id, start_at, end_at, reason, created_by_id, created_by_name, created_at)
    values (${freezer.id}, ${ago(hours(2))}, ${ago(hours(1))}, 'Defrost', 1, 'Ada', ${ago(hours(9))})`);
  const html = await oscar.read(`/services/${freezer.id}`);
  expect(textOf(html)).toContain('A downtime that Ada planned begins: Defrost');
  expect(html).toContain('class="shade shade-downtime"');
});
