// Downtimes that come again: each an ordinary downtime, there from fourteen days before.
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { extendSeries } from '../../src/engine/quiet-times/series.ts';
import { type Freezer, openLab } from '../support/lab.ts';
import { hours } from '../support/movable-clock.ts';
import { HOT, toldOf, watchedBy } from '../support/notification-desk.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});

const goTo = (text: string) => server.clock.advance(Date.parse(text) - server.clock.read().getTime());
const extend = () => extendSeries(server.db, server.clock.read());

const startsOf = async ({ id }: Freezer) =>
  (
    await server.db.query<{ at: Date }>(sql`
      select start_at as "at" from downtime where service_id = ${id} order by start_at`)
  ).map(({ at }) => at.toISOString().slice(5, 16));

const plan = (freezer: Freezer, lines: Record<string, string> = {}) => ({
  service_id: String(freezer.id),
  first_day: '2027-03-15',
  start: '02:30',
  duration: '120',
  interval: '1',
  unit: 'week',
  SU: 'yes',
  until_day: '2027-05-01',
  reason: 'Defrost',
  ...lines,
});

async function open() {
  const lab = await openLab(server);
  await lab.group({ name: 'Cold team', emails: ['cold@lab.example'] });
  return { lab, freezer: await lab.freezer(watchedBy('Cold team')) };
}

describe('a series', () => {
  test('is planned by operators, in the zone of whoever plans it, and goes on by itself', async () => {
    goTo('2027-03-15T12:00:00Z');
    const { lab, freezer } = await open();
    expect((await lab.vera.post('/downtimes/series', plan(freezer))).status).toBe(403);
    expect((await lab.olga.post('/downtimes/series', plan(freezer))).status).toBe(422);
    expect((await lab.oscar.post('/downtimes/series', plan(freezer))).status).toBe(303);
    // The second begins where the clock skips its hour.
    expect(await startsOf(freezer)).toEqual(['03-21T01:30', '03-28T01:30']);
    server.clock.advance(hours(24 * 7));
    await extend();
    await extend();
    expect(await startsOf(freezer)).toEqual(['03-21T01:30', '03-28T01:30', '04-04T00:30']);
  });

  test('one that is cancelled stays away, and the list of the contract shows those that hold', async () => {
    goTo('2027-03-23T12:00:00Z');
    const { lab, freezer } = await open();
    await lab.oscar.post('/downtimes/series', plan(freezer));
    const [first] = await server.db.query<{ id: number }>(sql`
      select id from downtime where service_id = ${freezer.id} order by start_at limit 1`);
    const cancelled = await lab.oscar.delete(`/api/v1/downtimes/${first?.id}`);
    expect(cancelled.status).toBe(200);
    await extend();
    expect(await startsOf(freezer)).toEqual(['04-04T00:30']);
    goTo('2027-04-04T01:00:00Z');
    await freezer.reads(HOT);
    await lab.tick();
    expect(await toldOf(server, freezer)).toEqual([]);
    const listed = (await (await lab.vera.get('/api/v1/downtimes')).json()) as { service_id: number }[];
    expect(listed.map(({ service_id: id }) => id)).toEqual([freezer.id]);
  });

  test('that is ended takes what was to come with it, not what holds', async () => {
    goTo('2027-04-05T12:00:00Z');
    const { lab, freezer } = await open();
    await lab.oscar.post('/downtimes/series', plan(freezer, { unit: 'day', start: '13:00' }));
    goTo('2027-04-06T12:00:00Z');
    const [series] = await server.db.query<{ id: number }>(sql`
      select id from downtime_series where service_id = ${freezer.id}`);
    expect((await lab.olga.post(`/downtimes/series/${series?.id}/end`)).status).toBe(404);
    expect((await lab.oscar.post(`/downtimes/series/${series?.id}/end`)).status).toBe(303);
    await extend();
    expect(await startsOf(freezer)).toEqual(['04-05T11:00', '04-06T11:00']);
  });

  test('is previewed: five, with the night marked in which the clock changes', async () => {
    goTo('2027-03-15T12:00:00Z');
    const { lab, freezer } = await open();
    const query = new URLSearchParams({ ...plan(freezer), preview: 'yes' });
    const page = await (await lab.oscar.get(`/downtimes/series?${query}`)).text();
    const [, after = ''] = page.split('The next of them would be');
    const [preview = ''] = after.split('<form');
    expect(preview.match(/<li>/g)).toHaveLength(5);
    expect(preview.match(/The clock changes that night/g)).toHaveLength(1);
    expect(await startsOf(freezer)).toEqual([]);
  });

  test.each([
    [{ until_day: '2028-04-01' }, 'within a year'],
    [{ reason: ' ' }, 'Say why'],
    [{ interval: '0' }, '1 to 99'],
    [{ start: '25:00' }, 'Write the time'],
  ])('is refused with %o', async (lines, words) => {
    const { lab, freezer } = await open();
    const answer = await lab.oscar.post('/downtimes/series', plan(freezer, lines));
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain(words);
  });

  test('a service has twenty at most, and one that is ended makes room', async () => {
    goTo('2027-03-15T12:00:00Z');
    const { lab, freezer } = await open();
    for (let number = 0; number < 20; number += 1)
      expect((await lab.oscar.post('/downtimes/series', plan(freezer))).status).toBe(303);
    const refused = await lab.oscar.post('/downtimes/series', plan(freezer));
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain(
      'A service has at most 20 series of downtimes: end one that is not needed.',
    );
    const [series] = await server.db.query<{ id: number }>(sql`
      select id from downtime_series where service_id = ${freezer.id} limit 1`);
    await lab.oscar.post(`/downtimes/series/${series?.id}/end`);
    expect((await lab.oscar.post('/downtimes/series', plan(freezer))).status).toBe(303);
  });
});
