import sql, { raw } from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ServiceId } from '../../src/domain/ids.ts';
import { completeRequest } from '../../src/engine/advice/recommendations.ts';
import { holdToChange } from '../../src/engine/journal/lock-alarm-states.ts';
import { anonymously, expectDetail, expectField, expectFragment, HX } from '../support/answers.ts';
import {
  acknowledgementsOf,
  archive,
  auditOfService,
  createFreezer,
  type Freezer,
  setAlarm,
} from '../support/equipment.ts';
import { type Fuse, failingDatabase } from '../support/failing-database.ts';
import {
  limitsOf,
  openRecommendationDesk,
  type RecommendationDesk,
  recommendationsOf,
  wordsOf,
} from '../support/recommendation-desk.ts';
import { cloneDatabase } from '../support/test-database.ts';
import { startServerOn, type TestServer } from '../support/test-server.ts';

const NO_SUCH = 'No such recommendation result.';
const DIFFERENT = 'This recommendation belongs to a different service.';
const NOT_UNAPPLIED = 'No unapplied result or already applied.';
const NO_BANDS = 'Result has no proposed_bands (structured output pending in AI tool).';
const UNUSABLE =
  'Result has no usable proposed_bands (AI output was not a structured list of bands). Cannot apply.';
const INSUFFICIENT = 'Insufficient permissions to apply recommendations';
const LARGEST = '9223372036854775807';
const UNKNOWN = '9223372036854775800';

let server: TestServer;
let desk: RecommendationDesk;
const fuse: Fuse = { blowsAfter: null };
beforeAll(async () => {
  server = await startServerOn(failingDatabase((await cloneDatabase()).db, fuse));
});
beforeEach(async () => {
  fuse.blowsAfter = null;
  desk = await openRecommendationDesk(server);
});

const BANDS = [
  { band: 'WARNING_HIGH', limit: -65, delay: 2.5, sustained: 10 },
  { band: 'CRITICAL_HIGH', limit: -60, delay: 0, sustained: 15 },
  { band: 'CRITICAL_LOW', limit: -95.25, delay: 1, sustained: 0 },
];
const RESULT = { channel: 'temperature', proposed_bands: BANDS };

const applied = (count: number) =>
  new RegExp(`^✓ Applied ${count} band\\(s\\) from AI rec\\. Refresh .+\\.$`);
const stateOf = async (id: string, { id: serviceId }: Freezer = desk.freezer) =>
  (await recommendationsOf(server, serviceId)).find((one) => one.id === id)?.state;

test('sent as a plain form it leads back to the page, which says what came of it', async () => {
  const page = `/services/${desk.freezer.id}`;
  const id = await desk.completed(RESULT);
  const send = async (form: Record<string, string>, person = desk.ada) =>
    (await person.post(`${page}/apply-recommendation`, form)).headers.get('location') ?? '';
  expect(await desk.read(desk.ada)).toContain(`method="post" action="${page}/apply-recommendation"`);
  expect(await send({ result_id: id }, desk.oscar)).toBe(`${page}?refused=not_administrator`);
  expect(await send({})).toBe(`${page}?refused=no_such_result`);
  expect(await send({ result_id: 'x' })).toBe(`${page}?refused=no_such_result`);
  expect(await send({ result_id: id })).toBe(`${page}?done=apply-recommendation`);
  expect(await stateOf(id)).toBe('applied');
  expect(await send({ result_id: id })).toBe(`${page}?refused=not_unapplied`);
  expect(await (await desk.ada.get(`${page}?refused=not_unapplied`)).text()).toContain('applied already');
});

/** Nothing of the service has changed: its limits, acknowledgements and records. */
async function expectUnchanged(act: () => Promise<unknown>, freezer: Freezer = desk.freezer): Promise<void> {
  const read = async () => [
    await limitsOf(server, freezer.id),
    await acknowledgementsOf(server, freezer),
    await auditOfService(server, freezer),
    await recommendationsOf(server, freezer.id),
  ];
  await setAlarm(server, freezer, { severity: 'critical' });
  await desk.oscar.post(`/api/v1/alarms/${freezer.id}/acknowledge`);
  const before = await read();
  await act();
  expect(await read()).toEqual(before);
}

