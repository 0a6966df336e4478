import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anonymously, expectDetail, HX } from '../support/answers.ts';
import { DOWNTIMES, type DowntimeDesk, openDowntimeDesk } from '../support/downtime-desk.ts';
import { hours, minutes, seconds } from '../support/movable-clock.ts';
import { auditOf } from '../support/sign-in.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let desk: DowntimeDesk;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  desk = await openDowntimeDesk(server);
});

type Name = 'vera' | 'oscar' | 'ada' | 'olga' | 'nora' | 'anonymous';

const send = (name: Name, changes: Record<string, string> = {}) =>
  name === 'anonymous'
    ? anonymously(server, DOWNTIMES, { method: 'POST', body: new URLSearchParams(desk.form(changes)) })
    : desk.schedule(desk[name], changes);

/** Whatever is refused, nothing is saved. */
async function expectRefusal(answer: Response, status: number, detail: unknown) {
  await expectDetail(answer, status, detail);
  expect(await desk.stored()).toEqual([]);
}

const secondsLater = (count: number) =>
  new Date(server.clock.read().getTime() + seconds(count)).toISOString();
const written = (instant: string) => instant.replace('.000Z', 'Z');

const OUTSIDE = 'You do not have permission to schedule downtime for this service';
const VIEWER = 'Operator role or higher required to schedule downtime';
const REASON = 'Reason is required';
const FORMAT = 'Invalid datetime format. Use datetime-local format.';
const ORDER = 'End time must be after the start time';
const PAST = 'Downtime window is in the past (its end time has already passed)';

describe('POST /api/v1/downtimes, the answer', () => {
  test.each(['oscar', 'ada'] as const)(
    '303 for %s, to the page of the service, without a body',
    async (name) => {
      const answer = await send(name);
      expect(answer.status).toBe(303);
      expect(answer.headers.get('location')).toBe(`/services/${desk.freezer.id}`);
      expect(answer.headers.get('content-length')).toBe('0');
      expect(await answer.text()).toBe('');
    },
  );

  test('303 with HX-Request too', async () => {
    const answer = await desk.oscar.post(DOWNTIMES, desk.form(), HX);
    expect(answer.status).toBe(303);
    expect(await answer.text()).toBe('');
  });

  test('stores the reason exactly as sent', async () => {
    const reason = '  <b>Abtauen</b> & "Türdichtung"\r\n❄ ';
    await desk.schedule(desk.oscar, { reason });
    expect(await desk.list(desk.vera)).toMatchObject([{ reason }]);
  });

  test('a form may be multipart', async () => {
    const body = new FormData();
    for (const [name, value] of Object.entries(desk.form())) body.set(name, value);
    const token = await server.signer.issue({ accountId: desk.oscar.id, generation: 1 }, server.clock.read());
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(server.url + DOWNTIMES, { method: 'POST', body, headers, redirect: 'manual' });
    expect(answer.status).toBe(303);
  });

  test('an archived service may have downtime scheduled', async () => {
    await desk.archive(desk.freezer);
    expect((await send('oscar')).status).toBe(303);
    expect(await desk.stored()).toHaveLength(1);
    expect(await desk.list(desk.oscar)).toEqual([]);
  });

  test('windows of one service may overlap', async () => {
    await send('oscar');
    await send('oscar');
    await send('ada', { end_time: written(secondsLater(60)) });
    expect(await desk.list(desk.vera)).toHaveLength(3);
  });

  test('leaves an audit record with reason, window and id', async () => {
    await desk.schedule(desk.oscar, { reason: 'Defrost\n"now"' });
    const [window] = await desk.stored();
    expect(await auditOf(server, desk.oscar)).toEqual([
      {
        action: 'downtime.schedule',
        detail: {
          downtime: window?.id,
          reason: 'Defrost\n"now"',
          start_time: '2026-11-15T03:00:00.000+00:00',
          end_time: '2026-11-15T04:00:00.000+00:00',
        },
      },
    ]);
    const [record] = await server.db.query(sql`
      select organization_id, service_id, account_name, address, request_id is not null as "hasRequest"
      from audit where account_id = ${desk.oscar.id}`);
    expect(record).toEqual({
      organization_id: desk.organization,
      service_id: desk.freezer.id,
      account_name: 'Oscar',
      address: '127.0.0.1',
      hasRequest: true,
    });
  });
});

