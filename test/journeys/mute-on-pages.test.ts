// Muting on pages: never beside Acknowledge, with an end, and it says who will not be told of what.
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Freezer, type Lab, openLab } from '../support/lab.ts';
import { HOT, watchedBy } from '../support/notification-desk.ts';
import { textOf } from '../support/page.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { signedIn, type VisitorBrowser } from '../support/visitor.ts';

let server: TestServer;
let lab: Lab;
let freezer: Freezer;
let oscar: VisitorBrowser;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  lab = await openLab(server);
  await lab.group({ name: 'Cold team', accounts: [lab.oscar.email, lab.ada.email] });
  freezer = await lab.freezer(
    watchedBy('Cold team', { send_acknowledgements: false, send_recoveries: false, send_warning: false }),
  );
  await freezer.reads(HOT);
  oscar = await signedIn(server, lab.oscar);
});

const endsIn = async () => {
  const [row] = await server.db.query<{ minutes: number | null }>(sql`
    select (extract(epoch from ends_at - created_at) / 60)::int as minutes from mute
    where service_id = ${freezer.id} and ended_at is null`);
  return row === undefined ? 'not muted' : row.minutes;
};
const mutes = async (form: Record<string, string>) =>
  (await oscar.send(`/alarms/${freezer.id}/mute`, form)).headers.get('location');

describe('its end', () => {
  test('is in four hours unless somebody chooses', async () => {
    expect(await mutes({})).toContain('done=mute');
    expect(await endsIn()).toBe(240);
  });

  test('is what was chosen, and thirty days at most', async () => {
    await mutes({ minutes: '60' });
    expect(await endsIn()).toBe(60);
    await oscar.send(`/alarms/${freezer.id}/unmute`);
    await mutes({ minutes: '999999' });
    expect(await endsIn()).toBe(30 * 24 * 60);
  });

  test('is left out only with a reason', async () => {
    expect(await mutes({ minutes: 'none', reason: '  ' })).toContain('refused=no_reason_without_end');
    expect(await endsIn()).toBe('not muted');
    expect(await mutes({ minutes: 'none', reason: 'Taken out of service' })).toContain('done=mute');
    expect(await endsIn()).toBeNull();
  });

  test('programs mute as the contract says: no reason, no end', async () => {
    expect((await lab.oscar.post(`/api/v1/services/${freezer.id}/mute`)).status).toBe(200);
    expect(await endsIn()).toBeNull();
  });
});

describe.each([
  ['its own page', () => `/alarms/${freezer.id}`],
  ['the page of the service', () => `/services/${freezer.id}`],
])('%s', (_, path) => {
  test('says before and after who is not told of what', async () => {
    const keeps = 'Ada and Oscar (Cold team) are not notified about critical alarms and missing data';
    expect(textOf(await oscar.read(path()))).toContain(keeps);
    await mutes({});
    expect(textOf(await oscar.read(path()))).toContain(keeps);
  });

  test('of a service without a group, that nobody is told anyway', async () => {
    await server.db.query(
      sql`update service_settings set notification_group_id = null where service_id = ${freezer.id}`,
    );
    expect(textOf(await oscar.read(path()))).toContain('no group is chosen');
  });
});

describe('never beside Acknowledge', () => {
  /** Where it is, counted in cells of a table and sections of a page. */
  const places = (html: string, words: RegExp) =>
    html
      .split(/<\/t[dh]>|<\/section>/)
      .flatMap((part, index) => (words.test(part.replace(/class="[^"]*"/g, '')) ? [index] : []));

  test.each([
    ['the list of alarms', async () => oscar.read('/')],
    ['the page of the service', async () => oscar.read(`/services/${freezer.id}`)],
    [
      'the fragment of the list',
      async () => (await lab.oscar.get('/api/v1/alarms', { 'hx-request': 'true' })).text(),
    ],
  ])('in %s', async (_, read) => {
    const html = await read();
    const [acknowledge, mute] = [places(html, />Acknowledge</), places(html, /\bmute\b/i)];
    expect(acknowledge).toHaveLength(1);
    expect(mute.length).toBeGreaterThan(0);
    for (const place of mute) expect(Math.abs(place - (acknowledge[0] ?? 0))).toBeGreaterThanOrEqual(2);
  });

  test('nor on the page that mutes', async () => {
    expect(places(await oscar.read(`/alarms/${freezer.id}`), />Acknowledge</)).toEqual([]);
  });
});