describe('POST /api/v1/services/{service_id}/apply-recommendation, applied', () => {
  test('says how many bands, and hints to refresh', async () => {
    const id = await desk.completed(RESULT);
    expect(wordsOf(await desk.apply(desk.ada, id))).toMatch(applied(3));
    expect(await recommendationsOf(server, desk.freezer.id)).toMatchObject([
      { id, state: 'applied', appliedAt: server.clock.read(), resultText: JSON.stringify(RESULT) },
    ]);
  });

  test.each([1, 2, 3])('n varies: %i', async (count) => {
    const id = await desk.completed({ ...RESULT, proposed_bands: BANDS.slice(0, count) });
    expect(wordsOf(await desk.apply(desk.ada, id))).toMatch(applied(count));
  });

  test('exactly the proposed bands are a new limits version of the recommended channel', async () => {
    const first = await desk.completed({ proposed_bands: [{ band: 'WARNING_LOW', limit: -90 }] });
    await desk.apply(desk.ada, first);
    const id = await desk.completed(RESULT);
    await desk.apply(desk.ada, id);
    const version = {
      channel: 'temperature',
      origin: 'recommendation',
      authorName: 'Ada',
      isPercentage: false,
      setpointChannel: null,
      stateChannel: null,
    };
    expect(await limitsOf(server, desk.freezer.id)).toEqual([
      { ...version, version: 1, isInForce: false, bands: [['WARNING_LOW', -90, 0, 0]] },
      {
        ...version,
        version: 2,
        isInForce: true,
        bands: [
          ['CRITICAL_HIGH', -60, 0, 15],
          ['CRITICAL_LOW', -95.25, 1, 0],
          ['WARNING_HIGH', -65, 2.5, 10],
        ],
      },
    ]);
  });

  test('a band of limit 0 without times is saved, too', async () => {
    const id = await desk.completed({ proposed_bands: [{ band: 'CRITICAL_LOW', limit: 0 }] });
    expect(wordsOf(await desk.apply(desk.ada, id))).toMatch(applied(1));
    expect(await limitsOf(server, desk.freezer.id)).toMatchObject([{ bands: [['CRITICAL_LOW', 0, 0, 0]] }]);
  });

  test('all acknowledgements on the service are removed', async () => {
    await setAlarm(server, desk.freezer, { severity: 'critical' });
    await desk.oscar.post(`/api/v1/alarms/${desk.freezer.id}/acknowledge`);
    await desk.apply(desk.ada, await desk.completed(RESULT));
    expect(await acknowledgementsOf(server, desk.freezer)).toMatchObject([
      { endedAt: server.clock.read(), endReason: 'limits_changed' },
    ]);
  });

  test('the audit record policy.apply_recommendation tells what was before and after', async () => {
    await desk.apply(desk.ada, await desk.completed({ proposed_bands: [BANDS[0]] }));
    const id = await desk.completed(RESULT);
    const answer = await desk.ada.post(desk.path('apply-recommendation'), { result_id: id });
    const critical = (limit: number, delay: number, sustained: number) => ({ limit, delay, sustained });
    expect((await auditOfService(server, desk.freezer)).at(-1)).toEqual({
      action: 'policy.apply_recommendation',
      detail: {
        result_id: id,
        metric_channel: 'temperature',
        version: 2,
        changes: {
          CRITICAL_HIGH: { before: null, after: critical(-60, 0, 15) },
          CRITICAL_LOW: { before: null, after: critical(-95.25, 1, 0) },
        },
      },
      organizationId: desk.organization,
      accountId: desk.ada.id,
      accountName: 'Ada',
      happenedAt: server.clock.read(),
      address: '127.0.0.1',
      requestId: answer.headers.get('x-request-id'),
    });
  });

  test('a result that waits can be applied while and after a newer one is asked for', async () => {
    const older = await desk.completed(RESULT);
    await desk.recommend(desk.ada);
    expect(wordsOf(await desk.apply(desk.ada, older))).toMatch(applied(3));
    const [, newer] = await recommendationsOf(server, desk.freezer.id);
    expect(newer).toMatchObject({ state: 'pending' });
  });

  test('the result_id 9223372036854775807 is told from its neighbours', async () => {
    const column = `pg_get_serial_sequence('recommendation', 'id')`;
    const [sequence] = await server.db.query<{ last: string }>(raw(`select nextval(${column}) as "last"`));
    const newest = async (id: bigint) => {
      await server.db.query(
        sql`select setval(pg_get_serial_sequence('recommendation', 'id'), ${String(id)}, false)`,
      );
      return desk.completed(RESULT);
    };
    const beforeLast = await newest(BigInt(LARGEST) - 1n);
    const last = await newest(BigInt(LARGEST));
    await server.db.query(sql`
      select setval(pg_get_serial_sequence('recommendation', 'id'), ${sequence?.last})`);
    expect([beforeLast, last]).toEqual(['9223372036854775806', LARGEST]);
    expect(await desk.read(desk.ada)).toContain(`name="result_id" value="${LARGEST}"`);
    expect(wordsOf(await desk.apply(desk.ada, '9223372036854775805'))).toContain(NO_SUCH);
    expect(wordsOf(await desk.apply(desk.ada, LARGEST))).toMatch(applied(3));
    expect(await stateOf(beforeLast)).toBe('completed');
    expect(await stateOf(last)).toBe('applied');
    const page = `/services/${desk.freezer.id}`;
    const sent = await desk.ada.post(`${page}/apply-recommendation`, { result_id: beforeLast });
    expect(sent.headers.get('location')).toBe(`${page}?done=apply-recommendation`);
    expect(await stateOf(beforeLast)).toBe('applied');
  });

  test.each([{}, HX])('a fragment, with the headers %j', async (headers) => {
    const id = await desk.completed(RESULT);
    const answer = await desk.ada.post(desk.path('apply-recommendation'), { result_id: id }, headers);
    expect(await expectFragment(answer)).toMatch(
      new RegExp(`^<div id="recommendation-${desk.freezer.id}" class="recommendation">.*</div>$`),
    );
  });
});

