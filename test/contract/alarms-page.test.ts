import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  acknowledgementsOf,
  archive,
  createFreezer,
  type Freezer,
  minutesAgo,
  mutesOf,
  setAlarm,
  setDowntime,
  setLimits,
  setStale,
  setTelemetry,
} from '../support/equipment.ts';
import { hours } from '../support/movable-clock.ts';
import { expectPage } from '../support/page.ts';
import { invitePeople, type People } from '../support/people.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { openVisitor, signedIn } from '../support/visitor.ts';

let server: TestServer;
let people: People;
let freezer: Freezer;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  people = await invitePeople(server);
  freezer = await createFreezer(server, people, { name: 'ULT 3', location: 'Room 101' });
});

const raise = (severity: 'critical' | 'warning' = 'critical') =>
  setAlarm(server, freezer, { severity, since: minutesAgo(server, 72) });

describe('GET /', () => {
  test('leads strangers to the sign-in page', async () => {
    const answer = await openVisitor(server).open('/');
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/login');
  });

  test('shows value, sentence, place, since when and for how long', async () => {
    await raise();
    await setTelemetry(server, freezer, 'temperature', minutesAgo(server, 1));
    const html = await expectPage(await (await signedIn(server, people.vera)).open('/'), 200);
    expect(html).toContain('<strong class="alarm-value">1 °C</strong>');
    expect(html).toContain('above the critical limit of −60 °C');
    expect(html).toContain('Room 101');
    expect(html).toMatch(/title="2026-11-15 02:48 UTC\+01:00"[^>]*>today 02:48<\/time>/);
    expect(html).toContain('>1 hour 12 minutes</span>');
    expect(html).toContain('1 critical');
  });

  test('worst first', async () => {
    const others = await Promise.all(
      ['Warm one', 'Stale one'].map((name) => createFreezer(server, people, { name })),
    );
    const [warm, stale] = others as [Freezer, Freezer];
    await setAlarm(server, warm, { severity: 'warning' });
    await setStale(server, stale, minutesAgo(server, 5));
    await raise();
    const html = await (await signedIn(server, people.vera)).read('/');
    expect([...html.matchAll(/<tr id="alarm-(\d+)"/g)].map(([, id]) => Number(id))).toEqual([
      freezer.id,
      warm.id,
      stale.id,
    ]);
  });

  test('says who took it on, who muted it, and that no data comes in', async () => {
    await raise();
    await setStale(server, freezer, minutesAgo(server, 5));
    await people.oscar.post(`/api/v1/alarms/${freezer.id}/acknowledge`, { comment: '<b>On</b> my way' });
    await people.ada.post(`/api/v1/services/${freezer.id}/mute`, { reason: 'Known' });
    const html = await (await signedIn(server, people.vera)).read('/');
    expect(html).toContain('Acknowledged at critical by Oscar');
    expect(html).toContain('<q>&lt;b>On&lt;/b> my way</q>');
    expect(html).toContain('<strong>Muted</strong> by Ada');
    expect(html).toContain('<q>Known</q>');
    expect(html).toContain('<span class="severity severity-stale">Stale</span> since');
  });

  test('a viewer gets nothing to press, an operator and an administrator do', async () => {
    await raise();
    const board = async (name: 'vera' | 'oscar' | 'ada') =>
      (await signedIn(server, people[name]))
        .open('/', { 'hx-request': 'true' })
        .then((answer) => answer.text());
    expect(await board('vera')).not.toMatch(/<form|<button|class="button"/);
    for (const name of ['oscar', 'ada'] as const) {
      const html = await board(name);
      expect(html).toContain(`action="/alarms/${freezer.id}/acknowledge"`);
      expect(html).toContain(`href="/alarms/${freezer.id}"`);
    }
  });

  test('another organization sees nothing of it', async () => {
    await raise();
    const html = await (await signedIn(server, people.olga)).read('/');
    expect(html).not.toContain('ULT 3');
    expect(html).toContain('Nothing is watched yet');
  });

  test('somebody without a role is told what to do', async () => {
    const html = await (await signedIn(server, people.nora)).read('/');
    expect(html).toContain('Ask an administrator of your lab to add you.');
    expect(html).not.toContain('data-live');
  });

  test('without an alarm it says that all is well, how many are watched and when data last came in', async () => {
    const vera = await signedIn(server, people.vera);
    expect(await vera.read('/')).toContain('No data has come in yet.');
    await setLimits(server, freezer);
    await setTelemetry(server, freezer, 'battery', minutesAgo(server, 3));
    const html = await vera.read('/');
    expect(html).toContain('All is well');
    expect(html).toContain('1 service is watched.');
    expect(html).toMatch(
      /Data last came in <time datetime="2026-11-15T02:57:00\.000\+00:00".*3 minutes<\/span> ago/,
    );
  });

  test('a service in downtime is counted instead of listed', async () => {
    await raise();
    await setDowntime(server, freezer, -hours(1), hours(1));
    const html = await (await signedIn(server, people.vera)).read('/');
    expect(html).toContain('1 service is in downtime');
    expect(html).not.toContain(`alarm-${freezer.id}`);
  });

  test('with HX-Request only the part that is live comes', async () => {
    await raise();
    const answer = await (await signedIn(server, people.vera)).open('/', { 'hx-request': 'true' });
    const html = await answer.text();
    expect(html).toMatch(/^<div id="board" data-live="\/".*<\/div>$/s);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('news in the address are ours only', async () => {
    const vera = await signedIn(server, people.vera);
    expect(await vera.read('/?done=mute')).toContain('Muted: nobody is notified until that ends');
    expect(await vera.read('/?done=constructor&refused=%3Cb%3E')).not.toContain('class="notice');
  });

  test('two hundred alarms with everything stay far below 100 KB on their way', async () => {
    for (let count = 0; count < 200; count += 1) {
      const one = await createFreezer(server, people, {
        name: `Freezer number ${count}`,
        location: `Hall ${count}`,
      });
      await setAlarm(server, one, { severity: count % 3 === 0 ? 'critical' : 'warning' });
    }
    const oscar = await signedIn(server, people.oscar);
    const answer = await oscar.open('/', { 'accept-encoding': 'gzip' });
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect((await answer.text()).match(/<tr id="alarm-/g)).toHaveLength(200);
    expect(Number(answer.headers.get('content-length'))).toBeLessThan(60_000);
  });
});

describe('GET /alarms/{service_id}', () => {
  test('has what an operator can do about one service', async () => {
    await raise();
    const html = await expectPage(
      await (await signedIn(server, people.oscar)).open(`/alarms/${freezer.id}`),
      200,
    );
    expect(html).toContain(`action="/alarms/${freezer.id}/mute"`);
    expect(html).toContain('action="/downtimes"');
    expect(html).toContain('value="2026-11-15 04:00"');
    expect(html).toContain('Times are in Europe/Berlin');
  });

  test.each(['vera', 'olga', 'nora'] as const)('is not there for %s', async (name) => {
    await expectPage(await (await signedIn(server, people[name])).open(`/alarms/${freezer.id}`), 404);
  });

  test.each(['0', '-1', 'x', '99999999999'])('nor is %s', async (id) => {
    await expectPage(await (await signedIn(server, people.oscar)).open(`/alarms/${id}`), 404);
  });

  test('nor an archived one', async () => {
    await archive(server, freezer);
    await expectPage(await (await signedIn(server, people.oscar)).open(`/alarms/${freezer.id}`), 404);
  });
});

describe('POST /alarms/{service_id}/…', () => {
  const send = async (
    name: keyof Omit<People, 'organization'>,
    verb: string,
    form: Record<string, string> = {},
  ) => (await signedIn(server, people[name])).send(`/alarms/${freezer.id}/${verb}`, form);

  test('acknowledges with the comment and leads back with a word about it', async () => {
    await raise();
    const answer = await send('oscar', 'acknowledge', { comment: 'On it' });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/?done=acknowledge');
    expect(await acknowledgementsOf(server, freezer)).toMatchObject([
      { comment: 'On it', accountName: 'Oscar' },
    ]);
    expect((await send('oscar', 'acknowledge')).headers.get('location')).toBe(
      '/?refused=already_acknowledged',
    );
    expect((await send('ada', 'unacknowledge')).headers.get('location')).toBe('/?done=unacknowledge');
    expect((await send('ada', 'unacknowledge')).headers.get('location')).toBe('/?refused=nothing_to_remove');
  });

  test('mutes with the reason, and unmutes', async () => {
    expect((await send('oscar', 'mute', { reason: 'Repair' })).headers.get('location')).toBe('/?done=mute');
    expect(await mutesOf(server, freezer)).toMatchObject([{ reason: 'Repair', endedAt: null }]);
    expect((await send('oscar', 'unmute')).headers.get('location')).toBe('/?done=unmute');
    expect(await mutesOf(server, freezer)).toMatchObject([{ endedAt: server.clock.read() }]);
  });

  test('leads back to the page that the form was on, and nowhere else', async () => {
    const oscar = await signedIn(server, people.oscar);
    const from = async (referer: string) =>
      (await oscar.send(`/alarms/${freezer.id}/mute`, {}, { referer })).headers.get('location');
    expect(await from(`${server.url}/services/${freezer.id}?x=1`)).toBe(`/services/${freezer.id}?done=mute`);
    expect(await from(`${server.url}/alarms/${freezer.id}`)).toBe('/?done=mute');
    expect(await from('https://evil.example/')).toBe('/?done=mute');
  });

  test.each(['acknowledge', 'unacknowledge', 'mute', 'unmute'])(
    '%s is refused to those who may not',
    async (verb) => {
      await raise();
      expect((await send('vera', verb)).headers.get('location')).toBe('/?refused=viewer_only');
      expect((await send('olga', verb)).status).toBe(404);
      expect((await send('nora', verb)).status).toBe(404);
      const stranger = await openVisitor(server).send(`/alarms/${freezer.id}/${verb}`);
      expect(stranger.headers.get('location')).toMatch(/^\/login/);
      expect(await acknowledgementsOf(server, freezer)).toEqual([]);
      expect(await mutesOf(server, freezer)).toEqual([]);
    },
  );

  test('a form of another site changes nothing', async () => {
    await raise();
    const oscar = await signedIn(server, people.oscar);
    const answer = await oscar.send(
      `/alarms/${freezer.id}/acknowledge`,
      {},
      { 'sec-fetch-site': 'cross-site' },
    );
    expect(answer.status).toBe(403);
    expect(await acknowledgementsOf(server, freezer)).toEqual([]);
  });
});
