// The ladder of a group, climbed minute by minute: who is told when, and what ends it.

import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { english } from '../../src/domain/language/english.ts';
import { type Reason, sayReason } from '../../src/domain/notifications/reason.ts';
import { climbDrills } from '../../src/engine/outbox/climb-drills.ts';
import { noteLost } from '../../src/engine/outbox/receipts.ts';
import { lookAtService } from '../../src/engine/self-watch/look.ts';
import { type Freezer, type Lab, openLab } from '../support/lab.ts';
import { minutes } from '../support/movable-clock.ts';
import {
  HOT,
  NORMAL,
  notificationsOf,
  pass,
  sendAll,
  standingOf,
  WARM,
  watchedBy,
} from '../support/notification-desk.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});

const THREE_STEPS = {
  name: 'Cold team',
  emails: ['cold@lab.example'],
  steps: [
    { step: 1, after_minutes: 10 },
    { step: 2, after_minutes: 25, kinds: ['critical', 'warning'] },
  ],
  told: [
    { step: 1, email: 'second@lab.example' },
    { step: 2, email: 'third@lab.example' },
  ],
};

async function open(group: Record<string, unknown> & { name: string } = THREE_STEPS) {
  const lab = await openLab(server);
  await lab.group(group);
  const freezer = await lab.freezer(watchedBy(group.name, { repeat_interval_minutes: 0 }));
  return { lab, freezer };
}

/** `10 critical second@lab.example`: minutes since `from`, what, and to whom. */
async function told(freezer: Freezer, from: Date): Promise<string[]> {
  const rows = await server.db.query<{ at: Date; kind: string; recipient: string; step: number }>(sql`
    select delivery.created_at as "at", kind, recipient, step from delivery
    join notification on notification.id = notification_id
    where delivery.service_id = ${freezer.id} and delivery.state <> 'dropped' order by delivery.id`);
  return rows.map(
    ({ at, kind, recipient }) =>
      `${Math.round((at.getTime() - from.getTime()) / minutes(1))} ${kind} ${recipient}`,
  );
}

const stepsOf = async (freezer: Freezer) =>
  (
    await server.db.query<{ step: string; why: Reason }>(sql`
      select severity || ' ' || step as "step", why from step_opened where service_id = ${freezer.id} order by id`)
  ).map(({ step, why }) => `${step}: ${sayReason(why, english)}`);

/** Sent as it is decided, as long as nothing else is said. */
async function passAndSend(lab: Lab, count: number): Promise<void> {
  for (let minute = 0; minute < count; minute += 1) {
    await pass(lab, 1);
    await sendAll(server);
  }
}

async function begin(lab: Lab, freezer: Freezer, temperature = HOT): Promise<Date> {
  await freezer.reads(temperature);
  await lab.tick();
  await sendAll(server);
  return server.clock.read();
}

describe('while nobody acts', () => {
  test('each step opens in its time, and is recorded with its reason', async () => {
    const { lab, freezer } = await open();
    const from = await begin(lab, freezer);
    await passAndSend(lab, 60);
    expect(await told(freezer, from)).toEqual([
      '0 critical cold@lab.example',
      '10 critical second@lab.example',
      '25 critical third@lab.example',
    ]);
    expect(await stepsOf(freezer)).toEqual([
      'critical 0: In alarm: critical',
      'critical 1: Nobody acknowledged within 10 minutes',
      'critical 2: Nobody acknowledged within 15 minutes',
    ]);
  });

  test('a warning takes only the steps that are for warnings', async () => {
    const { lab, freezer } = await open();
    const from = await begin(lab, freezer, WARM);
    await passAndSend(lab, 60);
    expect(await told(freezer, from)).toEqual(['0 warning cold@lab.example', '25 warning third@lab.example']);
  });

  test('a program that stood still opens one step, not all that would have been due', async () => {
    const { lab, freezer } = await open();
    const from = await begin(lab, freezer);
    server.clock.advance(minutes(120));
    await passAndSend(lab, 1);
    expect(await told(freezer, from)).toEqual([
      '0 critical cold@lab.example',
      '121 critical second@lab.example',
    ]);
    await passAndSend(lab, 15);
    expect((await told(freezer, from)).at(-1)).toBe('136 critical third@lab.example');
  });

  test('reminders go to everybody whose step is open', async () => {
    const lab = await openLab(server);
    await lab.group(THREE_STEPS);
    const freezer = await lab.freezer(watchedBy('Cold team', { repeat_interval_minutes: 20 }));
    const from = await begin(lab, freezer);
    await passAndSend(lab, 31);
    expect(await told(freezer, from)).toEqual([
      '0 critical cold@lab.example',
      '10 critical second@lab.example',
      '20 critical cold@lab.example',
      '25 critical third@lab.example',
      '30 critical second@lab.example',
    ]);
  });

  test('who stands on two steps is told at both', async () => {
    const { lab, freezer } = await open({
      ...THREE_STEPS,
      told: [{ step: 1, email: 'cold@lab.example' }],
    });
    const from = await begin(lab, freezer);
    await passAndSend(lab, 30);
    expect(await told(freezer, from)).toEqual([
      '0 critical cold@lab.example',
      '10 critical cold@lab.example',
    ]);
  });
});

