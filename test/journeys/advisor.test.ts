// From a request for limits to the result: history, statistics in a worker thread, backtest, and what people are told.
import { pino } from 'pino';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import type { RecommendationResult } from '../../src/domain/advisor/recommendation.ts';
import type { ServiceId } from '../../src/domain/ids.ts';
import { findLimitsFault } from '../../src/domain/judging/limits.ts';
import { type AdvisorDeps, createAdvisor } from '../../src/engine/advice/advising.ts';
import { claimRequest, completeRequest } from '../../src/engine/advice/recommendations.ts';
import { first } from '../../src/platform/db/database.ts';
import { openLog } from '../../src/platform/log.ts';
import { archive, setDowntime } from '../support/equipment.ts';
import { MONTH_OF_MINUTES, readFreezer, storeReadings } from '../support/history.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { says, sends, startLlmServer } from '../support/llm-server.ts';
import { hours, minutes, seconds } from '../support/movable-clock.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let lab: Lab;
beforeAll(async () => {
  server = await startServer();
  lab = await openLab(server);
});

const advise = (settings: Partial<AdvisorDeps> = {}) =>
  createAdvisor({
    db: server.db,
    clock: server.clock.read,
    log: openLog('silent'),
    config: { llm: null },
    pause: async () => {},
    ...settings,
  }).work();

const request = (serviceId: ServiceId) => lab.ada.post(`/api/v1/services/${serviceId}/recommend`);

interface Recommendation {
  state: string;
  reason: string | null;
  result: RecommendationResult | null;
  attempts: number;
}
const recommendationOf = async (serviceId: ServiceId) =>
  first(
    await server.db.query<Recommendation>(sql`
      select state, failure_reason as "reason", result, attempts from recommendation
      where service_id = ${serviceId} order by id desc limit 1`),
  );

/** Asks, lets the advisor work, and looks at what came of it. */
async function recommend(serviceId: ServiceId, settings: Partial<AdvisorDeps> = {}) {
  await request(serviceId);
  await advise(settings);
  return recommendationOf(serviceId);
}

describe('the builtin advisor', () => {
  test('30 days of a freezer: limits in order, reasons, and a backtest against those in force', async () => {
    const { id } = await lab.freezer({
      limits: [{ channel: 'temperature', bands: { WARNING_HIGH: { limit: -78 } } }],
    });
    await storeReadings(server, id, { count: MONTH_OF_MINUTES, value: readFreezer });

    await request(id);
    await advise();

    const recommendation = await recommendationOf(id);
    expect(recommendation).toMatchObject({ state: 'completed', attempts: 1, reason: null });
    const result = recommendation?.result as RecommendationResult;
    expect(result).toMatchObject({ channel: 'temperature', is_percentage: false, advisor: 'builtin' });
    expect(result.proposed_bands.length).toBeGreaterThanOrEqual(2);
    const bands = result.proposed_bands.map(({ band, limit }) => ({
      band,
      limit,
      delayMinutes: 0,
      sustainedMinutes: 0,
    }));
    expect(findLimitsFault({ isPercentage: false, bands })).toBeNull();
    expect(result.reasoning.length).toBeGreaterThan(0);
    expect(result.backtest).toMatchObject({
      readings: MONTH_OF_MINUTES,
      to: '2026-11-15T03:00:00.000+00:00',
      proposed: { alarms: 0, alarm_minutes: 0, longest_minutes: 0 },
    });
    expect(result.backtest?.current.alarms).toBeGreaterThanOrEqual(60);
  });

  test('too little data: failed with the reason', async () => {
    const { id } = await lab.freezer();
    await storeReadings(server, id, { count: 10, value: readFreezer });
    expect(await recommend(id)).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(/readings/),
      result: null,
    });
  });

  test('a service without a metric channel', async () => {
    const { id } = await lab.freezer({ channels: [{ name: 'door', kind: 'state' }] });
    expect(await recommend(id)).toMatchObject({
      state: 'failed',
      reason: 'The service has no metric channel that limits could be recommended for.',
    });
  });

  test('a service archived after the request', async () => {
    const { id } = await lab.freezer();
    await request(id);
    await archive(server, { id, name: '' });
    await advise();
    expect(await recommendationOf(id)).toMatchObject({ state: 'failed', reason: 'The service is archived.' });
  });
});

describe('what was not normal operation is left out', () => {
  const warmFor = (from: number, to: number) => (index: number) =>
    index >= from && index < to ? -20 : readFreezer(index);
  const limitsOf = (found: Recommendation | null) =>
    found?.result?.proposed_bands.map(({ band, limit }) => [band, limit]);

  test('a downtime of two days changes nothing', async () => {
    const [steady, defrosted] = [await lab.freezer(), await lab.freezer()];
    await storeReadings(server, steady.id, { count: MONTH_OF_MINUTES, value: readFreezer });
    await storeReadings(server, defrosted.id, { count: MONTH_OF_MINUTES, value: warmFor(10_000, 12_880) });
    const ago = (index: number) => minutes(index + 1 - MONTH_OF_MINUTES);
    await setDowntime(server, { id: defrosted.id, name: '' }, ago(10_000), ago(12_880));
    const expected = limitsOf(await recommend(steady.id));
    expect(expected).toBeDefined();
    expect(limitsOf(await recommend(defrosted.id))).toEqual(expected);
  });
});