describe('POST /api/v1/downtimes, the errors', () => {
  test.each(['nora', 'anonymous'] as const)('403 Not authorized: %s has no role anywhere', async (name) => {
    await expectRefusal(await send(name), 403, 'Not authorized');
  });

  test('403: the service is missing', async () => {
    await expectRefusal(await send('oscar', { service_id: '2147483647' }), 403, OUTSIDE);
  });

  test.each(['0', '-1', '-2147483648', '-0'])('403: %s is a missing service', async (service_id) => {
    await expectRefusal(await send('oscar', { service_id }), 403, OUTSIDE);
  });

  test('403: the service is outside the organizations, and nothing of it shows', async () => {
    await expectRefusal(await send('oscar', { service_id: String(desk.incubator.id) }), 403, OUTSIDE);
    await expectRefusal(await send('olga'), 403, OUTSIDE);
    expect(await desk.stored(desk.incubator)).toEqual([]);
  });

  test('403: a viewer', async () => {
    await expectRefusal(await send('vera'), 403, VIEWER);
  });

  test('403: the role counts in the organization of the service', async () => {
    await server.db.query(sql`
      insert into membership (account_id, organization_id, role, created_at)
      values (${desk.olga.id}, ${desk.organization}, 'viewer', ${server.clock.read()})`);
    await expectRefusal(await send('olga'), 403, VIEWER);
    expect((await send('olga', { service_id: String(desk.incubator.id) })).status).toBe(303);
  });

  test.each(['2147483648', '-2147483649', '9'.repeat(40), `-${'9'.repeat(400)}`])(
    '400 Invalid service: %s cannot be looked up',
    async (service_id) => expectRefusal(await send('oscar', { service_id }), 400, 'Invalid service'),
  );

  test.each(['', ' ', '\t\r\n', '\u00a0'])('400 Reason is required: %j', async (reason) => {
    await expectRefusal(await send('oscar', { reason }), 400, REASON);
  });

  test.each(['start_time', 'end_time'])('400: an unparsable %s', async (field) => {
    const good = written(secondsLater(60));
    const texts = [
      ...['', ' ', 'tomorrow', '2026-11-16 04:00', '2026-11-16T04:00:00.000Z', '2026-11-16T04:00+0200'],
      ...['2026-11-16t04:00', '2026-11-16T04:00z', '2026-11-31', '2027-02-29T04:00', '2026-11-16T24:00'],
      ...['2026-11-16T04:00+24:00', ` ${good}`, `${good} `],
    ];
    for (const text of texts) await expectRefusal(await send('oscar', { [field]: text }), 400, FORMAT);
  });

  test('400 End time must be after the start time: before it, or the same', async () => {
    const start_time = '2026-12-01T08:00Z';
    await expectRefusal(await send('oscar', { start_time, end_time: '2026-12-01T07:59:59Z' }), 400, ORDER);
    await expectRefusal(await send('oscar', { start_time, end_time: '2026-12-01T09:00+01:00' }), 400, ORDER);
  });

  test('400 Downtime window is in the past: ended, or ending this very moment', async () => {
    const start_time = '2026-11-01';
    for (const end_time of [secondsLater(-1), secondsLater(0)].map(written)) {
      await expectRefusal(await send('oscar', { start_time, end_time }), 400, PAST);
    }
    expect((await send('oscar', { start_time, end_time: written(secondsLater(1)) })).status).toBe(303);
  });

  test.each(['service_id', 'start_time', 'end_time', 'reason'])('422: %s is missing', async (field) => {
    const { [field]: _, ...form } = desk.form();
    await expectRefusal(await desk.oscar.post(DOWNTIMES, form), 422, [
      { type: 'missing', loc: ['body', field], msg: 'Field required', input: null },
    ]);
  });

  test('422: no form at all names every field', async () => {
    const answer = await desk.oscar.post(DOWNTIMES);
    expect(answer.status).toBe(422);
    const { detail } = (await answer.json()) as { detail: { loc: string[] }[] };
    expect(detail.map(({ loc }) => loc[1])).toEqual(['service_id', 'start_time', 'end_time', 'reason']);
  });

  test.each(['', ' ', 'freezer', '1.0', '1e3', '0x1', ' 1', '1 ', '--1', '٣'])(
    '422: a service_id of %j is not an integer',
    async (input) => {
      await expectRefusal(await send('oscar', { service_id: input }), 422, [
        { type: 'integer', loc: ['body', 'service_id'], msg: expect.any(String), input },
      ]);
    },
  );

  test('422: a NUL character in the reason', async () => {
    const answer = await send('oscar', { reason: 'a\0b' });
    expect([answer.status, await desk.stored()]).toEqual([422, []]);
  });

  test('401: a token that is not valid', async () => {
    const answer = await desk.oscar.post(DOWNTIMES, desk.form(), { authorization: 'Bearer nonsense' });
    await expectRefusal(answer, 401, 'Could not validate credentials');
  });
});

