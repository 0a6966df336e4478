// Figures of past alarms: how many, how soon somebody had them, how soon they were over, which units, and on which days.

import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { localDay } from '../../src/domain/on-call/local-instant.ts';
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
const now = () => server.clock.read();
const days = (count: number) => hours(24 * count);
const before = (ms: number) => new Date(now().getTime() - ms);

beforeEach(async () => {
  desk = await openDeliveryDesk(server);
  freezer = await desk.freezer();
  await isSince(freezer, before(days(800)));
  vera = await signedIn(server, desk.lab.vera);
});

const isSince = ({ id }: ToldFreezer, at: Date) =>
  server.db.query(sql`update service set created_at = ${at} where id = ${id}`);

interface Past {
  unit?: ToldFreezer;
  severity?: 'critical' | 'warning';
  /** null: it holds. */
  lasted?: number | null;
  waited?: number;
  comment?: string;
}

const alarm = (beganAt: Date, { unit = freezer, severity = 'critical', ...rest }: Past = {}) => {
  const { lasted = minutes(30), waited, comment = null } = rest;
  const after = (ms: number | null | undefined) => (ms == null ? null : new Date(beganAt.getTime() + ms));
  return server.db.query(sql`
    insert into episode (id, service_id, organization_id, severity, channel, band, limit_value, began_at, ended_at,
      acknowledged_at, acknowledged_by, acknowledged_by_ids, comments)
    values (nextval('episode_id'), ${unit.id}, ${desk.lab.organization}, ${severity}, 'temperature', 'CRITICAL_HIGH', -60,
      ${beganAt}, ${after(lasted)}, ${after(waited)}, ${waited === undefined ? null : 'Oscar'},
      ${waited === undefined ? [] : [desk.lab.oscar.id]}, ${comment})`);
};

const page = async (query = '') =>
  expectPage(await vera.open(`/history/insight${query && `?${query}`}`), 200);
const figures = (html: string) =>
  [...(/<dl class="figures">([\s\S]*?)<\/dl>/.exec(html)?.[1] ?? '').matchAll(/<dd[^>]*>(.*?)<\/dd>/g)].map(
    ([, text]) => text,
  );
/** By its date: what the calendar says of it. */
const dayOf = (html: string, date: number) =>
  new RegExp(`<span class="calendar-date"[^>]*>${date}</span>(?:<span class="grade grade-(\\w+)">([^<]*))?`)
    .exec(html)
    ?.slice(1, 3);

test('counts, medians and what is left of them', async () => {
  await alarm(before(days(1)), { waited: minutes(5), lasted: minutes(10) });
  await alarm(before(days(2)), { waited: minutes(15), lasted: minutes(30), severity: 'warning' });
  await alarm(before(days(3)), { waited: minutes(90), lasted: minutes(600) });
  await alarm(before(hours(2)), { lasted: null });
  await alarm(before(days(100)));
  expect(figures(await page())).toEqual([
    '4',
    '1 in as much time before',
    '15 minutes',
    '1 was not acknowledged',
    '30 minutes',
    '1 still holds',
    '99.3 %',
    'of the time of all units',
  ]);
});

test('weeks as CSV, with the same filter', async () => {
  await alarm(before(days(1)), { waited: minutes(5), lasted: minutes(10) });
  await alarm(before(days(1)), { waited: minutes(15.5), lasted: minutes(30), severity: 'warning' });
  await alarm(before(days(8)), { lasted: null });
  const read = async (query: string) =>
    (await (await vera.open(`/history/insight.csv${query}`)).text()).split('\r\n');
  const [head, ...lines] = await read('');
  expect(head).toBe(
    'week_of,alarms,critical,acknowledged,over,median_minutes_to_acknowledge,median_minutes_to_recover',
  );
  expect(lines).toHaveLength(13);
  expect(lines.map((line) => line.slice(11)).filter((line) => line !== '' && !line.startsWith('0,'))).toEqual(
    ['2,1,2,2,10.25,20', '1,1,0,0,,'],
  );
  const critical = await read('?severity=critical');
  expect(critical.map((line) => line.slice(11)).filter((line) => line.startsWith('1,'))).toEqual([
    '1,1,1,1,5,10',
    '1,1,0,0,,',
  ]);
  expect((await vera.open('/history/insight.csv?from=never')).status).toBe(422);
  const olga = await signedIn(server, desk.lab.olga);
  expect((await (await olga.open('/history/insight.csv')).text()).match(/,[1-9]/g)).toBeNull();
});

