// Contract, Telling people, sentence by sentence: what is told and when, by the rows the decisions leave.
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Lab, openLab } from '../support/lab.ts';
import { minutes, seconds } from '../support/movable-clock.ts';
import {
  decisionsOf,
  HOT,
  NORMAL,
  notificationsOf,
  openColdTeam,
  pass,
  sendAll,
  standingOf,
  toldOf,
  WARM,
  watchedBy,
} from '../support/notification-desk.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

type Freezer = Awaited<ReturnType<Lab['freezer']>>;

let server: TestServer;
let lab: Lab;
beforeAll(async () => {
  server = await startServer();
});
/** What is decided has arrived before anything else happens. */
beforeEach(async () => {
  const { tick, ...rest } = await openLab(server);
  lab = {
    ...rest,
    async tick() {
      await tick();
      await sendAll(server);
    },
  };
  await openColdTeam(lab);
});

const told = (freezer: Freezer) => toldOf(server, freezer);
const decisions = (freezer: Freezer) => decisionsOf(server, freezer);
const acknowledge = (freezer: Freezer, form = {}) =>
  lab.oscar.post(`/api/v1/alarms/${freezer.id}/acknowledge`, form);
const unacknowledge = (freezer: Freezer) => lab.oscar.post(`/api/v1/alarms/${freezer.id}/unacknowledge`);
const mute = (freezer: Freezer) => lab.oscar.post(`/api/v1/services/${freezer.id}/mute`);
const unmute = (freezer: Freezer) => lab.oscar.post(`/api/v1/services/${freezer.id}/unmute`);

async function reads(freezer: Freezer, temperature: number): Promise<void> {
  await lab.advance(seconds(1));
  expect((await freezer.reads(temperature)).status).toBe(200);
  await lab.tick();
}

describe('each kind has its flag', () => {
  test('critical, acknowledgement and recovery of one alarm', async () => {
    const freezer = await lab.freezer(watchedBy('Cold team'));
    await reads(freezer, HOT);
    await acknowledge(freezer, { comment: 'On my way' });
    await lab.tick();
    await reads(freezer, NORMAL);
    expect(await told(freezer)).toEqual(['critical', 'acknowledgement', 'recovery']);
    const [alarm] = await notificationsOf(server, freezer);
    expect(alarm?.recipients).toEqual(['cold@lab.example', 'night@lab.example']);
  });

  test.each([
    ['send_critical', 'Critical alarms', HOT],
    ['send_warning', 'Warnings', WARM],
  ])('%s off: nobody is notified, and the reason is kept', async (flag, what, temperature) => {
    const freezer = await lab.freezer(watchedBy('Cold team', { [flag]: false }));
    await reads(freezer, temperature);
    expect((await decisions(freezer)).map((line) => line.replace(/ (critical|warning):/, ':'))).toEqual([
      `dropped: ${what} are switched off for this unit`,
    ]);
  });

  test('send_recoveries and send_acknowledgements off', async () => {
    const freezer = await lab.freezer(
      watchedBy('Cold team', { send_recoveries: false, send_acknowledgements: false }),
    );
    await reads(freezer, HOT);
    await acknowledge(freezer);
    await reads(freezer, NORMAL);
    expect(await decisions(freezer)).toEqual([
      'released critical: In alarm: critical',
      'dropped acknowledgement: Acknowledgements are switched off for this unit',
      'dropped recovery: Recoveries are switched off for this unit',
    ]);
  });

  test('a flag that is switched on later tells the alarm that holds, but no recovery of former days', async () => {
    const off = { send_critical: false, send_recoveries: false };
    const freezer = await lab.freezer({ key: 'late', ...watchedBy('Cold team', off) });
    await reads(freezer, HOT);
    expect(await told(freezer)).toEqual([]);
    const named = { key: 'late', name: 'Freezer late' };
    await lab.apply({ ...named, notifications: { group: 'Cold team', send_critical: true } });
    await lab.tick();
    expect(await told(freezer)).toEqual(['critical']);
    await reads(freezer, NORMAL);
    await lab.apply({ ...named, notifications: { group: 'Cold team', send_recoveries: true } });
    await lab.tick();
    expect(await told(freezer)).toEqual(['critical']);
  });

  test('a service without a group tells nobody; one that gets a group tells it', async () => {
    const freezer = await lab.freezer({ key: 'lonely', ...watchedBy(null) });
    await reads(freezer, HOT);
    expect(await decisions(freezer)).toEqual(['dropped critical: No notification group']);
    await lab.apply({ key: 'lonely', name: 'Freezer', notifications: { group: 'Cold team' } });
    await lab.tick();
    expect(await told(freezer)).toEqual(['critical']);
  });

  test('an empty group is a reason to tell administrators', async () => {
    await lab.group({ name: 'Nobody', emails: [] });
    const freezer = await lab.freezer(watchedBy('Nobody'));
    await reads(freezer, HOT);
    expect(await decisions(freezer)).toEqual(['released critical: No step reached anybody']);
  });
});

