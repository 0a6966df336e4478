// A recommendation from the question to the new limits, with real telemetry; and the life of a request.
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ServiceId } from '../../src/domain/ids.ts';
import { formatInstant } from '../../src/domain/instant.ts';
import { claimRequest, completeRequest, failRequest } from '../../src/engine/advice/recommendations.ts';
import { expectFragment } from '../support/answers.ts';
import { acknowledgementsOf, auditOfService } from '../support/equipment.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { minutes, seconds } from '../support/movable-clock.ts';
import { recommendationsOf, wordsOf } from '../support/recommendation-desk.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let lab: Lab;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  await server.db.query(sql`delete from recommendation`);
  lab = await openLab(server);
});

const LEASE = minutes(5);
const now = () => server.clock.read();
const claim = () => claimRequest(server.db, now(), LEASE);
const recommend = (id: ServiceId) => lab.ada.post(`/api/v1/services/${id}/recommend`);
const read = async (id: ServiceId) =>
  wordsOf(await expectFragment(await lab.vera.get(`/api/v1/services/${id}/recommendation`)));
const apply = async (id: ServiceId, resultId: string) =>
  wordsOf(
    await expectFragment(
      await lab.ada.post(`/api/v1/services/${id}/apply-recommendation`, { result_id: resultId }),
    ),
  );
const propose = (bands: Record<string, unknown>[]) => ({ channel: 'temperature', proposed_bands: bands });

describe('applying a recommendation judges the service again at once', () => {
  const TIGHT = { limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -75 } } }] };

  const adopt = async (id: ServiceId, bands: Record<string, unknown>[]) => {
    await recommend(id);
    const request = await claim();
    await completeRequest(server.db, request?.id ?? '', propose(bands), now());
    expect(await apply(id, request?.id ?? '')).toContain(`✓ Applied ${bands.length} band(s)`);
  };

  test('an alarm that the new limits do not see ends, and its acknowledgement with it', async () => {
    const freezer = await lab.freezer(TIGHT);
    await freezer.reads(-70);
    await lab.oscar.post(`/api/v1/alarms/${freezer.id}/acknowledge`);
    expect(await lab.alarms()).toMatchObject([{ severity: 'critical', acknowledged: true }]);
    await lab.advance(minutes(1));
    await adopt(freezer.id, [{ band: 'CRITICAL_HIGH', limit: -60, delay: 0, sustained: 0 }]);
    expect(await lab.alarms()).toEqual([]);
    expect(await acknowledgementsOf(server, { ...freezer, name: '' })).toMatchObject([{ endedAt: now() }]);
  });

  test('an alarm that still holds keeps its beginning, but is no longer acknowledged', async () => {
    const freezer = await lab.freezer(TIGHT);
    await freezer.reads(-55);
    const since = formatInstant(now());
    await lab.oscar.post(`/api/v1/alarms/${freezer.id}/acknowledge`);
    await lab.advance(minutes(1));
    await adopt(freezer.id, [{ band: 'CRITICAL_HIGH', limit: -60, delay: 0, sustained: 0 }]);
    expect(await lab.alarms()).toMatchObject([
      { severity: 'critical', triggered_at: since, acknowledged: false },
    ]);
  });

  test('a breach that has lasted long enough under the new limits is an alarm immediately', async () => {
    const freezer = await lab.freezer();
    await freezer.reads(-62);
    await lab.advance(minutes(10));
    await freezer.reads(-62);
    expect(await lab.alarms()).toEqual([]);
    await adopt(freezer.id, [{ band: 'WARNING_HIGH', limit: -65, delay: 0, sustained: 10 }]);
    expect(await lab.alarms()).toMatchObject([{ severity: 'warning', channel: 'temperature' }]);
  });
});