describe('which channel', () => {
  const channelOf = async (result: object, freezer: Freezer = desk.freezer) => {
    const id = await desk.completed({ proposed_bands: BANDS, ...result }, freezer);
    expect(wordsOf(await desk.apply(desk.ada, id, freezer))).toMatch(applied(3));
    return (await limitsOf(server, freezer.id)).at(-1)?.channel;
  };

  test('the one that the result names, also before it has reported', async () => {
    expect(await channelOf({ channel: 'co2' })).toBe('co2');
    expect(await channelOf({ channel: 'battery' })).toBe('battery');
  });

  test('default means service-wide', async () => {
    expect(await channelOf({ channel: 'default' })).toBeNull();
  });

  test.each([[undefined], [null], ['']])('%j: the main metric channel', async (channel) => {
    expect(await channelOf({ channel })).toBe('temperature');
  });

  test('the main channel is the one with limits of its own', async () => {
    await server.db.query(sql`
      insert into channel (service_id, name, kind, created_at)
      values (${desk.freezer.id}, 'pressure', 'metric', ${server.clock.read()})`);
    expect(await channelOf({})).toBe('temperature');
    const other = await createFreezer(server, desk);
    await server.db.query(sql`
      insert into channel (service_id, name, kind, created_at)
      values (${other.id}, 'pressure', 'metric', ${server.clock.read()})`);
    await channelOf({ channel: 'pressure' }, other);
    expect(await channelOf({}, other)).toBe('pressure');
  });

  test('a service without a metric channel: service-wide', async () => {
    await server.db.query(sql`update channel set kind = 'state' where service_id = ${desk.freezer.id}`);
    expect(await channelOf({})).toBeNull();
  });
});

