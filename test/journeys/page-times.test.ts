import { beforeAll, describe, expect, test } from 'vitest';
import { type Lab, openLab } from '../support/lab.ts';
import { hours, minutes } from '../support/movable-clock.ts';
import { openColdTeam, watchedBy } from '../support/notification-desk.ts';
import { textOf } from '../support/page.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { signedIn, type VisitorBrowser } from '../support/visitor.ts';

// It is four in the morning of 15 November in Berlin, where everybody is.
let server: TestServer;
let lab: Lab;
let ada: VisitorBrowser;
let warm: number;
let stale: number;
beforeAll(async () => {
  server = await startServer();
  lab = await openLab(server);
  await openColdTeam(lab);
  const told = watchedBy('Cold team');
  const freezer = await lab.freezer({ ...told, name: 'Warm freezer', location: 'Room 101' });
  const other = await lab.freezer({ ...told, name: 'Stale freezer', stale_after_minutes: 30 });
  [warm, stale] = [freezer.id, other.id];
  await freezer.reads(-80);
  await other.reads(-80);
  await lab.advance(minutes(20));
  await freezer.reads(-50);
  await lab.advance(minutes(20));
  await lab.tick();
  await lab.oscar.post(`/api/v1/alarms/${warm}/acknowledge`, { comment: 'On my way' });
  await lab.oscar.post(`/api/v1/services/${warm}/mute`, { reason: 'Known' });
  for (const [start_time, end_time] of [
    ['2026-11-15T05:00', '2026-11-15T09:00'],
    ['2026-11-16T05:00', '2026-11-18T09:00'],
  ] as const)
    await lab.oscar.post('/api/v1/downtimes', {
      service_id: String(warm),
      start_time,
      end_time,
      reason: 'Defrost',
    });
  await lab.advance(minutes(10));
  await lab.tick();
  ada = await signedIn(server, lab.ada);
});

test('the stale row speaks the time of its reader, and UTC to programs', async () => {
  const html = await ada.read('/');
  expect(textOf(html)).toContain('No data since today 04:00');
  expect(html).toMatch(
    /<time datetime="2026-11-15T03:00:00.000\+00:00" title="2026-11-15 04:00 UTC\+01:00" [^>]*>today 04:00<\/time>/,
  );
  const alarms = await lab.alarms();
  expect(alarms.map(({ message }) => message)).toContain('No data since 2026-11-15 03:00 UTC');
});

describe('the zone is named once, and no time in another one', () => {
  test.each([
    ['/', 'today 04:00'],
    ['/services', 'today 04:20'],
    ['/services/:warm', 'tomorrow 05:00 to 18 Nov 09:00'],
    ['/services/:warm/notifications', 'today 04:40'],
    ['/services/:stale', 'No data since today 04:00'],
    ['/services/:stale/notifications', 'No data since today 04:00'],
    ['/alarms/:stale', 'today 04:00'],
    ['/downtimes', '18 Nov 09:00'],
    ['/settings/members', 'today 04:00'],
    ['/settings/sources', 'today 04:00'],
  ])('%s', async (path, moment) => {
    const address = path.replace(':warm', String(warm)).replace(':stale', String(stale));
    const text = textOf(await ada.read(address));
    expect(text).toContain(moment);
    expect(text.match(/Europe\/Berlin/g)).toHaveLength(1);
    expect(text).toContain('Times are in Europe/Berlin');
    expect(text).not.toMatch(/\d UTC|UTC[+-]/);
  });
});

test('the audit has whole times, which say their zone', async () => {
  const text = textOf(await ada.read('/audit'));
  expect(text).toMatch(/2026-11-15 04:40 UTC\+01:00/);
  expect(text).not.toMatch(/(today|yesterday) \d\d:/);
});

test('after midnight the same is yesterday', async () => {
  const later = await startServer();
  later.clock.advance(hours(19));
  const other = await openLab(later);
  const freezer = await other.freezer(watchedBy(null));
  await freezer.reads(-50);
  const reader = await signedIn(later, other.vera);
  expect(textOf(await reader.read('/'))).toContain('today 23:00');
  later.clock.advance(hours(1));
  expect(textOf(await (await reader.open('/', { 'hx-request': 'true' })).text())).toContain(
    'yesterday 23:00',
  );
});