describe('the life of a request', () => {
  test('the oldest is taken first, each by one advisor', async () => {
    const [first, second] = [await lab.freezer(), await lab.freezer()];
    await recommend(first.id);
    await recommend(second.id);
    const claimed = await Promise.all([claim(), claim(), claim()]);
    expect(claimed.filter((one) => one === null)).toHaveLength(1);
    const services = claimed.map((one) => one?.serviceId ?? 0).sort((one, other) => one - other);
    expect(services).toEqual([0, first.id, second.id]);
    expect(claimed).toContainEqual(expect.objectContaining({ serviceId: first.id, attempt: 1 }));
  });

  test('a crashed advisor: taken up again when the lease ends, failed with a reason after three', async () => {
    const freezer = await lab.freezer();
    await recommend(freezer.id);
    for (const attempt of [1, 2, 3]) {
      expect(await claim()).toMatchObject({ serviceId: freezer.id, attempt });
      server.clock.advance(LEASE - seconds(1));
      expect(await claim()).toBeNull();
      expect(await read(freezer.id)).toContain('Recommendation pending');
      server.clock.advance(seconds(1));
    }
    expect(await claim()).toBeNull();
    expect(await read(freezer.id)).toContain('Reason: The advisor stopped 3 times without an answer.');
    expect((await auditOfService(server, { ...freezer, name: '' })).at(-1)).toMatchObject({
      action: 'recommendation.fail',
      accountId: null,
      accountName: 'advisor',
      organizationId: lab.organization,
      detail: { reason: 'The advisor stopped 3 times without an answer.' },
    });
    expect(await expectFragment(await recommend(freezer.id))).toContain('queued successfully');
    expect(await claim()).toMatchObject({ attempt: 1 });
  });

  test('one that is given up does not keep others waiting', async () => {
    const [lost, other] = [await lab.freezer(), await lab.freezer()];
    await recommend(lost.id);
    for (const _ of [1, 2, 3]) {
      await claim();
      server.clock.advance(LEASE);
    }
    await recommend(other.id);
    expect(await claim()).toMatchObject({ serviceId: other.id });
    expect(await recommendationsOf(server, lost.id)).toMatchObject([{ state: 'failed', attempts: 3 }]);
  });

  test('what is finished is finished: a late advisor changes nothing', async () => {
    const freezer = await lab.freezer();
    await recommend(freezer.id);
    const request = await claim();
    const id = request?.id ?? '';
    expect(await failRequest(server.db, id, 'Only 3 days', now())).toBe(true);
    expect(await completeRequest(server.db, id, propose([]), now())).toBe(false);
    expect(await failRequest(server.db, id, 'Later', now())).toBe(false);
    expect(await recommendationsOf(server, freezer.id)).toMatchObject([
      { state: 'failed', failureReason: 'Only 3 days', resultText: null },
    ]);
    const actions = (await auditOfService(server, { ...freezer, name: '' })).map(({ action }) => action);
    expect(actions.slice(-2)).toEqual(['recommendation.request', 'recommendation.fail']);
  });

  test('two advisors finish at the same moment: one counts', async () => {
    const freezer = await lab.freezer();
    await recommend(freezer.id);
    const { id } = (await claim()) ?? { id: '' };
    const finished = await Promise.all([
      completeRequest(server.db, id, propose([]), now()),
      failRequest(server.db, id, 'Out of time', now()),
      completeRequest(server.db, id, {}, now()),
    ]);
    expect(finished.filter(Boolean)).toHaveLength(1);
  });

  test('a reason with characters that the database refuses is kept readable', async () => {
    const freezer = await lab.freezer();
    await recommend(freezer.id);
    const { id } = (await claim()) ?? { id: '' };
    expect(await failRequest(server.db, id, 'a\0b\ud800c', now())).toBe(true);
    expect(await recommendationsOf(server, freezer.id)).toMatchObject([
      { failureReason: 'a\u{FFFD}b\u{FFFD}c' },
    ]);
  });

  test('nothing requested: nothing to take', async () => {
    expect(await claim()).toBeNull();
  });
});