describe("the band's delay", () => {
  test('postpones the message, not the alarm', async () => {
    const freezer = await lab.freezer(watchedBy('Cold team', {}, { critical: 5 }));
    await reads(freezer, HOT);
    expect(await lab.alarms()).toHaveLength(1);
    expect(await decisions(freezer)).toEqual(["waiting critical: Waits 5 minutes: the band's delay"]);
    await pass(lab, 4);
    expect(await told(freezer)).toEqual([]);
    await pass(lab, 1);
    expect(await told(freezer)).toEqual(['critical']);
  });

  test('what recovered meanwhile is never told, nor is its recovery', async () => {
    const freezer = await lab.freezer(watchedBy('Cold team', {}, { critical: 5 }));
    await reads(freezer, HOT);
    await reads(freezer, NORMAL);
    await pass(lab, 10);
    expect(await decisions(freezer)).toEqual([
      'dropped critical: Recovered before its notification',
      'dropped recovery: Recovered before anybody was notified',
    ]);
  });

  test('what was acknowledged meanwhile is not told', async () => {
    const freezer = await lab.freezer(watchedBy('Cold team', {}, { critical: 5 }));
    await reads(freezer, HOT);
    await acknowledge(freezer);
    await pass(lab, 10);
    expect(await told(freezer)).toEqual(['acknowledgement']);
    expect(await decisions(freezer)).toContain('dropped critical: Acknowledged at this severity by Oscar');
  });
});

describe('repeats and escalation', () => {
  test('repeats every hour, counted from the last message, until somebody acknowledges', async () => {
    const freezer = await lab.freezer(watchedBy('Cold team'));
    await reads(freezer, HOT);
    await pass(lab, 59);
    expect(await told(freezer)).toEqual(['critical']);
    await pass(lab, 1);
    expect(await told(freezer)).toEqual(['critical', 'critical again']);
    await pass(lab, 30);
    await acknowledge(freezer);
    await pass(lab, 90);
    expect(await told(freezer)).toEqual(['critical', 'critical again', 'acknowledgement']);
    expect((await standingOf(server, freezer))?.lookAgainAt).toBeNull();
    await unacknowledge(freezer);
    await lab.tick();
    expect(await told(freezer)).toEqual(['critical', 'critical again', 'acknowledgement', 'critical again']);
  });

  test('0 never repeats', async () => {
    const freezer = await lab.freezer(watchedBy('Cold team', { repeat_interval_minutes: 0 }));
    await reads(freezer, HOT);
    await pass(lab, 5);
    expect((await standingOf(server, freezer))?.lookAgainAt).toBeNull();
    expect(await told(freezer)).toEqual(['critical']);
  });

  test('an escalation is told at once, though the warning was acknowledged and its repeat is far away', async () => {
    const freezer = await lab.freezer(watchedBy('Cold team'));
    await reads(freezer, WARM);
    await acknowledge(freezer);
    await reads(freezer, HOT);
    expect(await told(freezer)).toEqual(['warning', 'acknowledgement', 'critical']);
  });

  test("an escalation waits for its own band's delay", async () => {
    const freezer = await lab.freezer(watchedBy('Cold team', {}, { critical: 3 }));
    await reads(freezer, WARM);
    await reads(freezer, HOT);
    expect(await told(freezer)).toEqual(['warning']);
    await pass(lab, 3);
    expect(await told(freezer)).toEqual(['warning', 'critical']);
  });

  test('acknowledged as critical, it may ease to a warning and rise again without a word', async () => {
    const freezer = await lab.freezer(watchedBy('Cold team', { send_acknowledgements: false }));
    await reads(freezer, HOT);
    await acknowledge(freezer);
    await reads(freezer, WARM);
    await reads(freezer, HOT);
    await pass(lab, 61);
    expect(await told(freezer)).toEqual(['critical']);
    expect(await decisions(freezer)).toContain('dropped warning: Acknowledged at a higher severity by Oscar');
  });

  test('new limits end the acknowledgement, and the reminders go on', async () => {
    const freezer = await lab.freezer({
      key: 'edited',
      ...watchedBy('Cold team', { repeat_interval_minutes: 10 }),
    });
    await reads(freezer, HOT);
    await acknowledge(freezer);
    await pass(lab, 20);
    const limits = [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -61 } } }];
    await lab.apply({ key: 'edited', name: 'Edited', limits });
    await lab.tick();
    expect(await told(freezer)).toEqual(['critical', 'acknowledgement', 'critical again']);
  });
});