test('nothing has happened', async () => {
  const html = await page();
  expect(figures(html)).toEqual([
    '0',
    '0 in as much time before',
    '–',
    'All were acknowledged',
    '–',
    'All are over',
    '100 %',
    'of the time of all units',
  ]);
  expect(textOf(html)).toContain('No alarm began in this time.');
  expect(html).not.toContain('Noisiest');
});

test('a week is a bar, and a line that leads to its alarms', async () => {
  for (const severity of ['critical', 'warning', 'warning'] as const)
    await alarm(before(days(8)), { severity });
  const html = await page();
  expect(html.match(/Week of [^<]*: 3 alarms, 1 critical/g)).toHaveLength(1);
  expect(html.match(/Week of [^<]*: 0 alarms/g)).toHaveLength(11);
  const table = html.split('As a table')[1]?.split('</details>')[0] ?? '';
  const paths = [...table.matchAll(/href="([^"]+)"/g)].map(([, path = '']) => path.replaceAll('&amp;', '&'));
  expect(paths).toHaveLength(1);
  expect((await vera.read(paths[0] as string)).match(/href="\/history\/\d+"/g)).toHaveLength(3);
});

test('the noisiest units come first, with their alarms and, for administrators, other limits', async () => {
  const loud = await desk.freezer();
  for (let count = 1; count <= 3; count += 1) await alarm(before(days(count)), { unit: loud });
  await alarm(before(days(1)));
  const rows = (html: string) => html.split('Noisiest units</h2>')[1]?.split('</table>')[0] ?? '';
  const html = rows(await page());
  expect(html.indexOf(loud.name)).toBeLessThan(html.indexOf(`>${freezer.name}<`));
  expect(textOf(html)).toContain('1 hour 30 minutes');
  expect(html).not.toContain('#edit');
  const [, path = ''] = /href="(\/history\?[^"]+)"/.exec(html) ?? [];
  expect((await vera.read(path.replaceAll('&amp;', '&'))).match(/href="\/history\/\d+"/g)).toHaveLength(3);
  const ada = await signedIn(server, desk.lab.ada);
  expect(rows(await ada.read('/history/insight'))).toContain(`/services/${loud.id}?edit=open#edit`);
});