describe('requests', () => {
  test('all that wait are answered, oldest first', async () => {
    const [one, other] = [await lab.freezer(), await lab.freezer()];
    await request(one.id);
    await request(other.id);
    await advise();
    expect([await recommendationOf(one.id), await recommendationOf(other.id)]).toMatchObject([
      { state: 'failed' },
      { state: 'failed' },
    ]);
  });

  test('one that a crashed advisor holds is taken up when its lease is over', async () => {
    const { id } = await lab.freezer();
    await request(id);
    await claimRequest(server.db, server.clock.read(), seconds(120));
    await advise();
    expect(await recommendationOf(id)).toMatchObject({ state: 'pending', attempts: 1 });
    server.clock.advance(seconds(120));
    await advise();
    expect(await recommendationOf(id)).toMatchObject({ state: 'failed', attempts: 2 });
  });

  test('one that somebody else answered meanwhile keeps that answer', async () => {
    const { id } = await lab.freezer();
    await storeReadings(server, id, { count: MONTH_OF_MINUTES, value: readFreezer });
    await request(id);
    const { url } = await startLlmServer(async (response, asked) => {
      const pending = first(
        await server.db.query<{ id: string }>(sql`select id from recommendation where service_id = ${id}`),
      );
      await completeRequest(server.db, pending?.id ?? '', { proposed_bands: [] }, server.clock.read());
      says(JSON.stringify(LLM_ANSWER))(response, asked);
    });
    await advise(withLlm(url));
    expect(await recommendationOf(id)).toMatchObject({ state: 'completed', result: { proposed_bands: [] } });
  });
});

const KEY = 'sk-very-secret-indeed';
const LLM_ANSWER = {
  proposed_bands: [{ band: 'CRITICAL_HIGH', limit: -76, delay: 0, sustained: 2 }],
  reasoning: ['Such freezers are in trouble above -76 °C.'],
};
const withLlm = (url: URL): Partial<AdvisorDeps> => ({
  config: { llm: { url, key: KEY, model: 'small', timeoutSeconds: 5 } },
});

describe('the llm advisor', () => {
  test('its bands and reasons, our backtest; it is told figures and never a secret', async () => {
    const { id } = await lab.freezer({
      name: 'Freezer of the llm',
      limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60, sustained: 5 } } }],
    });
    await storeReadings(server, id, { count: MONTH_OF_MINUTES, value: readFreezer });
    const { url, asked } = await startLlmServer(says(JSON.stringify(LLM_ANSWER)));
    const found = await recommend(id, withLlm(url));

    expect(found).toMatchObject({
      state: 'completed',
      result: { ...LLM_ANSWER, channel: 'temperature', is_percentage: false, advisor: 'llm' },
    });
    expect(found?.result?.backtest?.current.alarms).toBe(0);
    expect(found?.result?.backtest?.proposed.alarms).toBeGreaterThan(0);

    const told = JSON.parse(asked[0]?.body.messages[1]?.content ?? '');
    expect(told).toMatchObject({
      service: 'Freezer of the llm',
      unit: '°C',
      limits_in_force: { bands: [{ band: 'CRITICAL_HIGH', limit: -60, sustained: 5 }] },
      statistics: { readings: MONTH_OF_MINUTES },
    });
    expect(told.statistical_proposal.proposed_bands.length).toBeGreaterThan(0);
    const sent = JSON.stringify(asked.map(({ body }) => body));
    expect(sent).not.toContain(lab.secret);
    expect(sent.length).toBeLessThan(20_000);
  });

  test('a model that fails: the reason, without the key', async () => {
    const { id } = await lab.freezer();
    await storeReadings(server, id, { count: MONTH_OF_MINUTES, value: readFreezer });
    const { url } = await startLlmServer(sends(401, { error: { message: `bad key ${KEY}` } }));
    const lines: string[] = [];
    const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
    const found = await recommend(id, { ...withLlm(url), log });
    expect(lines.join('')).toContain('did not accept the key');
    expect(lines.join('')).not.toContain(KEY);
    expect(found).toMatchObject({
      state: 'failed',
      reason: `The language model at ${url.host} did not accept the key (401). Check TOCSIN_LLM_KEY.`,
    });
  });

  test('where the statistics have too little, the model is not asked', async () => {
    const { id } = await lab.freezer();
    const { url, asked } = await startLlmServer(says(JSON.stringify(LLM_ANSWER)));
    expect(await recommend(id, withLlm(url))).toMatchObject({ state: 'failed' });
    expect(asked).toEqual([]);
  });
});

test('dense readings: a month of every ten seconds is looked at by the minute', async () => {
  const { id } = await lab.freezer();
  const count = (hours(24 * 30) / seconds(10)) | 0;
  await storeReadings(server, id, { count, everyMs: seconds(10), value: (index) => readFreezer(index / 6) });
  const found = await recommend(id);
  expect(found).toMatchObject({ state: 'completed', result: { backtest: { readings: count } } });
});