describe('muted or in downtime nothing is sent and nothing is forgotten', () => {
  test('a muted freezer stays silent, and speaks once unmuted', async () => {
    const freezer = await lab.freezer(watchedBy('Cold team'));
    await mute(freezer);
    await reads(freezer, HOT);
    await pass(lab, 61);
    expect(await decisions(freezer)).toEqual(['held critical: Muted by Oscar']);
    await unmute(freezer);
    await lab.tick();
    await lab.tick();
    expect(await told(freezer)).toEqual(['critical']);
  });

  test('a recovery of an alarm they knew of is told when the mute ends, with what it was', async () => {
    const freezer = await lab.freezer(watchedBy('Cold team'));
    await reads(freezer, HOT);
    await mute(freezer);
    await reads(freezer, NORMAL);
    expect(await told(freezer)).toEqual(['critical']);
    await pass(lab, 5);
    await unmute(freezer);
    await lab.tick();
    expect(await told(freezer)).toEqual(['critical', 'recovery']);
    const [row] = await server.db.query<{ message: string; value: number }>(sql`
      select message, value from notification where service_id = ${freezer.id} and kind = 'recovery' and state = 'released'`);
    expect(row).toEqual({ message: 'Back to normal: Temperature -80 °C', value: -80 });
  });

  test('an alarm that came and went under the mute is no news, but the one before it ended', async () => {
    const freezer = await lab.freezer(watchedBy('Cold team'));
    await reads(freezer, HOT);
    await mute(freezer);
    for (const temperature of [NORMAL, HOT, NORMAL]) await reads(freezer, temperature);
    await unmute(freezer);
    await lab.tick();
    expect(await told(freezer)).toEqual(['critical', 'recovery']);
  });

  test('what they know already is not said again when the mute ends; reminders count from there', async () => {
    const freezer = await lab.freezer(watchedBy('Cold team'));
    await reads(freezer, HOT);
    await mute(freezer);
    await pass(lab, 90);
    await unmute(freezer);
    await lab.tick();
    expect(await told(freezer)).toEqual(['critical']);
    await pass(lab, 60);
    expect(await told(freezer)).toEqual(['critical', 'critical again']);
  });

  test('an escalation under the mute is told when it ends', async () => {
    const freezer = await lab.freezer(watchedBy('Cold team'));
    await reads(freezer, WARM);
    await mute(freezer);
    await reads(freezer, HOT);
    await unmute(freezer);
    await lab.tick();
    expect(await told(freezer)).toEqual(['warning', 'critical']);
  });

  const schedule = async (freezer: Freezer, fromMinutes: number, toMinutes: number) => {
    const at = (count: number) =>
      new Date(server.clock.read().getTime() + minutes(count)).toISOString().slice(0, 19);
    const answer = await lab.oscar.post('/api/v1/downtimes', {
      service_id: String(freezer.id),
      start_time: `${at(fromMinutes)}Z`,
      end_time: `${at(toMinutes)}Z`,
      reason: 'Defrost',
    });
    expect(answer.status).toBe(303);
  };

  test('the end of overlapping windows is a timer of its own: no reading is needed', async () => {
    const freezer = await lab.freezer(watchedBy('Cold team'));
    await schedule(freezer, 0, 10);
    await schedule(freezer, 5, 20);
    await lab.advance(1000);
    await reads(freezer, HOT);
    expect((await decisions(freezer))[0]).toMatch(
      /^held critical: In downtime until .* UTC, planned by Oscar$/,
    );
    await pass(lab, 18);
    expect(await told(freezer)).toEqual([]);
    await pass(lab, 2);
    expect(await told(freezer)).toEqual(['critical']);
  });

  test('a cancelled window ends at once', async () => {
    const freezer = await lab.freezer(watchedBy('Cold team'));
    await schedule(freezer, 0, 60);
    await reads(freezer, HOT);
    const [window] = await server.db.query<{ id: number }>(
      sql`select id from downtime where service_id = ${freezer.id}`,
    );
    await lab.oscar.delete(`/api/v1/downtimes/${window?.id}`);
    await lab.tick();
    expect(await told(freezer)).toEqual(['critical']);
  });

  test('a window that begins while an alarm waits for its delay holds it', async () => {
    const freezer = await lab.freezer(watchedBy('Cold team', {}, { critical: 5 }));
    await reads(freezer, HOT);
    await schedule(freezer, 2, 30);
    await pass(lab, 10);
    expect(await told(freezer)).toEqual([]);
    await pass(lab, 20);
    expect(await told(freezer)).toEqual(['critical']);
  });
});

