// Alarms that are over or hold, as History lists them: when, how long, how bad, who had it, what they wrote, who was notified.

import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { lookUpWorst } from '../../src/engine/alarm-state/look-up-worst.ts';
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
let vera: VisitorBrowser;
beforeEach(async () => {
  desk = await openDeliveryDesk(server);
  freezer = await desk.freezer();
  vera = await signedIn(server, desk.lab.vera);
});

const reads = async (temperature: number, { device } = freezer) => {
  await desk.lab.post([{ device, time: server.clock.read().getTime(), values: { temperature } }]);
};
const acknowledge = (comment: string, { id } = freezer) =>
  desk.lab.oscar.post(`/api/v1/alarms/${id}/acknowledge`, { comment });

/** Over the limit for 90 minutes, worst in the middle; taken after 20. */
async function wholeEpisode({ comment = 'Door was open' } = {}): Promise<void> {
  await reads(-80);
  await desk.lab.advance(minutes(5));
  await reads(-55);
  await desk.strike();
  await desk.strike(minutes(20));
  await reads(-42.5);
  await acknowledge(comment);
  await desk.strike();
  await desk.lab.advance(minutes(70));
  await reads(-80);
  await desk.strike();
  await lookUpWorst(server.db, server.clock.read());
}

const listed = async (query = '') => textOf(await vera.read(`/history${query}`));
const idsIn = (html: string) => [...html.matchAll(/href="\/history\/(\d+)"/g)].map(([, id]) => id);
const idOf = async (query = '') => idsIn(await vera.read(`/history${query}`))[0] ?? 'none';
const csv = async (query = '') => (await (await vera.open(`/history.csv${query}`)).text()).split('\r\n');

describe('a whole alarm', () => {
  beforeEach(() => wholeEpisode());

  test('stands in the list', async () => {
    const text = textOf(await expectPage(await vera.open('/history'), 200));
    expect(text).toContain(freezer.name);
    expect(text).toContain('Temperature, limit −60 °C');
    expect(text).toContain('1 hour 30 minutes');
    expect(text).toContain('−42.5 °C');
    expect(text).toContain('Oscar, after 20 minutes');
    expect(text).toContain('Door was open');
    expect(text).toContain('1 handed over');
    expect(text).not.toMatch(/\bsent\b/i);
  });

  test('stands in the CSV, as programs read it', async () => {
    const [head = '', line = '', rest] = await csv();
    const cells = Object.fromEntries(head.split(',').map((name, index) => [name, line.split(',')[index]]));
    expect(cells).toMatchObject({
      organization: desk.lab.organizationName,
      service: freezer.name,
      severity: 'critical',
      channel: 'temperature',
      band: 'CRITICAL_HIGH',
      limit: '-60',
      unit: '°C',
      minutes: '90',
      worst: '-42.5',
      acknowledged_by: 'Oscar',
      minutes_to_acknowledge: '20',
      comments: 'Door was open',
      handed_over: '1',
      not_handed_over: '0',
    });
    expect(rest).toBe('');
  });

  test('has a page that tells it from the breach to the end', async () => {
    const id = await idOf();
    const text = textOf(await expectPage(await vera.open(`/history/${id}`), 200));
    expect(text).toContain(
      'Temperature went above −60 °C and was in alarm for 1 hour 30 minutes. The worst was −42.5 °C, 20 minutes after it went over.',
    );
    const line = text.split('What happened')[1] ?? '';
    const order = [
      'First beyond the limit',
      'Critical alarm',
      'Temperature −55 °C is above the critical limit of −60 °C',
      'Notified Cold team',
      'Handed over',
      'Worst value −42.5 °C',
      'Oscar acknowledged it at critical',
      'Door was open',
      'Over',
      'Back to normal: Temperature −80 °C',
    ];
    const places = order.map((words) => line.indexOf(words));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(line).not.toMatch(/\bsent\b/i);
    // To operators, by address.
    const oscar = await signedIn(server, desk.lab.oscar);
    expect(textOf(await oscar.read(`/history/${id}`))).toContain('cold@lab.example');
    expect(line).not.toContain('cold@lab.example');
  });

  test('is reached from the page of its unit, the last 30 days of it alone', async () => {
    const html = await vera.read(`/services/${freezer.id}`);
    const [, path = ''] = /href="(\/history\?[^"]+)"/.exec(html) ?? [];
    expect(idsIn(await vera.read(path.replaceAll('&amp;', '&')))).toHaveLength(1);
    expect(html).not.toContain('What happened in this alarm');
  });

  test('nothing of it is shown to another organization', async () => {
    const id = await idOf();
    const olga = await signedIn(server, desk.lab.olga);
    expect(await olga.read('/history')).not.toContain(freezer.name);
    expect(idsIn(await olga.read(`/history?service=${freezer.id}`))).toEqual([]);
    expect(idsIn(await olga.read(`/history?organization=${desk.lab.organization}`))).toEqual([]);
    expect(idsIn(await olga.read('/history?q=Door'))).toEqual([]);
    expect(await (await olga.open('/history.csv')).text()).not.toContain(freezer.name);
    await expectPage(await olga.open(`/history/${id}`), 404);
    await expectPage(await vera.open(`/history/${id}`), 200);
    for (const none of ['0', '999999999999999999', 'x', '-1'])
      await expectPage(await vera.open(`/history/${none}`), 404);
  });
});

