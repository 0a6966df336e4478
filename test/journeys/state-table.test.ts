// Contract, States and transitions; Contract, Judging; told with real telemetry.
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { formatInstant } from '../../src/domain/instant.ts';
import { openRoad } from '../../src/engine/ingest/road.ts';
import { expectDetail } from '../support/answers.ts';
import { acknowledgementsOf, auditOfService, mutesOf } from '../support/equipment.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { minutes, seconds } from '../support/movable-clock.ts';
import type { Person } from '../support/people.ts';
import { listStored } from '../support/stored-readings.ts';
import { startServer, startServerOn, type TestServer } from '../support/test-server.ts';

type Freezer = Awaited<ReturnType<Lab['freezer']>>;

let server: TestServer;
/** Another program on the same database, which remembers nothing of what the first one did. */
let other: TestServer;
let lab: Lab;
beforeAll(async () => {
  server = await startServer();
  other = await startServerOn(server.db);
});
beforeEach(async () => {
  lab = await openLab(server);
});

const NORMAL = -80;
const WARM = -63;
const HOT = -50;
const bands = ({ critical = 0, warning = 0 } = {}) => ({
  CRITICAL_HIGH: { limit: -60, sustained: critical },
  WARNING_HIGH: { limit: -65, sustained: warning },
});
const LIMITED = { name: 'Freezer', limits: [{ channel: 'temperature', bands: bands() }] };
const sustained = (spans: { critical?: number; warning?: number }) => ({
  name: 'Freezer',
  limits: [{ channel: 'temperature', bands: bands(spans) }],
});

const later = (ms: number) => new Date(server.clock.read().getTime() + ms);
const timeIn = (ms: number) => formatInstant(later(ms));
const NOW = 0;

const alarmOf = async ({ id }: Freezer) =>
  (await lab.alarms()).find(({ service_id }) => service_id === id) ?? null;
const severityOf = async (freezer: Freezer) => (await alarmOf(freezer))?.severity ?? 'normal';
const eventsOf = async ({ id }: Freezer) =>
  (
    await server.db.query<{ line: string }>(sql`
      select concat_ws(' ', kind, from_severity, to_severity) as "line" from alarm_event
      where service_id = ${id} order by id`)
  ).map(({ line }) => line);
const reasonsOf = async (freezer: Freezer) =>
  (await acknowledgementsOf(server, { ...freezer, name: '' })).map(
    ({ severity, endReason }) => `${severity} ${endReason ?? 'active'}`,
  );

const acknowledge = (person: Person, { id }: Freezer, form: Record<string, string> = {}) =>
  person.post(`/api/v1/alarms/${id}/acknowledge`, form);
const unacknowledge = (person: Person, { id }: Freezer) => person.post(`/api/v1/alarms/${id}/unacknowledge`);
const acknowledgedSeverity = async (answer: Response) => {
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { acknowledged_severity: string }).acknowledged_severity;
};
const changes = (freezer: Freezer, lines: Record<string, unknown>) =>
  lab.apply({ name: 'Freezer', device: { key: freezer.device }, ...lines });
const mute = (person: Person, { id }: Freezer, form = {}) => person.post(`/api/v1/services/${id}/mute`, form);
const unmute = (person: Person, { id }: Freezer) => person.post(`/api/v1/services/${id}/unmute`);
const toField = (at: Date) => `${at.toISOString().slice(0, 19)}Z`;
const schedule = (person: Person, { id }: Freezer, fromMs: number, untilMs: number, reason = 'Defrost') =>
  person.post('/api/v1/downtimes', {
    service_id: String(id),
    start_time: toField(later(fromMs)),
    end_time: toField(later(untilMs)),
    reason,
  });
const listDowntimes = async (person: Person) =>
  (await (await person.get('/api/v1/downtimes')).json()) as { id: number; reason: string }[];