describe('system messages', () => {
  const stale = { ...watchedBy('Cold team'), stale_after_minutes: 10 };

  test('that a service is stale is told once after its delay, and so is its end', async () => {
    const freezer = await lab.freezer(stale);
    await reads(freezer, NORMAL);
    await pass(lab, 14);
    expect(await told(freezer)).toEqual([]);
    await pass(lab, 2);
    expect(await told(freezer)).toEqual(['stale']);
    await pass(lab, 90);
    expect(await told(freezer)).toEqual(['stale']);
    await reads(freezer, NORMAL);
    expect(await told(freezer)).toEqual(['stale', 'back']);
    await pass(lab, 16);
    expect(await told(freezer)).toEqual(['stale', 'back', 'stale']);
  });

  test('data that comes back within the delay is no news', async () => {
    const freezer = await lab.freezer(stale);
    await reads(freezer, NORMAL);
    await pass(lab, 12);
    await reads(freezer, NORMAL);
    await pass(lab, 5);
    expect(await decisions(freezer)).toEqual([
      'dropped system: Data came back before its notification',
      'dropped system: Data came back before anybody was notified',
    ]);
  });

  test('off: a reason, and no word', async () => {
    const freezer = await lab.freezer({
      ...watchedBy('Cold team', { enable_system_notifications: false }),
      stale_after_minutes: 10,
    });
    await reads(freezer, NORMAL);
    await pass(lab, 16);
    expect(await decisions(freezer)).toEqual([
      'dropped system: Notifications of missing data are switched off for this unit',
    ]);
  });

  test('back while muted is told when the mute ends', async () => {
    const freezer = await lab.freezer(stale);
    await reads(freezer, NORMAL);
    await pass(lab, 16);
    await mute(freezer);
    await reads(freezer, NORMAL);
    await unmute(freezer);
    await lab.tick();
    expect(await told(freezer)).toEqual(['stale', 'back']);
  });
});

describe('who was told', () => {
  test('a recovery goes to those who were told of the alarm, not to who joined since', async () => {
    const freezer = await lab.freezer(watchedBy('Cold team', { repeat_interval_minutes: 0 }));
    await reads(freezer, HOT);
    await server.db.query(sql`
      insert into notification_group_email (group_id, email)
      select id, 'late@lab.example' from notification_group
      where organization_id = ${lab.organization} and name = 'Cold team'`);
    await reads(freezer, NORMAL);
    const rows = await notificationsOf(server, freezer);
    expect(rows.at(-1)).toMatchObject({
      kind: 'recovery',
      recipients: ['cold@lab.example', 'night@lab.example'],
    });
  });

  test('who moves the alarm to another group tells the new one; both hear the end', async () => {
    await lab.group({ name: 'Day team', emails: ['day@lab.example'] });
    const freezer = await lab.freezer({ key: 'moved', ...watchedBy('Cold team') });
    await reads(freezer, HOT);
    await lab.apply({ key: 'moved', name: 'Moved', notifications: { group: 'Day team' } });
    await lab.tick();
    await reads(freezer, NORMAL);
    const rows = (await notificationsOf(server, freezer)).map(({ kind, recipients }) => [
      kind,
      ...recipients,
    ]);
    expect(rows.slice(0, 2)).toEqual([
      ['critical', 'cold@lab.example', 'night@lab.example'],
      ['critical', 'day@lab.example'],
    ]);
    expect(
      rows
        .slice(2)
        .flatMap(([, ...recipients]) => recipients)
        .sort(),
    ).toEqual(['cold@lab.example', 'day@lab.example', 'night@lab.example']);
  });

  test('what was dropped on its way was not told: it is caught up', async () => {
    const freezer = await lab.freezer(watchedBy('Cold team'));
    await reads(freezer, HOT);
    await mute(freezer);
    await lab.tick();
    await server.db.query(sql`
      update delivery set state = 'dropped', sent_at = null, drop_reason = 'Muted by Oscar'
      where service_id = ${freezer.id}`);
    await unmute(freezer);
    await lab.tick();
    expect(await told(freezer)).toEqual(['critical', 'critical']);
  });

  test('an archived service tells nothing, and a restored one nothing of before', async () => {
    const freezer = await lab.freezer({ key: 'old', name: 'Old', ...watchedBy('Cold team') });
    await reads(freezer, HOT);
    await lab.apply({ key: 'old', name: 'Old', archived: true });
    await lab.tick();
    await lab.apply({ key: 'old', name: 'Old', archived: false });
    await lab.tick();
    expect(await decisions(freezer)).toEqual([
      'released critical: In alarm: critical',
      'dropped recovery: Archived',
    ]);
  });
});