test('what somebody wrote is text in the CSV, never a formula', async () => {
  await wholeEpisode({ comment: '=HYPERLINK("https://evil.example")' });
  expect((await csv()).join('\n')).toContain(`"'=HYPERLINK(""https://evil.example"")"`);
});

describe('one that holds', () => {
  test('says for how long so far, how bad it came to be, and that nobody has it', async () => {
    await reads(-80);
    await desk.lab.advance(minutes(1));
    await reads(-55);
    await desk.strike();
    await desk.lab.advance(minutes(33));
    await reads(-50);
    const text = await listed();
    expect(text).toContain('33 minutes so far');
    expect(text).toContain('−50 °C');
    expect(text).toMatch(/−50 °C\s+Nobody/);
    const [, id = ''] = /href="\/history\/(\d+)"/.exec(await vera.read(`/services/${freezer.id}`)) ?? [];
    expect(textOf(await vera.read(`/history/${id}`))).toContain(
      'Temperature went above −60 °C and has been in alarm for 33 minutes. The worst so far is −50 °C.',
    );
    expect(idsIn(await vera.read('/history?state=running'))).toHaveLength(1);
    await desk.lab.advance(minutes(1));
    await reads(-80);
    expect(idsIn(await vera.read('/history?state=running'))).toEqual([]);
    expect(idsIn(await vera.read('/history?state=unacknowledged'))).toHaveLength(1);
  });

  test('is over once its unit is archived, and stays in the history', async () => {
    await reads(-55);
    await desk.lab.advance(minutes(10));
    await desk.lab.apply({ name: freezer.name, archived: true });
    const text = await listed();
    expect(text).toContain(freezer.name);
    expect(text).not.toContain('so far');
  });

  test('that nobody is told of says so', async () => {
    const quiet = await desk.freezer({ send_critical: false, send_warning: false });
    await reads(-55, quiet);
    await desk.strike();
    expect(await listed(`?service=${quiet.id}`)).toContain('Nobody was notified');
    const text = textOf(await vera.read(`/history/${await idOf(`?service=${quiet.id}`)}`));
    expect(text).toContain('Nobody was notified.');
    expect(text).toContain('Not notified: Critical alarms are switched off for this unit');
  });
});

test('a warning that becomes critical is one alarm, critical from then on', async () => {
  await reads(-80);
  await desk.lab.advance(minutes(1));
  await reads(-65);
  await desk.lab.advance(minutes(1));
  expect(await listed()).toContain('limit −70 °C');
  await reads(-50);
  await desk.lab.advance(minutes(1));
  await reads(-65);
  const text = await listed();
  expect(text).toContain('limit −60 °C');
  expect(idsIn(await vera.read('/history'))).toHaveLength(1);
});