/** Hands a reading to the other program, whose clock shows the same time. */
const otherProgramReads = (freezer: Freezer, values: Record<string, number>) => {
  other.clock.advance(server.clock.read().getTime() - other.clock.read().getTime());
  return fetch(`${other.url}/api/v1/telemetry`, {
    method: 'POST',
    headers: { authorization: `Bearer ${lab.secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ device: freezer.device, time: server.clock.read().getTime(), values }),
  });
};

const NO_ALARM = 'No active alarm to acknowledge for this service';
const ALREADY = 'Alarm already acknowledged at this severity';

describe('the table, acknowledgements', () => {
  test('normal: there is nothing to acknowledge', async () => {
    const freezer = await lab.freezer(LIMITED);
    await expectDetail(await acknowledge(lab.oscar, freezer), 409, NO_ALARM);
    await freezer.reads(NORMAL);
    await expectDetail(await acknowledge(lab.ada, freezer), 409, NO_ALARM);
    expect(await reasonsOf(freezer)).toEqual([]);
  });

  test.each(['oscar', 'ada'] as const)(
    'an active alarm is acknowledged by %s, with a comment',
    async (who) => {
      const freezer = await lab.freezer(LIMITED);
      await freezer.reads(HOT);
      await lab.advance(minutes(2));
      const answer = await acknowledge(lab[who], freezer, { comment: 'On my way' });
      expect(await answer.json()).toMatchObject({
        service_id: freezer.id,
        message: 'On my way',
        acknowledged_by: lab[who].name,
        acknowledged_severity: 'CRITICAL',
        triggered_at: timeIn(NOW),
      });
      expect(await alarmOf(freezer)).toMatchObject({
        severity: 'critical',
        acknowledged: true,
        acknowledged_by: lab[who].name,
        acknowledged_at: timeIn(NOW),
        triggered_at: timeIn(-minutes(2)),
      });
      expect(await auditOfService(server, { ...freezer, name: '' })).toContainEqual(
        expect.objectContaining({
          action: 'alarm.acknowledge',
          accountName: lab[who].name,
          detail: { severity: 'CRITICAL', comment: 'On my way' },
        }),
      );
    },
  );

  test.each([
    ['vera', 'Operator role or higher required for this action'],
    ['olga', 'Not authorized for this service'],
    ['nora', 'Not authorized for this service'],
  ] as const)('an active alarm is not acknowledged by %s', async (who, detail) => {
    const freezer = await lab.freezer(LIMITED);
    await freezer.reads(HOT);
    await expectDetail(await acknowledge(lab[who], freezer), 403, detail);
    expect(await alarmOf(freezer)).toMatchObject({ acknowledged: false });
  });

  test('acknowledged at its current severity: not a second time, whoever asks', async () => {
    const freezer = await lab.freezer(LIMITED);
    await freezer.reads(HOT);
    await acknowledge(lab.oscar, freezer);
    await expectDetail(await acknowledge(lab.oscar, freezer), 409, ALREADY);
    await expectDetail(await acknowledge(lab.ada, freezer), 409, ALREADY);
    expect(await reasonsOf(freezer)).toEqual(['CRITICAL active']);
  });

  test('of simultaneous callers the first succeeds and the others get 409', async () => {
    const freezer = await lab.freezer(LIMITED);
    await freezer.reads(HOT);
    const callers = [lab.oscar, lab.ada, lab.oscar, lab.ada, lab.oscar, lab.ada];
    const statuses = (await Promise.all(callers.map((person) => acknowledge(person, freezer)))).map(
      ({ status }) => status,
    );
    expect(statuses.sort()).toEqual([200, 409, 409, 409, 409, 409]);
    expect(await reasonsOf(freezer)).toEqual(['CRITICAL active']);
  });

  test('acknowledged at WARNING, then critical: acknowledged at CRITICAL as well', async () => {
    const freezer = await lab.freezer(LIMITED);
    await freezer.reads(WARM);
    expect(await acknowledgedSeverity(await acknowledge(lab.oscar, freezer))).toBe('WARNING');
    await lab.advance(minutes(1));
    await freezer.reads(HOT);
    expect(await alarmOf(freezer)).toMatchObject({ severity: 'critical', acknowledged_by: 'Oscar' });
    expect(await acknowledgedSeverity(await acknowledge(lab.ada, freezer))).toBe('CRITICAL');
    expect(await alarmOf(freezer)).toMatchObject({ acknowledged_by: 'Ada' });
    expect(await reasonsOf(freezer)).toEqual(['WARNING active', 'CRITICAL active']);
  });

  test('unacknowledge removes the newest, a second call the next one, a third finds none', async () => {
    const freezer = await lab.freezer(LIMITED);
    await freezer.reads(WARM);
    await acknowledge(lab.oscar, freezer);
    await lab.advance(minutes(1));
    await freezer.reads(HOT);
    await acknowledge(lab.ada, freezer);

    const removed = { status: 'unacknowledged', service_id: freezer.id };
    expect(await (await unacknowledge(lab.oscar, freezer)).json()).toEqual(removed);
    expect(await alarmOf(freezer)).toMatchObject({ acknowledged: true, acknowledged_by: 'Oscar' });
    expect(await (await unacknowledge(lab.ada, freezer)).json()).toEqual(removed);
    expect(await alarmOf(freezer)).toMatchObject({
      acknowledged: false,
      acknowledged_by: null,
      acknowledged_at: null,
    });
    await expectDetail(await unacknowledge(lab.oscar, freezer), 409, 'No acknowledgement to remove');
    expect(await acknowledgedSeverity(await acknowledge(lab.oscar, freezer))).toBe('CRITICAL');
  });

  test('no acknowledgement: none can be removed, neither of a normal service nor of an alarm', async () => {
    const freezer = await lab.freezer(LIMITED);
    await expectDetail(await unacknowledge(lab.oscar, freezer), 409, 'No acknowledgement to remove');
    await freezer.reads(HOT);
    await expectDetail(await unacknowledge(lab.oscar, freezer), 409, 'No acknowledgement to remove');
  });
});

describe('the table, mutes', () => {
  test('each mute adds a record, one unmute clears them all, and another one also succeeds', async () => {
    const freezer = await lab.freezer(LIMITED);
    const activeMutes = async () =>
      (await mutesOf(server, { ...freezer, name: '' }))
        .filter(({ endedAt }) => endedAt === null)
        .map(({ reason }) => reason);
    await freezer.reads(HOT);
    expect(await (await mute(lab.oscar, freezer, { reason: 'Sensor drifts' })).json()).toEqual({
      status: 'muted',
      service_id: freezer.id,
    });
    expect(await activeMutes()).toEqual(['Sensor drifts']);
    await mute(lab.ada, freezer);
    expect(await activeMutes()).toEqual(['Sensor drifts', null]);
    expect(await alarmOf(freezer), 'a muted alarm is still listed').toMatchObject({ severity: 'critical' });

    const unmuted = { status: 'unmuted', service_id: freezer.id };
    expect(await (await unmute(lab.oscar, freezer)).json()).toEqual(unmuted);
    expect(await activeMutes()).toEqual([]);
    expect(await (await unmute(lab.oscar, freezer)).json()).toEqual(unmuted);
  });

  test('an archived service cannot be muted, but unmuted', async () => {
    const freezer = await lab.freezer(LIMITED);
    await changes(freezer, { archived: true });
    await expectDetail(await mute(lab.oscar, freezer), 404, 'Service not found');
    expect((await unmute(lab.oscar, freezer)).status).toBe(200);
  });
});

describe('the table, downtimes', () => {
  test('hides the alarm exactly from start_time on, and shows it exactly from end_time on', async () => {
    const freezer = await lab.freezer(LIMITED);
    await freezer.reads(HOT);
    expect((await schedule(lab.oscar, freezer, minutes(10), minutes(14))).status).toBe(303);
    expect(await listDowntimes(lab.vera)).toEqual([]);

    await lab.advance(minutes(10) - 1);
    expect(await severityOf(freezer)).toBe('critical');
    expect(await listDowntimes(lab.vera)).toEqual([]);
    await lab.advance(1);
    expect(await alarmOf(freezer)).toBeNull();
    expect(await listDowntimes(lab.vera)).toMatchObject([{ service_id: freezer.id, reason: 'Defrost' }]);

    await lab.advance(minutes(4) - 1);
    expect(await alarmOf(freezer)).toBeNull();
    expect(await listDowntimes(lab.vera)).toHaveLength(1);
    await lab.advance(1);
    expect(await alarmOf(freezer)).toMatchObject({
      severity: 'critical',
      triggered_at: timeIn(-minutes(14)),
    });
    expect(await listDowntimes(lab.vera)).toEqual([]);
  });

  test('a start in the past is active at once', async () => {
    const freezer = await lab.freezer(LIMITED);
    await freezer.reads(HOT);
    await schedule(lab.oscar, freezer, -minutes(30), minutes(5));
    expect(await alarmOf(freezer)).toBeNull();
    expect(await listDowntimes(lab.vera)).toHaveLength(1);
  });

  test('cancelling an active window shows the alarm at once', async () => {
    const freezer = await lab.freezer(LIMITED);
    await freezer.reads(HOT);
    await schedule(lab.oscar, freezer, NOW, minutes(30));
    const [window] = await listDowntimes(lab.ada);
    const answer = await lab.ada.delete(`/api/v1/downtimes/${window?.id}`);
    expect(await answer.json()).toEqual({ status: 'cancelled', id: window?.id });
    expect(await severityOf(freezer)).toBe('critical');
    expect(await listDowntimes(lab.ada)).toEqual([]);
  });

  test('a cancelled future window never begins', async () => {
    const freezer = await lab.freezer(LIMITED);
    await freezer.reads(HOT);
    await schedule(lab.oscar, freezer, minutes(5), minutes(10));
    const [window] = await server.db.query<{ id: number }>(
      sql`select id from downtime where service_id = ${freezer.id}`,
    );
    expect((await lab.oscar.delete(`/api/v1/downtimes/${window?.id}`)).status).toBe(200);
    await lab.advance(minutes(6));
    expect(await severityOf(freezer)).toBe('critical');
  });

  test('the union of overlapping windows counts', async () => {
    const freezer = await lab.freezer(LIMITED);
    await freezer.reads(HOT);
    await schedule(lab.oscar, freezer, NOW, minutes(5), 'Defrost');
    await schedule(lab.oscar, freezer, minutes(3), minutes(8), 'Cleaning');
    await lab.advance(minutes(5));
    expect(await alarmOf(freezer)).toBeNull();
    expect(await listDowntimes(lab.vera)).toMatchObject([{ reason: 'Cleaning' }]);
    await lab.advance(minutes(3));
    expect(await severityOf(freezer)).toBe('critical');
  });

  test('a service in downtime is still judged, and can be acknowledged', async () => {
    const freezer = await lab.freezer(LIMITED);
    await schedule(lab.oscar, freezer, NOW, minutes(5));
    await lab.advance(minutes(1));
    await freezer.reads(HOT);
    expect(await alarmOf(freezer)).toBeNull();
    expect(await acknowledgedSeverity(await acknowledge(lab.oscar, freezer))).toBe('CRITICAL');
    await lab.advance(minutes(4));
    expect(await alarmOf(freezer)).toMatchObject({
      acknowledged: true,
      triggered_at: timeIn(-minutes(4)),
    });
  });
});

describe('an episode', () => {
  test('ends with recovery, and all acknowledgements with it', async () => {
    const freezer = await lab.freezer(LIMITED);
    await freezer.reads(WARM);
    await acknowledge(lab.oscar, freezer);
    await lab.advance(minutes(1));
    await freezer.reads(HOT);
    await acknowledge(lab.ada, freezer);
    await lab.advance(minutes(1));
    await freezer.reads(NORMAL);
    expect(await alarmOf(freezer)).toBeNull();
    expect(await reasonsOf(freezer)).toEqual(['WARNING recovered', 'CRITICAL recovered']);

    await lab.advance(minutes(1));
    await freezer.reads(HOT);
    expect(await alarmOf(freezer)).toMatchObject({ acknowledged: false, triggered_at: timeIn(NOW) });
    expect(await acknowledgedSeverity(await acknowledge(lab.oscar, freezer))).toBe('CRITICAL');
  });

  test('goes on through a drop to warning: CRITICAL stays acknowledged, WARNING can be', async () => {
    const freezer = await lab.freezer(LIMITED);
    await freezer.reads(HOT);
    await acknowledge(lab.oscar, freezer);
    await lab.advance(minutes(3));
    await freezer.reads(WARM);
    expect(await alarmOf(freezer)).toMatchObject({
      severity: 'warning',
      acknowledged: true,
      acknowledged_by: 'Oscar',
      triggered_at: timeIn(NOW),
    });
    expect(await acknowledgedSeverity(await acknowledge(lab.ada, freezer))).toBe('WARNING');
    expect(await alarmOf(freezer)).toMatchObject({ acknowledged_by: 'Ada' });
    expect(await reasonsOf(freezer)).toEqual(['CRITICAL active', 'WARNING active']);
    expect(await eventsOf(freezer)).toEqual(['raised normal critical', 'changed critical warning']);
  });

  test('that comes and goes within one post ends the acknowledgements all the same', async () => {
    const freezer = await lab.freezer(LIMITED);
    await freezer.reads(HOT);
    await acknowledge(lab.oscar, freezer);
    await lab.advance(minutes(3));
    await freezer.sends(
      { time: later(-minutes(1)).getTime(), values: { temperature: HOT } },
      { time: later(-minutes(2)).getTime(), values: { temperature: NORMAL } },
    );
    expect(await alarmOf(freezer)).toMatchObject({
      severity: 'critical',
      acknowledged: false,
      triggered_at: timeIn(-minutes(1)),
    });
    expect(await reasonsOf(freezer)).toEqual(['CRITICAL recovered']);
  });

  test('ends when the service is archived', async () => {
    const freezer = await lab.freezer(LIMITED);
    await freezer.reads(HOT);
    await acknowledge(lab.oscar, freezer);
    await changes(freezer, { archived: true });
    expect(await alarmOf(freezer)).toBeNull();
    expect(await reasonsOf(freezer)).toEqual(['CRITICAL archived']);
    await expectDetail(await acknowledge(lab.oscar, freezer), 409, NO_ALARM);
    await expectDetail(await unacknowledge(lab.oscar, freezer), 409, 'No acknowledgement to remove');
    await lab.advance(minutes(30));
    expect(await alarmOf(freezer)).toBeNull();
  });

  test('a restored service takes readings at once, and begins anew', async () => {
    const freezer = await lab.freezer(LIMITED);
    await freezer.reads(HOT);
    await changes(freezer, { archived: true });
    await lab.advance(minutes(1));
    await changes(freezer, { archived: false });
    expect(await (await freezer.reads(HOT)).json()).toEqual({ accepted: 1, duplicates: 0, rejected: [] });
    expect(await alarmOf(freezer)).toMatchObject({ acknowledged: false, triggered_at: timeIn(NOW) });
  });

  test('that archiving ended is not raised again by a retry', async () => {
    const freezer = await lab.freezer(LIMITED);
    const body = { time: later(NOW).getTime(), values: { temperature: HOT } };
    await freezer.sends(body);
    await changes(freezer, { archived: true });
    await changes(freezer, { archived: false });
    expect(await (await freezer.sends(body)).json()).toEqual({ accepted: 0, duplicates: 1, rejected: [] });
    expect(await severityOf(freezer)).toBe('normal');
  });

  test('an archived service is not due any more, so that archived ones never crowd out the others', async () => {
    const freezer = await lab.freezer(LIMITED);
    await freezer.reads(HOT);
    await changes(freezer, { archived: true });
    await lab.advance(minutes(1));
    const due = await server.db.query(sql`
      select service_id from alarm_state where service_id = ${freezer.id} and next_due_at <= ${later(NOW)}`);
    expect(due).toEqual([]);
  });
});

describe('time in readings and time on the clock', () => {
  test('triggered_at is the time of the reading, not of its arrival', async () => {
    const freezer = await lab.freezer(LIMITED);
    await freezer.sends({ time: later(-minutes(4)).getTime(), values: { temperature: WARM } });
    await freezer.sends({ time: later(-minutes(3)).getTime(), values: { temperature: HOT } });
    expect(await alarmOf(freezer)).toMatchObject({
      severity: 'critical',
      triggered_at: timeIn(-minutes(3)),
      last_telemetry_time: timeIn(-minutes(3)),
    });
  });

  test('a sustained breach begins when its time is up in reading time, even between readings', async () => {
    const freezer = await lab.freezer(sustained({ critical: 5, warning: 2 }));
    await freezer.reads(HOT);
    expect(await alarmOf(freezer)).toBeNull();
    await lab.advance(minutes(2) - 1);
    expect(await alarmOf(freezer)).toBeNull();
    await lab.advance(1);
    expect(await alarmOf(freezer)).toMatchObject({ severity: 'warning', triggered_at: timeIn(NOW) });
    server.clock.advance(minutes(6));
    await freezer.reads(HOT);
    expect(await alarmOf(freezer)).toMatchObject({ severity: 'critical', triggered_at: timeIn(-minutes(3)) });
  });

  test('one reading within the limits starts the sustained time anew', async () => {
    const freezer = await lab.freezer(sustained({ critical: 5, warning: 5 }));
    await freezer.reads(HOT);
    await lab.advance(minutes(4));
    await freezer.reads(NORMAL);
    await lab.advance(minutes(1));
    await freezer.reads(HOT);
    await lab.advance(minutes(5) - 1);
    expect(await alarmOf(freezer)).toBeNull();
    await lab.advance(1);
    expect(await alarmOf(freezer)).toMatchObject({ severity: 'critical', triggered_at: timeIn(NOW) });
  });

  test('exactly at the limit is within it', async () => {
    const freezer = await lab.freezer(LIMITED);
    await freezer.reads(-60);
    expect(await severityOf(freezer)).toBe('warning');
    await lab.advance(minutes(1));
    await freezer.reads(-65);
    expect(await severityOf(freezer)).toBe('normal');
  });

  test('late readings are stored and change nothing', async () => {
    const freezer = await lab.freezer(LIMITED);
    await freezer.reads(NORMAL);
    const late = await freezer.sends({ time: later(-1).getTime(), values: { temperature: HOT } });
    expect(await late.json()).toEqual({ accepted: 1, duplicates: 0, rejected: [] });
    expect(await alarmOf(freezer)).toBeNull();

    await lab.advance(minutes(1));
    await freezer.reads(HOT);
    await acknowledge(lab.oscar, freezer);
    const before = await alarmOf(freezer);
    await freezer.sends({ time: later(-seconds(30)).getTime(), values: { temperature: NORMAL } });
    expect(await alarmOf(freezer)).toEqual(before);
    expect(await eventsOf(freezer)).toEqual(['raised normal critical']);
  });

  test('a second reading of the same time is a duplicate and changes nothing', async () => {
    const freezer = await lab.freezer(LIMITED);
    await freezer.reads(NORMAL);
    expect(await (await freezer.reads(HOT)).json()).toEqual({ accepted: 0, duplicates: 1, rejected: [] });
    expect(await alarmOf(freezer)).toBeNull();
  });

  test('a delayed reading that only confirms a running alarm does not end it', async () => {
    const freezer = await lab.freezer(sustained({ critical: 5, warning: 5 }));
    const beganAt = later(NOW).getTime();
    await freezer.reads(HOT);
    await lab.advance(minutes(5));
    await acknowledge(lab.oscar, freezer);
    const before = await alarmOf(freezer);
    expect(before).toMatchObject({ severity: 'critical', acknowledged: true });
    await lab.advance(minutes(1));
    await freezer.sends({ time: beganAt + minutes(3), values: { temperature: HOT } });
    expect(await alarmOf(freezer)).toEqual({
      ...before,
      last_telemetry_time: formatInstant(new Date(beganAt + minutes(3))),
    });
    expect(await reasonsOf(freezer)).toEqual(['CRITICAL active']);
    expect(await eventsOf(freezer)).toEqual(['raised normal critical']);
  });

  test('a delayed reading back within the limits ends an alarm that the clock raised', async () => {
    const freezer = await lab.freezer(sustained({ critical: 5, warning: 5 }));
    const beganAt = later(NOW).getTime();
    await freezer.reads(HOT);
    await lab.advance(minutes(6));
    expect(await severityOf(freezer)).toBe('critical');
    await freezer.sends({ time: beganAt + minutes(3), values: { temperature: NORMAL } });
    expect(await alarmOf(freezer)).toBeNull();
  });
});

describe('a reading ahead of the clock', () => {
  test('is judged at receipt, and does not blind the channel', async () => {
    const freezer = await lab.freezer(LIMITED);
    const ahead = await freezer.sends({ time: later(minutes(10)).getTime(), values: { temperature: HOT } });
    expect(await ahead.json()).toEqual({ accepted: 1, duplicates: 0, rejected: [] });
    expect(await alarmOf(freezer)).toMatchObject({
      severity: 'critical',
      triggered_at: timeIn(NOW),
      last_telemetry_time: timeIn(NOW),
    });
    const stored = await listStored(server.db, freezer.id);
    expect(stored.map(({ at }) => at)).toEqual([later(minutes(10))]);
    await lab.advance(minutes(1));
    await freezer.reads(NORMAL);
    expect(await alarmOf(freezer)).toBeNull();
  });

  test('further ahead than 10 minutes is refused', async () => {
    const freezer = await lab.freezer(LIMITED);
    const answer = await freezer.sends({
      time: later(minutes(10) + 1).getTime(),
      values: { temperature: HOT },
    });
    expect(await answer.json()).toMatchObject({ accepted: 0, rejected: [{ index: 0 }] });
    expect(await alarmOf(freezer)).toBeNull();
  });

  test.each([
    ['while it is still ahead', 2],
    ['once its time has come', 6],
  ])('sent again %s, it changes nothing', async (_when, retriedAfterMinutes) => {
    const freezer = await lab.freezer(LIMITED);
    const body = { time: later(minutes(5)).getTime(), values: { temperature: HOT } };
    await freezer.sends(body);
    await lab.advance(minutes(1));
    await freezer.reads(NORMAL);
    expect(await alarmOf(freezer)).toBeNull();
    await lab.advance(minutes(retriedAfterMinutes - 1));
    expect(await (await freezer.sends(body)).json()).toEqual({ accepted: 0, duplicates: 1, rejected: [] });
    expect(await alarmOf(freezer)).toBeNull();
    expect(await eventsOf(freezer)).toEqual(['raised normal critical', 'recovered critical normal']);
  });

  test('that a newer one has overtaken is not what new limits judge', async () => {
    const freezer = await lab.freezer(LIMITED);
    await freezer.sends({ time: later(minutes(9)).getTime(), values: { temperature: HOT } });
    await lab.advance(minutes(1));
    await freezer.reads(NORMAL);
    await lab.advance(minutes(1));
    await changes(freezer, {
      limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -55 } } }],
    });
    expect(await alarmOf(freezer)).toBeNull();
  });
});

describe('stale', () => {
  test('stale only: listed from stale_since on, and nothing to acknowledge', async () => {
    const freezer = await lab.freezer(LIMITED);
    await freezer.reads(NORMAL);
    await lab.advance(minutes(15) - 1);
    expect(await alarmOf(freezer)).toBeNull();
    await lab.advance(1);
    expect(await alarmOf(freezer)).toMatchObject({
      severity: 'stale',
      channel: null,
      channel_label: null,
      is_stale: true,
      triggered_at: timeIn(NOW),
      stale_since: timeIn(NOW),
      last_telemetry_time: timeIn(-minutes(15)),
      acknowledged: false,
    });
    await expectDetail(await acknowledge(lab.oscar, freezer), 409, NO_ALARM);
    await freezer.reads(NORMAL);
    expect(await alarmOf(freezer)).toBeNull();
    expect(await eventsOf(freezer)).toEqual(['went_stale normal normal', 'came_back normal normal']);
  });

  test('a value alarm keeps its severity, its beginning and its acknowledgement, and is_stale becomes true', async () => {
    const freezer = await lab.freezer(LIMITED);
    await freezer.reads(HOT);
    await acknowledge(lab.oscar, freezer);
    await lab.advance(minutes(20));
    expect(await alarmOf(freezer)).toMatchObject({
      severity: 'critical',
      channel: 'temperature',
      triggered_at: timeIn(-minutes(20)),
      is_stale: true,
      stale_since: timeIn(-minutes(5)),
      last_telemetry_time: timeIn(-minutes(20)),
      acknowledged_by: 'Oscar',
    });
    await freezer.reads(HOT);
    expect(await alarmOf(freezer)).toMatchObject({
      severity: 'critical',
      triggered_at: timeIn(-minutes(20)),
      is_stale: false,
      stale_since: null,
      acknowledged_by: 'Oscar',
    });
  });

  test('any channel keeps a service fresh; twice the uplink interval applies once there is one; 0 switches it off', async () => {
    const chatty = await lab.freezer({ ...LIMITED, stale_after_minutes: 5 });
    const slow = await lab.freezer({
      ...LIMITED,
      name: 'Slow',
      device: { key: `slow-${lab.secret}`, uplink_interval_minutes: 10 },
      stale_after_minutes: 0,
    });
    const quiet = await lab.freezer({ ...LIMITED, name: 'Quiet', stale_after_minutes: 0 });
    for (const freezer of [chatty, quiet]) await freezer.reads(NORMAL);
    await lab.advance(minutes(4));
    await chatty.sends({ values: { battery: 80 } });
    await lab.advance(minutes(4));
    expect(await lab.alarms()).toEqual([]);
    await lab.advance(minutes(1));
    expect(await severityOf(chatty)).toBe('stale');
    await lab.advance(minutes(11) - 1);
    expect(await severityOf(slow)).toBe('normal');
    await lab.advance(1);
    expect(await alarmOf(slow)).toMatchObject({
      severity: 'stale',
      last_telemetry_time: null,
      stale_since: timeIn(NOW),
    });
    expect(await severityOf(quiet)).toBe('normal');
  });
});

describe('which limits judge a channel', () => {
  const INCUBATOR = {
    name: 'Freezer',
    channels: [
      { name: 'co2', kind: 'metric' },
      { name: 'target', kind: 'setpoint' },
      { name: 'running', kind: 'state' },
    ],
    limits: [
      {
        channel: 'co2',
        is_percentage: true,
        setpoint_channel: 'target',
        state_channel: 'running',
        bands: { CRITICAL_LOW: { limit: -20 }, WARNING_HIGH: { limit: 10, sustained: 5 } },
      },
    ],
  };

  test('percentage mode: judged against the latest setpoint, which judges again when it changes', async () => {
    const incubator = await lab.freezer(INCUBATOR);
    await incubator.sends({ values: { co2: 3 } });
    expect(await alarmOf(incubator), 'no setpoint yet').toBeNull();
    await lab.advance(minutes(1));
    await incubator.sends({ values: { target: 5 } });
    expect(await alarmOf(incubator), '40 % under the setpoint').toMatchObject({
      severity: 'critical',
      channel: 'co2',
      triggered_at: timeIn(NOW),
    });
    await lab.advance(minutes(1));
    await incubator.sends({ values: { target: 3.75 } });
    expect(await alarmOf(incubator), 'exactly 20 % under').toBeNull();
    await lab.advance(minutes(1));
    await incubator.sends({ values: { target: 2.5 } });
    expect(await alarmOf(incubator), '20 % over, not yet sustained').toBeNull();
    await lab.advance(minutes(5));
    expect(await alarmOf(incubator)).toMatchObject({ severity: 'warning', triggered_at: timeIn(NOW) });
    await incubator.sends({ values: { target: 0 } });
    expect(await alarmOf(incubator), 'setpoint 0: not judged').toBeNull();
  });

  test('percentage mode: a unit that is off has no alarm, and is judged again when switched on', async () => {
    const incubator = await lab.freezer(INCUBATOR);
    await incubator.sends({ values: { co2: 3, target: 5, running: true } });
    await acknowledge(lab.oscar, incubator);
    expect(await severityOf(incubator)).toBe('critical');
    await lab.advance(minutes(1));
    await incubator.sends({ values: { running: false } });
    expect(await alarmOf(incubator)).toBeNull();
    expect(await reasonsOf(incubator)).toEqual(['CRITICAL recovered']);
    await lab.advance(minutes(1));
    await incubator.sends({ values: { co2: 2 } });
    expect(await alarmOf(incubator)).toBeNull();
    await lab.advance(minutes(1));
    await incubator.sends({ values: { running: true } });
    expect(await alarmOf(incubator)).toMatchObject({ severity: 'critical', triggered_at: timeIn(NOW) });
  });

  test('percentage mode: a negative setpoint counts by its size', async () => {
    const freezer = await lab.freezer(INCUBATOR);
    await freezer.sends({ values: { target: -80, co2: -96 } });
    expect(await alarmOf(freezer), 'exactly 20 % under').toBeNull();
    await lab.advance(minutes(1));
    await freezer.sends({ values: { co2: -97 } });
    expect(await severityOf(freezer)).toBe('critical');
  });

  test('service-wide limits apply to metric channels without their own, known or new, and to no others', async () => {
    const freezer = await lab.freezer({
      name: 'Freezer',
      channels: [
        { name: 'temperature', kind: 'metric' },
        { name: 'probe', label: 'Probe', kind: 'metric' },
        { name: 'battery', kind: 'diagnostic' },
      ],
      limits: [
        { channel: 'default', bands: { WARNING_HIGH: { limit: -65 } } },
        { channel: 'temperature', bands: { WARNING_HIGH: { limit: -20 } } },
      ],
    });
    await freezer.sends({ values: { temperature: HOT, battery: 90, door: true } });
    expect(await alarmOf(freezer)).toBeNull();
    await lab.advance(minutes(1));
    await freezer.sends({ values: { probe: HOT } });
    expect(await alarmOf(freezer)).toMatchObject({
      severity: 'warning',
      channel: 'probe',
      channel_label: 'Probe',
    });
    await lab.advance(minutes(1));
    await freezer.sends({ values: { second_probe: HOT } });
    expect(await alarmOf(freezer), 'among equals the one that became so last').toMatchObject({
      channel: 'second_probe',
      channel_label: null,
      triggered_at: timeIn(-minutes(1)),
    });
    await lab.advance(minutes(1));
    await freezer.sends({ values: { second_probe: NORMAL } });
    expect(await alarmOf(freezer)).toMatchObject({ channel: 'probe', triggered_at: timeIn(-minutes(2)) });
  });

  test('the worst channel is shown, and the next worst once it recovers', async () => {
    const freezer = await lab.freezer({
      name: 'Freezer',
      limits: [{ channel: 'default', bands: bands() }],
    });
    await freezer.sends({ values: { temperature: WARM } });
    await acknowledge(lab.oscar, freezer);
    await lab.advance(minutes(1));
    await freezer.sends({ values: { probe: HOT } });
    expect(await alarmOf(freezer)).toMatchObject({ severity: 'critical', channel: 'probe' });
    await lab.advance(minutes(1));
    await freezer.sends({ values: { probe: NORMAL } });
    expect(await alarmOf(freezer)).toMatchObject({
      severity: 'warning',
      channel: 'temperature',
      triggered_at: timeIn(NOW),
      acknowledged_by: 'Oscar',
    });
  });
});

describe('new limits', () => {
  const only = (limit: number, sustainedMinutes = 0) => ({
    limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit, sustained: sustainedMinutes } } }],
  });

  test('raise an alarm at once, which begins now, where a breach has lasted long enough already', async () => {
    const freezer = await lab.freezer(only(-40));
    await freezer.reads(HOT);
    await lab.advance(minutes(10));
    await changes(freezer, only(-60, 5));
    expect(await alarmOf(freezer)).toMatchObject({ severity: 'critical', triggered_at: timeIn(NOW) });
  });

  test('let a breach that has not lasted yet run on from its first reading', async () => {
    const freezer = await lab.freezer(only(-40));
    await freezer.reads(HOT);
    await lab.advance(minutes(3));
    await changes(freezer, only(-60, 5));
    expect(await alarmOf(freezer)).toBeNull();
    await lab.advance(minutes(2) - 1);
    expect(await alarmOf(freezer)).toBeNull();
    await lab.advance(1);
    expect(await alarmOf(freezer)).toMatchObject({ severity: 'critical', triggered_at: timeIn(NOW) });
  });

  test('end the acknowledgements; an unchanged severity keeps its beginning and its episode', async () => {
    const freezer = await lab.freezer(LIMITED);
    await freezer.reads(HOT);
    await acknowledge(lab.oscar, freezer);
    await lab.advance(minutes(3));
    await changes(freezer, only(-55));
    expect(await alarmOf(freezer)).toMatchObject({
      severity: 'critical',
      acknowledged: false,
      triggered_at: timeIn(-minutes(3)),
    });
    expect(await reasonsOf(freezer)).toEqual(['CRITICAL limits_changed']);
    expect(await eventsOf(freezer)).toEqual(['raised normal critical']);
    expect(await acknowledgedSeverity(await acknowledge(lab.oscar, freezer))).toBe('CRITICAL');
  });

  test('end an alarm at once where nothing is breached any more', async () => {
    const freezer = await lab.freezer(LIMITED);
    await freezer.reads(HOT);
    await lab.advance(minutes(3));
    await changes(freezer, only(-40));
    expect(await alarmOf(freezer)).toBeNull();
    expect(await eventsOf(freezer)).toEqual(['raised normal critical', 'recovered critical normal']);
  });

  test('that say the same change nothing', async () => {
    const freezer = await lab.freezer(LIMITED);
    await freezer.reads(HOT);
    await acknowledge(lab.oscar, freezer);
    await changes(freezer, { limits: LIMITED.limits });
    expect(await alarmOf(freezer)).toMatchObject({ acknowledged: true });
  });

  test('are known at once to another program that remembers the old ones', async () => {
    const freezer = await lab.freezer(LIMITED);
    await otherProgramReads(freezer, { temperature: NORMAL });
    await changes(freezer, only(-90));
    expect(await severityOf(freezer)).toBe('critical');
    await lab.advance(minutes(1));
    await otherProgramReads(freezer, { temperature: NORMAL });
    expect(await severityOf(freezer)).toBe('critical');
  });
});

describe('several programs, one after the other or at once', () => {
  const openAnotherRoad = () => openRoad({ db: server.db, clock: server.clock.read, retentionDays: 400 });

  test('a restart in the middle of a sustained breach continues its time', async () => {
    const freezer = await lab.freezer(sustained({ critical: 5, warning: 5 }));
    await freezer.reads(HOT);
    server.clock.advance(minutes(3));
    const restarted = openAnotherRoad();
    await restarted.sweep(later(NOW));
    expect(await alarmOf(freezer)).toBeNull();
    server.clock.advance(minutes(2));
    await restarted.sweep(later(NOW));
    expect(await alarmOf(freezer)).toMatchObject({ severity: 'critical', triggered_at: timeIn(NOW) });
  });

  test('a program that was down when the time was up finds out, and tells the time it was up', async () => {
    const freezer = await lab.freezer(sustained({ critical: 5, warning: 5 }));
    await freezer.reads(HOT);
    server.clock.advance(minutes(9));
    await openAnotherRoad().sweep(later(NOW));
    expect(await alarmOf(freezer)).toMatchObject({
      severity: 'critical',
      triggered_at: timeIn(-minutes(4)),
    });
  });

  test('a breach that one program saw begin, another one ends', async () => {
    const freezer = await lab.freezer(sustained({ critical: 5, warning: 5 }));
    await freezer.reads(HOT);
    server.clock.advance(minutes(3));
    await otherProgramReads(freezer, { temperature: HOT });
    server.clock.advance(minutes(2));
    await otherProgramReads(freezer, { temperature: HOT });
    expect(await alarmOf(freezer)).toMatchObject({ severity: 'critical', triggered_at: timeIn(NOW) });
    server.clock.advance(minutes(1));
    await otherProgramReads(freezer, { temperature: NORMAL });
    expect(await alarmOf(freezer)).toBeNull();
  });

  test('sweeping at the same time writes no event twice', async () => {
    const freezers = await Promise.all(
      Array.from({ length: 12 }, (_, number) =>
        lab.freezer({ ...sustained({ critical: 5, warning: 2 }), name: `Freezer ${number}` }),
      ),
    );
    for (const freezer of freezers) await freezer.reads(HOT);
    const roads = [server.road, openAnotherRoad(), openAnotherRoad(), openAnotherRoad()];
    for (const step of [2, 3, 10]) {
      server.clock.advance(minutes(step));
      await Promise.all(roads.map((road) => road.sweep(later(NOW))));
    }
    // What one held back from the others is looked at again at the next tick.
    await server.road.sweep(later(NOW));
    for (const freezer of freezers) {
      expect(await eventsOf(freezer)).toEqual([
        'raised normal warning',
        'changed warning critical',
        'went_stale critical critical',
      ]);
    }
    const alarms = await lab.alarms();
    expect(alarms).toHaveLength(12);
    expect(alarms.map(({ service_id }) => service_id)).toEqual(
      freezers.map(({ id }) => id).sort((one, another) => another - one),
    );
  });

  test('a reading and the sweep at the same time agree', async () => {
    const freezer = await lab.freezer(sustained({ critical: 5, warning: 5 }));
    for (let round = 0; round < 5; round += 1) {
      await freezer.reads(HOT);
      server.clock.advance(minutes(5));
      await Promise.all([
        server.road.sweep(later(NOW)),
        freezer.reads(HOT),
        openAnotherRoad().sweep(later(NOW)),
      ]);
      expect(await alarmOf(freezer)).toMatchObject({ severity: 'critical', triggered_at: timeIn(NOW) });
      server.clock.advance(minutes(1));
      await freezer.reads(NORMAL);
      server.clock.advance(minutes(1));
    }
    expect(await eventsOf(freezer)).toEqual(
      Array.from({ length: 5 }, () => ['raised normal critical', 'recovered critical normal']).flat(),
    );
  });

  test('a channel that one program got to know keeps the service fresh for the other', async () => {
    const freezer = await lab.freezer(LIMITED);
    await freezer.reads(NORMAL);
    await lab.advance(minutes(10));
    await otherProgramReads(freezer, { humidity: 40 });
    await lab.advance(minutes(6));
    expect(await alarmOf(freezer)).toBeNull();
  });

  test('an alarm of a channel that one program got to know is not ended by the other', async () => {
    const freezer = await lab.freezer({ name: 'Freezer', limits: [{ channel: 'default', bands: bands() }] });
    await freezer.reads(NORMAL);
    await lab.advance(minutes(1));
    await otherProgramReads(freezer, { probe: HOT });
    expect(await alarmOf(freezer)).toMatchObject({ severity: 'critical', channel: 'probe' });
    await acknowledge(lab.oscar, freezer);
    await lab.advance(minutes(1));
    await freezer.reads(NORMAL);
    expect(await alarmOf(freezer)).toMatchObject({
      severity: 'critical',
      channel: 'probe',
      acknowledged: true,
    });
  });
});