/** As a provider's report says it, for all that was sent to this address. */
async function losePost(recipient: string): Promise<void> {
  const now = server.clock.read();
  await server.db.query(
    sql`update delivery set provider_id = id::text where recipient = ${recipient} and state = 'sent'`,
  );
  const sent = await server.db.query<{ id: string }>(sql`
    select provider_id as id from delivery where recipient = ${recipient} and state = 'sent'`);
  for (const { id } of sent) await server.db.transaction((tx) => noteLost(tx, id, 'undelivered', now));
}

describe('messages that a provider took and could not deliver', () => {
  test('open the next step, and are tried again after a quarter of an hour, not at once', async () => {
    const { lab, freezer } = await open({
      ...THREE_STEPS,
      emails: ['lost@lab.example'],
    });
    const from = await begin(lab, freezer);
    for (let minute = 0; minute < 16; minute += 1) {
      await losePost('lost@lab.example');
      await passAndSend(lab, 1);
    }
    expect(await told(freezer, from)).toEqual([
      '0 critical lost@lab.example',
      '1 critical second@lab.example',
      '15 critical lost@lab.example',
      '16 critical third@lab.example',
    ]);
    expect((await stepsOf(freezer))[1]).toBe('critical 1: Every message of step 0 failed');
  });

  test('cost a group without steps no more than that either', async () => {
    const { lab, freezer } = await open({ name: 'Cold team', emails: ['gone@lab.example'] });
    const from = await begin(lab, freezer);
    for (let minute = 0; minute < 20; minute += 1) {
      await losePost('gone@lab.example');
      await passAndSend(lab, 1);
    }
    expect(await told(freezer, from)).toEqual([
      '0 critical gone@lab.example',
      `1 critical ${lab.ada.email}`,
      '15 critical gone@lab.example',
    ]);
    await lab.oscar.post(`/api/v1/alarms/${freezer.id}/acknowledge`);
  });
});

