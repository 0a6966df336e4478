// When alarms are over: some way within the limits, for some minutes, as the page of the service says.
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Freezer, type Lab, openLab } from '../support/lab.ts';
import { minutes } from '../support/movable-clock.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});

const LIMITS = {
  limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60 } } }],
  stale_after_minutes: 0,
};

async function open(settings: Record<string, unknown> = LIMITS) {
  const lab = await openLab(server);
  const freezer = await lab.freezer(settings);
  await freezer.reads(-80);
  await lab.advance(1000);
  const [channel] = await server.db.query<{ id: number }>(sql`
    select id from channel where service_id = ${freezer.id} and name = 'temperature'`);
  const save = (person: Lab['ada'], margin: string, lasting: string) =>
    person.post(`/services/${freezer.id}/clearing`, {
      [`margin_${channel?.id}`]: margin,
      [`minutes_${channel?.id}`]: lasting,
    });
  return { lab, freezer, save };
}

const isInAlarm = async (lab: Lab, { id }: Freezer) =>
  (await lab.alarms()).some(({ service_id }) => service_id === id);

const clearingOf = async ({ id }: Freezer) =>
  (
    await server.db.query<{ margin: number; lasting: number }>(sql`
      select clear_margin as margin, clear_minutes as lasting from channel where service_id = ${id}`)
  )[0];

describe('a freezer that has to be two degrees back for ten minutes', () => {
  test('stays in alarm while it swings around its limit, and recovers when the time is up', async () => {
    const { lab, freezer, save } = await open();
    expect((await save(lab.ada, '2', '10')).status).toBe(303);
    await freezer.reads(-59);
    for (const temperature of [-60.5, -59.5, -61.9, -60]) {
      await lab.advance(minutes(1));
      await freezer.reads(temperature);
      expect(await isInAlarm(lab, freezer)).toBe(true);
    }
    await lab.advance(minutes(1));
    await freezer.reads(-63);
    await lab.advance(minutes(9));
    expect(await isInAlarm(lab, freezer)).toBe(true);
    const page = await (await lab.vera.get(`/services/${freezer.id}`)).text();
    expect(page).toContain('within the critical limit of −60 °C again, but the alarm is over in 1 min');
    await lab.advance(minutes(1));
    expect(await isInAlarm(lab, freezer)).toBe(false);
    const [event] = await server.db.query<{ kind: string; at: Date }>(sql`
      select kind, happened_at as at from alarm_event where service_id = ${freezer.id} order by id desc limit 1`);
    expect(event).toMatchObject({ kind: 'recovered', at: server.clock.read() });
  });

  test('begins an alarm as ever', async () => {
    const { lab, freezer, save } = await open();
    await save(lab.ada, '2', '10');
    await freezer.reads(-60);
    expect(await isInAlarm(lab, freezer)).toBe(false);
    await lab.advance(minutes(1));
    await freezer.reads(-59.9);
    expect(await isInAlarm(lab, freezer)).toBe(true);
  });

  test('keeps that through an edit of its limits and a lab file that says nothing of it', async () => {
    const { lab, freezer, save } = await open();
    await save(lab.ada, '2', '10');
    const edit = { metric_channel: 'temperature', ch_high: '-55', cl_low: '', wh_high: '', wl_low: '' };
    expect((await lab.ada.post(`/api/v1/services/${freezer.id}/edit`, edit)).status).toBe(303);
    await lab.apply({ name: `Freezer ${freezer.device.split('-')[1]}`, device: { key: freezer.device } });
    expect(await clearingOf(freezer)).toEqual({ margin: 2, lasting: 10 });
    await lab.advance(minutes(1));
    await freezer.reads(-54);
    await lab.advance(minutes(1));
    await freezer.reads(-56);
    expect(await isInAlarm(lab, freezer)).toBe(true);
  });

  test('is over at once where the rule is taken back', async () => {
    const { lab, freezer, save } = await open();
    await save(lab.ada, '0', '60');
    await freezer.reads(-59);
    await lab.advance(minutes(1));
    await freezer.reads(-70);
    expect(await isInAlarm(lab, freezer)).toBe(true);
    await save(lab.ada, '', '');
    await lab.advance(1000);
    expect(await isInAlarm(lab, freezer)).toBe(false);
  });
});

test('a freezer without any of it recovers with the first reading within its limits', async () => {
  const { lab, freezer } = await open();
  await freezer.reads(-59);
  expect(await isInAlarm(lab, freezer)).toBe(true);
  await lab.advance(1000);
  await freezer.reads(-60);
  expect(await isInAlarm(lab, freezer)).toBe(false);
  const page = await (await lab.ada.get(`/services/${freezer.id}`)).text();
  expect(page).not.toContain('over once it is within its limit');
});

test('the lab file sets it', async () => {
  const { freezer } = await open({
    ...LIMITS,
    channels: [{ name: 'temperature', kind: 'metric', clear_margin: 1.5, clear_minutes: 5 }],
  });
  expect(await clearingOf(freezer)).toEqual({ margin: 1.5, lasting: 5 });
});

describe('the page', () => {
  test('shows the rule to everybody, and lets administrators change it, on record', async () => {
    const { lab, freezer, save } = await open();
    expect((await save(lab.oscar, '2', '10')).headers.get('location')).toContain('refused=not_administrator');
    await save(lab.ada, '2,5', '10');
    const sentence = 'Temperature: over once it is within its limit by 2.5 °C for 10 min.';
    for (const path of ['', '/clearing'])
      expect(await (await lab.vera.get(`/services/${freezer.id}${path}`)).text()).toContain(sentence);
    const form = await (await lab.ada.get(`/services/${freezer.id}/clearing`)).text();
    expect(form).toContain('Within its limit by (°C)');
    expect(form).toContain('value="2.5"');
    const [record] = await server.db.query<{ detail: unknown }>(sql`
      select detail from audit where action = 'service.clearing' and service_id = ${freezer.id}`);
    expect(record?.detail).toEqual({
      changes: {
        'temperature clear_margin': { before: 0, after: 2.5 },
        'temperature clear_minutes': { before: 0, after: 10 },
      },
    });
  });

  test.each([
    ['-1', '10', 'Give a number of 0 or more.'],
    ['warm', '10', 'Give a number of 0 or more.'],
    ['1', '1441', 'Give minutes from 0 to 1440.'],
    ['1', '1e3', 'Give minutes from 0 to 1440.'],
  ])('a margin of %s for %s minutes is refused, with what was typed', async (margin, lasting, words) => {
    const { lab, freezer, save } = await open();
    const refused = await save(lab.ada, margin, lasting);
    expect(refused.status).toBe(422);
    const page = await refused.text();
    expect(page).toContain(words);
    expect(page).toContain(`value="${margin}"`);
    expect(await clearingOf(freezer)).toEqual({ margin: 0, lasting: 0 });
  });

  test('without limits says so', async () => {
    const { lab, freezer } = await open({});
    const page = await (await lab.ada.get(`/services/${freezer.id}/clearing`)).text();
    expect(page).toContain('No channel of this service has limits yet');
  });
});