describe('percentage mode', () => {
  const apply = async (result: object) => {
    await desk.apply(desk.ada, await desk.completed({ ...RESULT, ...result }));
    const { isPercentage, setpointChannel, stateChannel } =
      (await limitsOf(server, desk.freezer.id)).at(-1) ?? {};
    return [isPercentage, setpointChannel, stateChannel];
  };

  test('only when the result says so; what it does not name stays, what it leaves ends', async () => {
    expect(await apply({ setpoint_channel: 'setpoint' })).toEqual([false, null, null]);
    const named = { is_percentage: true, setpoint_channel: 'setpoint', state_channel: 'running' };
    expect(await apply(named)).toEqual([true, 'setpoint', 'running']);
    expect(await apply({ is_percentage: true })).toEqual([true, 'setpoint', 'running']);
    expect(await apply({})).toEqual([false, null, null]);
    expect(await apply({ is_percentage: true })).toEqual([true, null, null]);
  });
});

describe('the refusals, which change nothing', () => {
  test('No such recommendation result.', async () => {
    await expectUnchanged(async () => {
      for (const id of ['2000000000', '4000000000', UNKNOWN]) {
        expect(await desk.apply(desk.ada, id)).toContain(`>${NO_SUCH}<`);
      }
    });
  });

  test('This recommendation belongs to a different service: nothing changed on either', async () => {
    const other = await createFreezer(server, desk);
    const id = await desk.completed(RESULT, other);
    await expectUnchanged(
      () => expectUnchanged(async () => expect(await desk.apply(desk.ada, id)).toContain(`>${DIFFERENT}<`)),
      other,
    );
    expect(await stateOf(id, other)).toBe('completed');
  });

  test('a different service comes before all that may be wrong with the result', async () => {
    const other = await createFreezer(server, desk);
    const id = await desk.completed({}, other);
    expect(await desk.apply(desk.ada, id)).toContain(DIFFERENT);
    const done = await desk.completed(RESULT, other);
    await desk.apply(desk.ada, done, other);
    expect(await desk.apply(desk.ada, done)).toContain(DIFFERENT);
  });

  test('No unapplied result or already applied: applied', async () => {
    const id = await desk.completed(RESULT);
    await desk.apply(desk.ada, id);
    await expectUnchanged(async () => expect(await desk.apply(desk.ada, id)).toContain(`>${NOT_UNAPPLIED}<`));
  });

  test('No unapplied result or already applied: pending or failed, so there is none', async () => {
    const failed = await desk.failed('Too little data');
    expect(await desk.apply(desk.ada, failed)).toContain(NOT_UNAPPLIED);
    await desk.recommend(desk.ada);
    const [, pending] = await recommendationsOf(server, desk.freezer.id);
    await expectUnchanged(async () =>
      expect(await desk.apply(desk.ada, pending?.id ?? '')).toContain(NOT_UNAPPLIED),
    );
  });

  test.each([[{}], [{ proposed_bands: null }], [{ reasoning: 'soon' }]])(
    'Result has no proposed_bands: %j',
    async (result) => {
      const id = await desk.completed(result);
      await expectUnchanged(async () => expect(await desk.apply(desk.ada, id)).toContain(`>${NO_BANDS}<`));
      expect(await stateOf(id)).toBe('completed');
    },
  );

  test.each([
    ['an empty list', []],
    ['a text', 'CRITICAL_HIGH -60'],
    ['an object', { CRITICAL_HIGH: { limit: -60 } }],
    ['a number', 7],
    ['false', false],
    ['a list of texts', ['CRITICAL_HIGH']],
    ['an unknown band', [{ band: 'HIGH', limit: 1 }]],
    ['a limit in quotes', [{ band: 'CRITICAL_HIGH', limit: '1' }]],
    ['no limit', [{ band: 'CRITICAL_HIGH' }]],
    ['valid and invalid bands', [...BANDS, { band: 'WARNING_LOW', limit: null }]],
    ['the same band twice', [BANDS[0], BANDS[0]]],
    ['a negative time', [{ band: 'CRITICAL_HIGH', limit: 1, delay: -1 }]],
    ['a time beyond all clocks', [{ band: 'CRITICAL_HIGH', limit: 1, sustained: 1e300 }]],
    ['bands that contradict each other', [BANDS[1], { band: 'WARNING_HIGH', limit: -50 }]],
  ])('Result has no usable proposed_bands: %s', async (_, proposed_bands) => {
    const id = await desk.completed({ channel: 'temperature', proposed_bands });
    await expectUnchanged(async () => expect(await desk.apply(desk.ada, id)).toContain(`>${UNUSABLE}<`));
    expect(await stateOf(id)).toBe('completed');
  });

  test('a result of others with any channel and times at all is applied or refused, never a failure', async () => {
    const channels = [7, {}, 'a\0b', 'x'.repeat(201), 'x'.repeat(200), '\ud800', '__proto__', ' '];
    for (const channel of channels) {
      const id = await desk.completed({ channel, proposed_bands: BANDS });
      expect(wordsOf(await desk.apply(desk.ada, id))).toMatch(/^(✓ Applied 3|Result has no usable)/);
    }
    const far = [{ band: 'CRITICAL_HIGH', limit: 1e308, delay: 2147483647, sustained: 2147483647 }];
    expect(wordsOf(await desk.apply(desk.ada, await desk.completed({ proposed_bands: far })))).toMatch(
      applied(1),
    );
  });

  test('after a refusal, administrators get back to the recommendation', async () => {
    expect(await desk.apply(desk.ada, UNKNOWN)).toContain(
      `<button type="button" hx-get="/api/v1/services/${desk.freezer.id}/recommendation"`,
    );
  });
});