describe('several things are wrong at once: the first of the ladder answers', () => {
  const WRONG = { reason: ' ', start_time: 'x', end_time: '2020-01-01' };
  const bad = (changes: Record<string, string> = {}) => ({ ...WRONG, ...changes });

  test.each<[string, Name, Record<string, string>, number, string]>([
    ['no role, before an invalid service', 'nora', bad({ service_id: '2147483648' }), 403, 'Not authorized'],
    ['no role, anonymously', 'anonymous', bad({ service_id: '2147483648' }), 403, 'Not authorized'],
    ['invalid service, before the role', 'vera', bad({ service_id: '2147483648' }), 400, 'Invalid service'],
    ['missing service, before the reason', 'vera', bad({ service_id: '0' }), 403, OUTSIDE],
    ['outside, before the reason', 'olga', bad(), 403, OUTSIDE],
    ['viewer, before the reason', 'vera', bad(), 403, VIEWER],
    ['reason, before the format', 'oscar', bad(), 400, REASON],
    ['format, before the past', 'oscar', bad({ reason: 'x' }), 400, FORMAT],
    ['order, before the past', 'oscar', bad({ reason: 'x', start_time: '2020-01-02' }), 400, ORDER],
  ])('%s', async (_, name, changes, status, detail) =>
    expectRefusal(await send(name, changes), status, detail),
  );

  test('422 comes before no role', async () => {
    expect((await desk.nora.post(DOWNTIMES, { service_id: 'x' })).status).toBe(422);
  });
});

describe('every format of the contract, read in the zone of the profile', () => {
  const liveIn = (zone: string) =>
    server.db.query(sql`update account set timezone = ${zone} where id = ${desk.oscar.id}`);

  test.each([
    ['Europe/Berlin', '2026-12-01T08:00', '2026-12-01T07:00:00.000Z'],
    ['Europe/Berlin', '2026-12-01T08:00:30', '2026-12-01T07:00:30.000Z'],
    ['Europe/Berlin', '2026-12-01T08:00Z', '2026-12-01T08:00:00.000Z'],
    ['Europe/Berlin', '2026-12-01T08:00:30Z', '2026-12-01T08:00:30.000Z'],
    ['Europe/Berlin', '2026-12-01T08:00+05:45', '2026-12-01T02:15:00.000Z'],
    ['Europe/Berlin', '2026-12-01T08:00:30-03:30', '2026-12-01T11:30:30.000Z'],
    ['Europe/Berlin', '2026-12-01', '2026-11-30T23:00:00.000Z'],
    ['America/New_York', '2026-12-01T08:00', '2026-12-01T13:00:00.000Z'],
    ['America/New_York', '2026-12-01', '2026-12-01T05:00:00.000Z'],
    ['Pacific/Apia', '2026-12-01T08:00', '2026-11-30T19:00:00.000Z'],
    ['UTC', '2026-12-01T08:00', '2026-12-01T08:00:00.000Z'],
    // Summer time begins (gap) and ends (fold).
    ['Europe/Berlin', '2027-03-28T02:30', '2027-03-28T01:30:00.000Z'],
    ['Europe/Berlin', '2027-10-31T02:30', '2027-10-31T00:30:00.000Z'],
    ['America/New_York', '2027-03-14T02:30', '2027-03-14T07:30:00.000Z'],
    ['America/New_York', '2027-11-07T01:30', '2027-11-07T05:30:00.000Z'],
    ['Australia/Lord_Howe', '2027-10-03T02:15', '2027-10-02T15:45:00.000Z'],
    ['Asia/Beirut', '2027-03-28', '2027-03-27T22:00:00.000Z'],
  ])('%s %s: %s', async (zone, end_time, instant) => {
    await liveIn(zone);
    await desk.schedule(desk.oscar, { start_time: '2026-11-01', end_time });
    expect((await desk.stored()).map(({ endAt }) => endAt.toISOString())).toEqual([instant]);
  });

  test('a window through the night in which the clock goes back lasts an hour longer', async () => {
    await desk.schedule(desk.oscar, { start_time: '2027-10-30T22:00', end_time: '2027-10-31T06:00' });
    const [window] = await desk.stored();
    expect(Number(window?.endAt) - Number(window?.startAt)).toBe(hours(9));
  });

  test('a window inside the gap keeps its length; one that is nothing but the gap has none', async () => {
    await desk.schedule(desk.oscar, { start_time: '2027-03-28T02:15', end_time: '2027-03-28T02:45' });
    const [window] = await desk.stored();
    expect(Number(window?.endAt) - Number(window?.startAt)).toBe(minutes(30));
    const inside = { start_time: '2027-03-28T02:00', end_time: '2027-03-28T03:00' };
    expect(await (await desk.schedule(desk.oscar, inside)).json()).toEqual({ detail: ORDER });
  });

  test('the reader of the list sees UTC, whatever the zone', async () => {
    await desk.schedule(desk.oscar, { start_time: '1900-01-01', end_time: '9999-12-31T23:59:59Z' });
    expect(await desk.list(desk.vera)).toMatchObject([
      { start_time: '1899-12-31T23:00:00.000+00:00', end_time: '9999-12-31T23:59:59.000+00:00' },
    ]);
  });

  test('a start of long ago is kept to the second', async () => {
    await desk.schedule(desk.oscar, { start_time: '0001-01-01T00:00Z' });
    expect(await desk.list(desk.vera)).toMatchObject([{ start_time: '0001-01-01T00:00:00.000+00:00' }]);
  });
});