describe('what ends or holds it', () => {
  test('an acknowledgement stops it; taken back, it begins again, and who knows already is not told anew at once', async () => {
    const { lab, freezer } = await open();
    const from = await begin(lab, freezer);
    await passAndSend(lab, 12);
    await lab.oscar.post(`/api/v1/alarms/${freezer.id}/acknowledge`);
    await passAndSend(lab, 60);
    const before = await told(freezer, from);
    expect(before.filter((line) => line.includes('critical'))).toEqual([
      '0 critical cold@lab.example',
      '10 critical second@lab.example',
    ]);
    expect(before.filter((line) => line.includes('acknowledgement'))).toEqual([
      '13 acknowledgement cold@lab.example',
      '13 acknowledgement second@lab.example',
    ]);
    await lab.oscar.post(`/api/v1/alarms/${freezer.id}/unacknowledge`);
    await passAndSend(lab, 30);
    expect((await told(freezer, from)).slice(before.length)).toEqual([
      '83 critical second@lab.example',
      '98 critical third@lab.example',
    ]);
  });

  test('an acknowledged warning that rises climbs from the first step', async () => {
    const { lab, freezer } = await open();
    const from = await begin(lab, freezer, WARM);
    await lab.oscar.post(`/api/v1/alarms/${freezer.id}/acknowledge`);
    await passAndSend(lab, 30);
    await freezer.reads(HOT);
    await passAndSend(lab, 12);
    expect((await told(freezer, from)).filter((line) => line.includes('critical'))).toEqual([
      '31 critical cold@lab.example',
      '41 critical second@lab.example',
    ]);
  });

  test('muted, nothing advances; afterwards it begins with the first step', async () => {
    const { lab, freezer } = await open();
    const from = await begin(lab, freezer);
    await passAndSend(lab, 5);
    await lab.oscar.post(`/api/v1/services/${freezer.id}/mute`);
    await passAndSend(lab, 60);
    expect(await told(freezer, from)).toEqual(['0 critical cold@lab.example']);
    await lab.oscar.post(`/api/v1/services/${freezer.id}/unmute`);
    await passAndSend(lab, 12);
    expect(await told(freezer, from)).toEqual([
      '0 critical cold@lab.example',
      '76 critical second@lab.example',
    ]);
  });

  test('its end is told to all who were told', async () => {
    const { lab, freezer } = await open();
    const from = await begin(lab, freezer);
    await passAndSend(lab, 12);
    await freezer.reads(NORMAL);
    await passAndSend(lab, 60);
    expect((await told(freezer, from)).filter((line) => line.includes('recovery'))).toEqual([
      '13 recovery cold@lab.example',
      '13 recovery second@lab.example',
    ]);
  });

  test('a step that is added while it climbs is taken in its turn, from the same beginning', async () => {
    const { lab, freezer } = await open();
    const from = await begin(lab, freezer);
    await passAndSend(lab, 12);
    await lab.group({
      name: 'Cold team',
      steps: [{ step: 3, after_minutes: 40 }],
      told: [{ step: 3, email: 'fourth@lab.example' }],
    });
    await passAndSend(lab, 40);
    expect((await told(freezer, from)).slice(2)).toEqual([
      '25 critical third@lab.example',
      '40 critical fourth@lab.example',
    ]);
  });
});

describe('a service of which nothing comes', () => {
  test('climbs the steps that are for it, once each', async () => {
    const lab = await openLab(server);
    await lab.group({
      name: 'Cold team',
      emails: ['cold@lab.example'],
      steps: [{ step: 1, after_minutes: 10, kinds: ['system'] }],
      told: [{ step: 1, email: 'second@lab.example' }],
    });
    const freezer = await lab.freezer({ ...watchedBy('Cold team'), stale_after_minutes: 15 });
    await freezer.reads(NORMAL);
    const from = server.clock.read();
    await passAndSend(lab, 120);
    expect(await told(freezer, from)).toEqual(['20 system cold@lab.example', '30 system second@lab.example']);
  });
});

describe('lab hours', () => {
  const HOURS = {
    lab_hours: {
      timezone: 'UTC',
      weekly: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '08:00', to: '18:00' }],
    },
  };
  const atClock = (clock: string) => {
    const now = server.clock.read();
    const day = now.toISOString().slice(0, 10);
    const at = new Date(`${day}T${clock}:00.000Z`);
    server.clock.advance((at > now ? at.getTime() : at.getTime() + minutes(24 * 60)) - now.getTime());
  };

  test('choose whom it reaches, and who comes on duty while it holds is told at once', async () => {
    const lab = await openLab(server);
    await lab.organizationEntry(HOURS);
    await lab.group({
      name: 'Cold team',
      told: [
        { during: 'lab_hours', email: 'day@lab.example' },
        { during: 'off_hours', email: 'night@lab.example' },
      ],
    });
    const freezer = await lab.freezer(watchedBy('Cold team', { repeat_interval_minutes: 0 }));
    atClock('17:50');
    const from = await begin(lab, freezer);
    await passAndSend(lab, 20);
    expect(await told(freezer, from)).toEqual([
      '0 critical day@lab.example',
      '10 critical night@lab.example',
    ]);
    await freezer.reads(NORMAL);
    await passAndSend(lab, 1);
    expect((await told(freezer, from)).slice(2).sort()).toEqual([
      '21 recovery day@lab.example',
      '21 recovery night@lab.example',
    ]);
  });

  test('a warning waits for somebody to come, a critical alarm passes an empty step at once', async () => {
    const lab = await openLab(server);
    await lab.organizationEntry(HOURS);
    await lab.group({
      name: 'Cold team',
      steps: [{ step: 1, after_minutes: 30 }],
      told: [
        { during: 'lab_hours', email: 'day@lab.example' },
        { step: 1, email: 'guard@lab.example' },
      ],
    });
    const [warm, hot] = [
      await lab.freezer(watchedBy('Cold team', { repeat_interval_minutes: 0 })),
      await lab.freezer(watchedBy('Cold team', { repeat_interval_minutes: 0 })),
    ];
    atClock('07:00');
    const from = await begin(lab, warm, WARM);
    await begin(lab, hot);
    expect(await told(warm, from)).toEqual([]);
    expect((await standingOf(server, warm))?.reason).toMatch(/^Waits until .* 08:00 UTC: nobody is on duty$/);
    expect(await told(hot, from)).toEqual(['0 critical guard@lab.example']);
    expect(await stepsOf(hot)).toEqual([
      'critical 0: Nobody is on duty: passed at once',
      'critical 1: Step 0 reached nobody',
    ]);
    await passAndSend(lab, 61);
    expect(await told(warm, from)).toEqual(['60 warning day@lab.example']);
    expect((await told(hot, from)).at(-1)).toBe('60 critical day@lab.example');
  });
});