describe('filters', () => {
  let other: ToldFreezer;
  beforeEach(async () => {
    other = await desk.freezer();
    await wholeEpisode();
    await desk.lab.advance(hours(24));
    await reads(-65, other);
    await desk.lab.advance(minutes(3));
    await reads(-80, other);
    vera = await signedIn(server, desk.lab.vera);
  });

  test.each<[string, () => string, 'both' | 'first' | 'second' | 'none']>([
    ['none', () => '', 'both'],
    ['a unit', () => `?service=${other.id}`, 'second'],
    ['a severity', () => '?severity=critical', 'first'],
    ['the name', () => `?q=${encodeURIComponent(other.name)}`, 'second'],
    ['the beginnings of words that were written', () => '?q=open%20do', 'first'],
    ['words of which one is nowhere', () => '?q=open%20window', 'none'],
    ['who took it', () => '?who=oscar', 'first'],
    ['who never took any', () => '?who=vera', 'none'],
    ['nobody took it', () => '?state=unacknowledged', 'second'],
    ['another organization', () => '?organization=2147483647', 'none'],
    ['what means nothing', () => '?severity=purple&service=x', 'both'],
  ])('%s', async (_, query, expected) => {
    const all = idsIn(await vera.read('/history'));
    expect(all).toHaveLength(2);
    const [second, first] = all;
    const wanted = { both: all, first: [first], second: [second], none: [] }[expected];
    expect(idsIn(await vera.read(`/history${query()}`))).toEqual(wanted);
    const lines = await csv(query());
    expect(lines.slice(1, -1).map((line) => line.split(',')[0])).toEqual(wanted);
  });

  test('a time in the reader’s zone; what is no time is refused', async () => {
    const day = server.clock.read().toISOString().slice(0, 10);
    expect(idsIn(await vera.read(`/history?from=${day}`))).toHaveLength(1);
    expect(idsIn(await vera.read(`/history?to=${day}`))).toHaveLength(1);
    const html = await expectPage(await vera.open('/history?from=tomorrow'), 422);
    expect(textOf(html)).toContain('A time could not be read.');
  });

  test('members of a group are found by its name', async () => {
    await server.db.query(sql`
      insert into notification_group_account (group_id, account_id) values (${desk.groupId}, ${desk.lab.oscar.id})`);
    expect(idsIn(await vera.read('/history?who=cold'))).toHaveLength(1);
  });
});

test('pages go on below each other, each alarm once', async () => {
  const [service] = await server.db.query<{ count: number }>(sql`
    with made as (
      insert into episode (id, service_id, organization_id, severity, channel, band, limit_value, began_at, ended_at)
      select nextval('episode_id'), ${freezer.id}, ${desk.lab.organization}, 'warning', 'temperature', 'WARNING_HIGH', -70,
        ${server.clock.read()}::timestamptz - (n / 2) * interval '1 hour', ${server.clock.read()}
      from generate_series(1, 120) as n returning 1)
    select count(*)::int as "count" from made`);
  expect(service?.count).toBe(120);
  const seen: (string | undefined)[] = [];
  let path: string | undefined = '/history';
  for (let page = 0; path !== undefined && page < 5; page += 1) {
    const html: string = await vera.read(path);
    seen.push(...idsIn(html));
    path = /href="([^"]+)" rel="next"/.exec(html)?.[1]?.replaceAll('&amp;', '&');
  }
  expect(seen).toHaveLength(120);
  expect(new Set(seen).size).toBe(120);
  const lines = await csv();
  expect(lines.slice(1, -1).map((line) => line.split(',')[0])).toEqual(seen);
});

test.each(['0000-01-01', '2026-02-31'])(
  'an address that no page of ours wrote starts anew: %s',
  async (day) => {
    await expectPage(await vera.open(`/history?below=${day}T00:00:00.000000Z_1`), 200);
  },
);

describe('rows of episodes', () => {
  test('made from stored events come to the same as those that were kept as it happened', async () => {
    await wholeEpisode();
    await desk.lab.advance(minutes(1));
    await reads(-50);
    const kept = await rows();
    expect(kept).toHaveLength(2);
    const { readFile } = await import('node:fs/promises');
    const text = async (name: string) => readFile(`migrations/${name}`, 'utf8');
    const running = /-- Those that hold: [\s\S]*$/.exec(await text('0074_episodes.sql'))?.[0] ?? '';
    await server.db.query(sql`delete from episode`);
    await server.db.alone(async (session) => {
      for (const statement of `${running}${await text('0075_past_episodes.sql')}`.split(/;\n/))
        if (statement.trim() !== '') await session.run(statement);
    });
    expect(await rows()).toEqual(kept);
  });

  const rows = () =>
    server.db.query(sql`
      select id, service_id, severity, channel, band, limit_value, began_at, ended_at, acknowledged_at, acknowledged_by,
        acknowledged_by_ids, comments
      from episode where organization_id = ${desk.lab.organization} order by id`);
});