describe('the calendar', () => {
  const MONTH = '2025-03';
  /** By the clock of Vera, before it is set to summer. */
  const at = (text: string) => new Date(`2025-${text}+01:00`);

  test('shares a day over what holds in it, and rounds nothing up', async () => {
    await alarm(at('03-03T12:00'), { lasted: hours(6) });
    await alarm(at('03-04T23:00'), { lasted: hours(2), severity: 'warning' });
    await alarm(at('03-06T10:00'), { lasted: 1000 });
    const html = await page(`month=${MONTH}`);
    expect(dayOf(html, 2)).toEqual(['whole', '100 %']);
    expect(dayOf(html, 3)).toEqual(['little', '75 %']);
    expect(dayOf(html, 4)).toEqual(['partly', '95.8 %']);
    expect(dayOf(html, 5)).toEqual(['partly', '95.8 %']);
    expect(dayOf(html, 6)).toEqual(['nearly', '99.9 %']);
  });

  test('knows alarms that began before, and those that went on after', async () => {
    await alarm(at('02-20T00:00'), { lasted: days(9.5) });
    await alarm(at('03-31T11:00'), { lasted: days(9) });
    const html = await page(`month=${MONTH}`);
    expect(dayOf(html, 1)).toEqual(['little', '50 %']);
    expect(dayOf(html, 2)).toEqual(['whole', '100 %']);
    expect(dayOf(html, 31)).toEqual(['little', '50 %']);
  });

  test.each([
    ['over since', days(90)],
    ['not over', null],
  ])('knows one that holds through all of it, %s', async (_, lasted) => {
    const unit = await desk.freezer();
    await isSince(unit, at('01-01T00:00'));
    await alarm(at('02-01T00:00'), { unit, lasted });
    expect(dayOf(await page(`month=${MONTH}&service=${unit.id}`), 15)).toEqual(['little', '0 %']);
    expect(dayOf(await page(`month=${MONTH}`), 15)).toEqual(['little', '50 %']);
  });

  test('says nothing of days to come, nor of those before there was a unit', async () => {
    await isSince(freezer, at('03-10T00:00'));
    const html = await page(`month=${MONTH}`);
    expect(dayOf(html, 9)).toEqual([undefined, undefined]);
    expect(dayOf(html, 10)).toEqual(['whole', '100 %']);
    const text = await page();
    expect(text.match(/class="grade grade-\w+">[^<]*%<\/span>/g)).toHaveLength(
      Number(localDay(now(), 'Europe/Berlin').slice(8)),
    );
    expect(text).not.toContain('Later month');
  });

  test('goes from month to month with the same filter', async () => {
    const html = await page(`month=${MONTH}&service=${freezer.id}`);
    expect(html).toContain(`href="/history/insight?service=${freezer.id}&amp;month=2025-02#in-range"`);
    expect(html).toContain(`href="/history/insight?service=${freezer.id}&amp;month=2025-04#in-range"`);
  });
});

describe('filters', () => {
  let other: ToldFreezer;
  beforeEach(async () => {
    other = await desk.freezer();
    await alarm(before(days(1)), { waited: minutes(1), comment: 'Door was open' });
    await alarm(before(days(20)), { unit: other, severity: 'warning' });
    vera = await signedIn(server, desk.lab.vera);
  });
  const dayBefore = (count: number) => before(days(count)).toISOString().slice(0, 10);

  test.each<[string, () => string, string]>([
    ['none', () => '', '2'],
    ['a unit', () => `service=${other.id}`, '1'],
    ['a name', () => `q=${encodeURIComponent(other.name)}`, '1'],
    ['what was written', () => 'q=door', '1'],
    ['a severity', () => 'severity=warning', '1'],
    ['who took it', () => 'who=oscar', '1'],
    ['from', () => `from=${dayBefore(10)}`, '1'],
    ['to', () => `to=${dayBefore(10)}`, '1'],
    ['another organization', () => 'organization=2147483647', '0'],
    ['from after to', () => `from=${dayBefore(10)}&to=${dayBefore(15)}`, '0'],
    ['from tomorrow on', () => `from=${dayBefore(-1)}`, '0'],
    ['a place that is none', () => 'location=2147483647', '0'],
    ['what means nothing', () => 'month=x&severity=purple', '2'],
  ])('%s', async (_, query, expected) => expect(figures(await page(query()))[0]).toBe(expected));

  test('no more than a year at once, and says so', async () => {
    const html = await page('from=2020-01-01');
    expect(textOf(html)).toContain('A year at most is counted at once.');
    expect(html.match(/<title>Week of/g)).toHaveLength(53);
  });

  test('what is no time is refused', async () => {
    const html = await expectPage(await vera.open('/history/insight?from=tomorrow'), 422);
    expect(textOf(html)).toContain('A time could not be read.');
  });

  test('nothing of it is shown to another organization', async () => {
    const olga = await signedIn(server, desk.lab.olga);
    const asked = ['', `?service=${freezer.id}`, `?organization=${desk.lab.organization}`, '?q=door'];
    for (const query of asked) {
      const html = await olga.read(`/history/insight${query}`);
      expect(figures(html)[0]).toBe('0');
      expect(html).not.toContain(freezer.name);
      expect(dayOf(html, 1)?.[1]).not.toBe('0 %');
    }
  });
});