describe('the last resort', () => {
  const findUnreached = async () =>
    (await lookAtService(server.db, server.clock.read())).findings.filter(
      ({ name }) => name === 'nobody_reached',
    );

  test('of an alarm that reaches nobody, administrators are told, and health is red until it arrives', async () => {
    const { lab, freezer } = await open({ name: 'Cold team', steps: [{ step: 1, after_minutes: 10 }] });
    const from = server.clock.read();
    await freezer.reads(HOT);
    await lab.tick();
    expect(await told(freezer, from)).toEqual([`0 critical ${lab.ada.email}`]);
    expect(await stepsOf(freezer)).toEqual([
      'critical 0: Nobody is on duty: passed at once',
      'critical 1: Nobody is on duty: passed at once',
      'critical 9: No step reached anybody',
    ]);
    expect(await findUnreached()).toMatchObject([{ severity: 'critical' }]);
    await pass(lab, 3);
    expect((await notificationsOf(server, freezer)).length).toBe(1);
    await sendAll(server);
    expect(await findUnreached()).toEqual([]);
  });

  test('so is one of which nothing arrives, and an acknowledgement ends the matter', async () => {
    const { lab, freezer } = await open();
    const from = server.clock.read();
    await freezer.reads(HOT);
    await lab.tick();
    await pass(lab, 29);
    expect((await told(freezer, from)).filter((line) => line.includes(lab.ada.email))).toEqual([]);
    await pass(lab, 1);
    expect((await told(freezer, from)).at(-1)).toBe(`30 critical ${lab.ada.email}`);
    expect(await findUnreached()).toHaveLength(1);
    await lab.oscar.post(`/api/v1/alarms/${freezer.id}/acknowledge`);
    expect(await findUnreached()).toEqual([]);
  });

  test('of a group that nobody is in, too', async () => {
    const { lab, freezer } = await open({ name: 'Cold team' });
    const from = await begin(lab, freezer);
    await pass(lab, 10);
    expect(await told(freezer, from)).toEqual([`0 critical ${lab.ada.email}`]);
    expect(await stepsOf(freezer)).toEqual(['critical 9: No step reached anybody']);
    await lab.oscar.post(`/api/v1/alarms/${freezer.id}/acknowledge`);
  });
});

describe('a drill', () => {
  test('climbs the ladder until somebody acknowledges it', async () => {
    const { lab, freezer } = await open();
    const from = server.clock.read();
    expect((await lab.ada.post(`/services/${freezer.id}/drill`, { climb: 'yes' })).status).toBe(303);
    for (let minute = 0; minute < 30; minute += 1) {
      await climbDrills(server.db, server.clock.read());
      await lab.advance(minutes(1));
    }
    expect(await told(freezer, from)).toEqual([
      '0 critical cold@lab.example',
      '10 critical second@lab.example',
      '25 critical third@lab.example',
    ]);
  });
});