describe('the authorization failures, before anything about the result', () => {
  test('Not authorized: no role anywhere, whatever the service', async () => {
    const id = await desk.completed(RESULT);
    const body = new URLSearchParams({ result_id: id });
    await expectUnchanged(async () => {
      for (const serviceId of [desk.freezer.id, 2147483647]) {
        const path = desk.path('apply-recommendation', serviceId);
        const answers = [
          await desk.nora.post(path, { result_id: id }),
          await anonymously(server, path, { method: 'POST', body }),
        ];
        for (const answer of answers) expect(wordsOf(await expectFragment(answer))).toBe('Not authorized');
      }
    });
  });

  test('Service not found: no such service', async () => {
    for (const person of [desk.vera, desk.oscar, desk.ada, desk.olga]) {
      const answer = await person.post(desk.path('apply-recommendation', 2147483647), { result_id: '1' });
      expect(wordsOf(await expectFragment(answer))).toBe('Service not found');
    }
  });

  test('Service not found: outside the organizations', async () => {
    const id = await desk.completed(RESULT);
    await expectUnchanged(async () => {
      expect(wordsOf(await desk.apply(desk.olga, id))).toBe('Service not found');
      expect(wordsOf(await desk.apply(desk.olga, UNKNOWN))).toBe('Service not found');
    });
  });

  test('Service not found: archived', async () => {
    const id = await desk.completed(RESULT);
    await archive(server, desk.freezer);
    for (const person of [desk.vera, desk.oscar, desk.ada, desk.olga]) {
      expect(wordsOf(await desk.apply(person, id))).toBe('Service not found');
    }
    expect(await limitsOf(server, desk.freezer.id)).toEqual([]);
  });

  test('Insufficient permissions: viewer and operator, whatever the result', async () => {
    const id = await desk.completed(RESULT);
    await expectUnchanged(async () => {
      for (const person of [desk.vera, desk.oscar]) {
        expect(await desk.apply(person, id)).toContain(`>${INSUFFICIENT}<`);
        expect(await desk.apply(person, UNKNOWN)).toContain(`>${INSUFFICIENT}<`);
      }
    });
  });
});

