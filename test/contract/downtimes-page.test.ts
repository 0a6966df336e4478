import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { archive, createFreezer, type Freezer, setDowntime } from '../support/equipment.ts';
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
  freezer = await createFreezer(server, people, { name: 'ULT 3' });
});

interface Window {
  id: number;
  startAt: Date;
  endAt: Date;
  reason: string;
}

const windows = () =>
  server.db.query<Window>(sql`
    select id, start_at as "startAt", end_at as "endAt", reason from downtime
    where service_id = ${freezer.id} order by id`);

const section = (html: string, name: string) =>
  new RegExp(`<section data-part="${name}">.*?</section>.*?(?=<section data-part|</div>)`, 's').exec(
    html,
  )?.[0] ?? '';

describe('GET /downtimes', () => {
  test('leads strangers to the sign-in page and back', async () => {
    const answer = await openVisitor(server).open('/downtimes');
    expect(answer.headers.get('location')).toBe('/login?next=%2Fdowntimes');
  });

  test('shows what is now, what is coming and what is past, by the day of the reader', async () => {
    await setDowntime(server, freezer, -hours(1), hours(1));
    await setDowntime(server, freezer, hours(20), hours(22));
    await setDowntime(server, freezer, -hours(30), -hours(28));
    const html = await expectPage(await (await signedIn(server, people.vera)).open('/downtimes'), 200);
    expect(section(html, 'now')).toContain('Sunday, 15 November 2026');
    // 23:00 UTC is the next day in Berlin.
    expect(section(html, 'coming')).toContain('Monday, 16 November 2026');
    expect(section(html, 'past')).toContain('Friday, 13 November 2026');
    expect(html).toContain('Times are in Europe/Berlin');
  });

  test('an overlap is shown', async () => {
    await setDowntime(server, freezer, hours(1), hours(3));
    expect(await (await signedIn(server, people.vera)).read('/downtimes')).not.toContain('Overlaps');
    await setDowntime(server, freezer, hours(2), hours(4));
    const html = await (await signedIn(server, people.vera)).read('/downtimes');
    expect(html).toContain('Overlaps with another window, from today 06:00 until');
  });

  test('past ones come in pages', async () => {
    for (let count = 1; count <= 30; count += 1)
      await setDowntime(server, freezer, -hours(24 * count), -hours(24 * count - 1));
    const vera = await signedIn(server, people.vera);
    const first = await vera.read('/downtimes');
    expect(first.match(/<tr id="downtime-/g)).toHaveLength(25);
    expect(first).toContain('href="/downtimes?past=2"');
    const second = await vera.read('/downtimes?past=2');
    expect(second.match(/<tr id="downtime-/g)).toHaveLength(5);
    expect(second).not.toContain('past=3');
    expect(await vera.read('/downtimes?past=nonsense')).toContain('href="/downtimes?past=2"');
  });

  test('a viewer can only read, another organization not even that', async () => {
    await setDowntime(server, freezer, -hours(1), hours(1));
    const vera = await (await signedIn(server, people.vera)).read('/downtimes');
    expect(vera).toContain('ULT 3');
    expect(vera).not.toMatch(/action="\/downtimes"|hx-delete/);
    expect(await (await signedIn(server, people.olga)).read('/downtimes')).not.toContain('ULT 3');
    const nora = await (await signedIn(server, people.nora)).read('/downtimes');
    expect(nora).toContain('Ask an administrator of your lab to add you.');
  });

  test('an archived service is not shown and cannot be chosen', async () => {
    await setDowntime(server, freezer, -hours(1), hours(1));
    await archive(server, freezer);
    expect(await (await signedIn(server, people.oscar)).read('/downtimes')).not.toContain('ULT 3');
  });

  test('one of more than a hundred services is found by its name', async () => {
    await Promise.all(
      Array.from({ length: 101 }, (_, number) => createFreezer(server, people, { name: `Unit ${number}` })),
    );
    const oscar = await signedIn(server, people.oscar);
    const whole = await oscar.read('/downtimes');
    expect(whole).toContain('name="q"');
    expect(whole.match(/<option [^>]*value="\d+"[^>]*>(Unit|ULT)/g)?.length).toBe(100);
    const found = await oscar.read('/downtimes?q=ult');
    expect(found.match(/<option [^>]*value="\d+"[^>]*>(Unit|ULT)/g)).toEqual([
      `<option value="${freezer.id}">ULT`,
    ]);
    expect(await oscar.read(`/downtimes?service=${freezer.id}`)).toMatch(
      new RegExp(`<option [^>]*selected[^>]*value="${freezer.id}"|value="${freezer.id}"[^>]*selected`),
    );
  });

  test('with HX-Request only the part that is live comes', async () => {
    const answer = await (await signedIn(server, people.vera)).open('/downtimes', { 'hx-request': 'true' });
    expect(await answer.text()).toMatch(
      /^<div id="downtimes" class="downtime-board" data-live="\/downtimes"/,
    );
  });
});

describe('POST /downtimes', () => {
  const form = (changes: Record<string, string> = {}) => ({
    service_id: String(freezer.id),
    start_time: '2026-11-15T22:00',
    duration: '120',
    end_time: '',
    reason: 'Defrost',
    ...changes,
  });
  const send = async (
    changes: Record<string, string> = {},
    name: 'oscar' | 'vera' | 'olga' | 'nora' = 'oscar',
  ) => (await signedIn(server, people[name])).send('/downtimes', form(changes));

  test('schedules in the zone of the person, as long as chosen', async () => {
    const answer = await send();
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/downtimes?done=scheduled');
    expect(await windows()).toMatchObject([
      { startAt: new Date('2026-11-15T21:00Z'), endAt: new Date('2026-11-15T23:00Z'), reason: 'Defrost' },
    ]);
  });

  test('an end that is given counts instead', async () => {
    await send({ end_time: '2026-11-16T02:30' });
    expect(await windows()).toMatchObject([{ endAt: new Date('2026-11-16T01:30Z') }]);
  });

  test.each([
    [{ reason: '  ' }, 400, 'Reason is required'],
    [{ start_time: 'tomorrow' }, 400, 'Invalid datetime format. Use datetime-local format.'],
    [{ duration: '7' }, 400, 'Invalid datetime format. Use datetime-local format.'],
    [{ end_time: '2026-11-15T21:00' }, 400, 'End time must be after the start time'],
    [
      { start_time: '2026-11-14T01:00' },
      400,
      'Downtime window is in the past (its end time has already passed)',
    ],
    [{ service_id: '' }, 422, 'Choose a service.'],
    [{ service_id: '99999999999' }, 400, 'Invalid service'],
    [{ service_id: '2147483647' }, 403, 'You do not have permission to schedule downtime for this service'],
  ])('%j: %i %s, and what was written is still there', async (changes, status, text) => {
    const html = await expectPage(await send({ reason: 'Defrost <b>', ...changes }), status);
    expect(html).toContain(`role="alert">${text}</p>`);
    if (!('reason' in changes)) expect(html).toContain('value="Defrost &lt;b>"');
    expect(await windows()).toEqual([]);
  });

  test.each([
    ['vera', 403, 'Operator role or higher required to schedule downtime'],
    ['olga', 403, 'You do not have permission to schedule downtime for this service'],
    ['nora', 403, 'Not authorized'],
  ] as const)('%s: %i %s', async (name, status, text) => {
    expect(await expectPage(await send({}, name), status)).toContain(text);
    expect(await windows()).toEqual([]);
  });
});

describe('/downtimes/{downtime_id}/cancel', () => {
  const cancelPath = async () => `/downtimes/${(await windows())[0]?.id}/cancel`;

  test('asks first, then cancels', async () => {
    await setDowntime(server, freezer, -hours(1), hours(1));
    const oscar = await signedIn(server, people.oscar);
    const html = await expectPage(await oscar.open(await cancelPath()), 200);
    expect(html).toContain('Cancel the downtime of ULT 3?');
    expect(html).toContain('ULT 3');
    expect(await windows()).toHaveLength(1);
    expect((await oscar.send(await cancelPath())).headers.get('location')).toBe('/downtimes?done=cancelled');
    expect(await windows()).toEqual([]);
  });

  test('who may not sees no question, and is refused in words', async () => {
    await setDowntime(server, freezer, -hours(1), hours(1));
    const [vera, olga] = [await signedIn(server, people.vera), await signedIn(server, people.olga)];
    await expectPage(await vera.open(await cancelPath()), 404);
    await expectPage(await olga.open(await cancelPath()), 404);
    expect(await expectPage(await vera.send(await cancelPath()), 403)).toContain(
      'Operator role or higher required to cancel downtime',
    );
    expect(await expectPage(await olga.send(await cancelPath()), 404)).toContain(
      'Downtime not found or not authorized',
    );
    expect(await windows()).toHaveLength(1);
  });

  test('one that is over cannot be cancelled', async () => {
    await setDowntime(server, freezer, -hours(2), -hours(1));
    const oscar = await signedIn(server, people.oscar);
    await expectPage(await oscar.open(await cancelPath()), 404);
    await expectPage(await oscar.send(await cancelPath()), 404);
    await expectPage(await oscar.send('/downtimes/x/cancel'), 404);
  });
});