describe('several at the same moment', () => {
  test('one result: exactly one wins', async () => {
    const id = await desk.completed(RESULT);
    const answers = await Promise.all(Array.from({ length: 10 }, () => desk.apply(desk.ada, id)));
    const texts = answers.map(wordsOf);
    expect(texts.filter((text) => applied(3).test(text))).toHaveLength(1);
    expect(texts.filter((text) => text.startsWith(NOT_UNAPPLIED))).toHaveLength(9);
    expect(await limitsOf(server, desk.freezer.id)).toHaveLength(1);
    const actions = (await auditOfService(server, desk.freezer)).map(({ action }) => action);
    expect(actions.filter((action) => action === 'policy.apply_recommendation')).toHaveLength(1);
  });

  test('two results: both versions exist, in order', async () => {
    const ids = [await desk.completed(RESULT), await desk.completed(RESULT)];
    const texts = (await Promise.all(ids.map((id) => desk.apply(desk.ada, id)))).map(wordsOf);
    expect(texts.every((text) => applied(3).test(text))).toBe(true);
    expect(await limitsOf(server, desk.freezer.id)).toMatchObject([
      { version: 1, isInForce: false },
      { version: 2, isInForce: true },
    ]);
  });

  test('a service that is archived meanwhile keeps its limits', async () => {
    const id = await desk.completed(RESULT);
    let applying: Promise<string> = Promise.resolve('');
    await server.db.transaction(async (tx) => {
      holdToChange(tx, [desk.freezer.id as ServiceId]);
      await tx.query(sql`select`);
      applying = desk.apply(desk.ada, id);
      await expect
        .poll(() =>
          server.db.query(sql`
            select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`),
        )
        .toHaveLength(1);
      await tx.query(
        sql`update service set archived_at = ${server.clock.read()} where id = ${desk.freezer.id}`,
      );
    });
    expect(wordsOf(await applying)).toBe('Service not found');
    expect(await limitsOf(server, desk.freezer.id)).toEqual([]);
  });
});

describe('the errors', () => {
  const ids = ['0', '-1', '+1', '2147483648', `1${'0'.repeat(400)}`, 'abc', '1.0', '1e3', '%201', ''];
  test.each(ids)('422: the service_id %j', async (id) => {
    const path = desk.path('apply-recommendation', id);
    const input = decodeURIComponent(id);
    await expectField(await desk.ada.post(path, { result_id: '1' }), 'path', 'service_id', input);
    const body = new URLSearchParams({ result_id: '1' });
    await expectField(await anonymously(server, path, { method: 'POST', body }), 'path', 'service_id', input);
  });

  test.each([
    '0',
    '-1',
    '+1',
    '9223372036854775808',
    `1${'0'.repeat(400)}`,
    'abc',
    '1.0',
    '1e3',
    ' 1',
    '',
    '1\0',
  ])('422: the result_id %j, for everybody', async (result_id) => {
    const path = desk.path('apply-recommendation');
    for (const person of [desk.ada, desk.vera, desk.olga, desk.nora]) {
      await expectField(await person.post(path, { result_id }), 'body', 'result_id', result_id);
    }
    const body = new URLSearchParams({ result_id });
    const answer = await anonymously(server, path, { method: 'POST', body });
    await expectField(answer, 'body', 'result_id', result_id);
  });

  test('422: a missing result_id', async () => {
    const missing = [{ type: 'missing', loc: ['body', 'result_id'], msg: 'Field required', input: null }];
    const path = desk.path('apply-recommendation');
    await expectDetail(await desk.ada.post(path), 422, missing);
    await expectDetail(await anonymously(server, path, { method: 'POST' }), 422, missing);
  });

  test('401 Could not validate credentials before everything else', async () => {
    const headers = { authorization: 'Bearer nonsense' };
    const path = desk.path('apply-recommendation', 'abc');
    const answer = await anonymously(server, path, { method: 'POST', headers });
    await expectDetail(answer, 401, 'Could not validate credentials');
  });

  test.each([
    ['once the limits are saved', /insert into limits_band/],
    ['once the result is marked', /update recommendation/],
    ['once it is on record', /insert into audit/],
  ])('503, and nothing changed: the connection is lost %s', async (_, statement) => {
    const id = await desk.completed(RESULT);
    await expectUnchanged(async () => {
      fuse.blowsAfter = statement;
      const answer = await desk.ada.post(desk.path('apply-recommendation'), { result_id: id });
      fuse.blowsAfter = null;
      await expectDetail(answer, 503, 'The database is not available at the moment: try again');
    });
    expect(wordsOf(await desk.apply(desk.ada, id))).toMatch(applied(3));
  });
});

test('a result that an advisor completes once is not completed again', async () => {
  const id = await desk.completed(RESULT);
  await desk.apply(desk.ada, id);
  expect(await completeRequest(server.db, id, {}, server.clock.read())).toBe(false);
  expect(await recommendationsOf(server, desk.freezer.id)).toMatchObject([
    { state: 'applied', resultText: JSON.stringify(RESULT) },
  ]);
});
