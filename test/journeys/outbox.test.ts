// The outbox behind the policy: shared between programs, looked at again before sending, and put into words.
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { english } from '../../src/domain/language/english.ts';
import { sayReason } from '../../src/domain/notifications/reason.ts';
import { composeNotices } from '../../src/engine/delivery/read-notices.ts';
import { decideDue } from '../../src/engine/outbox/decide.ts';
import { askTruths, findUntruths } from '../../src/engine/outbox/recheck.ts';
import { tellTest } from '../../src/engine/outbox/send-test.ts';
import { tellDrill } from '../../src/engine/outbox/tell-drill.ts';
import { breakRows } from '../support/broken-rows.ts';
import { countTrips } from '../support/count-trips.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { minutes, seconds } from '../support/movable-clock.ts';
import {
  decisionsOf,
  HOT,
  NORMAL,
  notificationsOf,
  openColdTeam,
  sendAll,
  toldOf,
  WARM,
  watchedBy,
} from '../support/notification-desk.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

type Freezer = Awaited<ReturnType<Lab['freezer']>>;

let server: TestServer;
let lab: Lab;
let groupId: number;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  lab = await openLab(server);
  groupId = await openColdTeam(lab);
});

async function reads(freezer: Freezer, temperature: number): Promise<void> {
  await lab.advance(seconds(1));
  expect((await freezer.reads(temperature)).status).toBe(200);
  await lab.tick();
}

const truths = async (freezer: Pick<Freezer, 'id'>, kind: string) => {
  const ids = await server.db.query<{ id: string }>(sql`
    select delivery.id from delivery join notification on notification.id = notification_id
    where delivery.service_id = ${freezer.id} and kind = ${kind} order by delivery.id`);
  const which = sql`id = any(${ids.map(({ id }) => id)}::bigint[])`;
  const now = server.clock.read();
  const { claimed, states, groups } = await server.db.transaction((tx) => tx.queryAll(askTruths(which, now)));
  const untruths = findUntruths(claimed, states, groups, now);
  return claimed.map(({ id }) => {
    const untruth = untruths.get(id);
    return untruth ? sayReason(untruth, english) : 'still true';
  });
};

describe('looked at again in the transaction that claims', () => {
  test.each<[what: string, change: (freezer: Freezer) => Promise<unknown>, truth: string]>([
    ['nothing happened', async () => {}, 'still true'],
    [
      'acknowledged',
      ({ id }) => lab.oscar.post(`/api/v1/alarms/${id}/acknowledge`),
      'Acknowledged at this severity by Oscar',
    ],
    ['muted', ({ id }) => lab.oscar.post(`/api/v1/services/${id}/mute`), 'Muted by Oscar'],
    ['recovered', (freezer) => freezer.reads(NORMAL), 'Recovered meanwhile'],
    ['eased', (freezer) => freezer.reads(WARM), 'Overtaken: now warning'],
  ])('%s', async (_, change, truth) => {
    const freezer = await lab.freezer(watchedBy('Cold team'));
    await reads(freezer, HOT);
    await lab.advance(seconds(1));
    await change(freezer);
    expect(await truths(freezer, 'critical')).toEqual([truth, truth]);
  });

  test('a recovery is for those whom the alarm reached', async () => {
    const freezer = await lab.freezer(watchedBy('Cold team'));
    await reads(freezer, HOT);
    await sendAll(server);
    await reads(freezer, NORMAL);
    expect(await truths(freezer, 'recovery')).toEqual(['still true', 'still true']);
    // It was in somebody's hands, and did not arrive after all.
    await server.db.query(sql`
      update delivery set state = 'queued', sent_at = null
      where service_id = ${freezer.id} and recipient = 'night@lab.example'`);
    expect(await truths(freezer, 'recovery')).toEqual([
      'still true',
      'Was never notified of what is over now',
    ]);
  });
});

describe('shared work', () => {
  test('programs that decide at the same time write each delivery once', async () => {
    const freezers = await Promise.all(Array.from({ length: 12 }, () => lab.freezer(watchedBy('Cold team'))));
    await lab.advance(seconds(1));
    for (const freezer of freezers) await freezer.reads(HOT);
    await Promise.all(Array.from({ length: 6 }, () => decideDue(server.db, server.clock.read())));
    await lab.tick();
    for (const freezer of freezers) expect(await toldOf(server, freezer)).toEqual(['critical']);
    await sendAll(server);
    await lab.advance(minutes(61));
    await Promise.all(Array.from({ length: 6 }, () => decideDue(server.db, server.clock.read())));
    for (const freezer of freezers)
      expect(await toldOf(server, freezer)).toEqual(['critical', 'critical again']);
  });

  test('a service that cannot be decided holds up no other, and is decided once it can be', async () => {
    const [broken, well] = [
      await lab.freezer(watchedBy('Cold team')),
      await lab.freezer(watchedBy('Cold team')),
    ];
    const mend = await breakRows(server.db, 'notification_schedule', `old.service_id = ${broken.id}`);
    await lab.advance(seconds(1));
    for (const freezer of [broken, well]) await freezer.reads(HOT);
    await expect(lab.tick()).rejects.toThrow('what is told could not be decided');
    expect(await toldOf(server, well)).toEqual(['critical']);
    expect(await toldOf(server, broken)).toEqual([]);
    await mend();
    await lab.tick();
    expect(await toldOf(server, broken)).toEqual(['critical']);
  });

  test('a decision under way does not hold up readings, and what they bring is decided next', async () => {
    const freezer = await lab.freezer(watchedBy('Cold team'));
    await lab.advance(seconds(1));
    await freezer.reads(WARM);
    await server.db.transaction(async (tx) => {
      await tx.query(sql`select from notification_schedule where service_id = ${freezer.id} for update`);
      await lab.tick();
      expect(await toldOf(server, freezer)).toEqual([]);
      await freezer.sends({ time: server.clock.read().getTime() + 1, values: { temperature: HOT } });
    });
    await lab.tick();
    expect(await decisionsOf(server, freezer)).toEqual([
      'dropped warning: Overtaken: now critical',
      'released critical: In alarm: critical',
    ]);
  });

  test('five hundred services that fail in the same second cost as many round trips as one', async () => {
    const keys = Array.from({ length: 500 }, (_, index) => `storm-${lab.organization}-${index}`);
    const services = keys.map((key) => ({ name: key, device: { key }, ...watchedBy('Cold team') }));
    await lab.applyAll(services);
    const one = await lab.freezer(watchedBy('Cold team'));
    await lab.advance(seconds(1));
    await lab.tick();
    const countDecision = async () => {
      const { db, read } = countTrips(server.db);
      await decideDue(db, server.clock.read());
      return read();
    };

    await one.reads(HOT);
    expect(await countDecision()).toBe(3);
    const answer = await lab.post(keys.map((device) => ({ device, values: { temperature: HOT } })));
    expect(answer.status).toBe(200);
    // The full batch is followed by one look that finds nothing more.
    expect(await countDecision()).toBe(4);
    const [row] = await server.db.query<{ count: number }>(sql`
      select count(*)::int as "count" from delivery join service on service.id = service_id
      where name like ${`storm-${lab.organization}-%`}`);
    expect(row?.count).toBe(1000);
  });
});

describe('in words', () => {
  test('an alarm with its curve and its link; the same link for every message of the episode', async () => {
    const freezer = await lab.freezer({ ...watchedBy('Cold team'), asset: 'ULT-1', location: 'Room 101' });
    for (const temperature of [-80, -75, -70]) {
      await reads(freezer, temperature);
      await lab.advance(minutes(10));
    }
    await reads(freezer, HOT);
    await lab.oscar.post(`/api/v1/alarms/${freezer.id}/acknowledge`, { comment: 'On my way' });
    await lab.tick();
    await sendAll(server);
    await reads(freezer, NORMAL);
    const rows = (await notificationsOf(server, freezer)).filter(({ state }) => state === 'released');
    const notices = await composeNotices(
      server.db,
      rows.map(({ id }) => id),
      'https://tocsin.lab.example/',
    );
    const undrawn = await composeNotices(
      server.db,
      [rows[0]?.id ?? ''],
      'https://lab.example/tocsin',
      async () => new Map(),
    );
    expect(undrawn(rows[0]?.id ?? '', english)).toMatchObject({
      curve: null,
      alarmsUrl: 'https://lab.example/tocsin/',
    });
    const [alarm, acknowledgement, recovery] = rows.map(({ id }) => notices(id, english));
    expect(alarm).toMatchObject({
      subject: 'critical',
      severity: 'critical',
      mark: null,
      isRepeat: false,
      organizationName: lab.organizationName,
      groupName: 'Cold team',
      serviceId: freezer.id,
      locationName: 'Room 101',
      message: 'Temperature -50 °C is above the critical limit of -60 °C',
      channel: 'temperature',
      channelLabel: 'Temperature',
      unit: '°C',
      value: -50,
      limit: -60,
      serviceUrl: `https://tocsin.lab.example/services/${freezer.id}`,
      acknowledgedBy: null,
    });
    expect(alarm?.curve?.points.map(([, value]) => value)).toEqual([-80, -75, -70, -50]);
    expect(alarm?.curve?.limits).toEqual([
      { severity: 'warning', limit: -65 },
      { severity: 'critical', limit: -60 },
    ]);
    const [link] = await server.db.query<{ token: string; episodeId: string }>(sql`
      select token, episode_id as "episodeId" from acknowledge_link where service_id = ${freezer.id}`);
    expect(alarm?.acknowledgeUrl).toBe(`https://tocsin.lab.example/acknowledge/${link?.token}`);
    expect(link?.token).toMatch(/^[\w-]{32}$/);
    expect(alarm?.episodeId).toBe(link?.episodeId);
    expect(acknowledgement).toMatchObject({
      subject: 'acknowledgement',
      severity: 'critical',
      acknowledgedBy: 'Oscar',
      comment: 'On my way',
      acknowledgeUrl: null,
      episodeId: link?.episodeId,
    });
    expect(recovery).toMatchObject({
      subject: 'recovery',
      severity: 'normal',
      message: 'Back to normal: Temperature -80 °C',
      episodeId: link?.episodeId,
      acknowledgeUrl: null,
      value: -80,
    });
  });

  test('an acknowledgement always says something', async () => {
    const freezer = await lab.freezer(watchedBy('Cold team', { send_acknowledgements: true }));
    await reads(freezer, HOT);
    await server.db.query(sql`update alarm_state set message = '' where service_id = ${freezer.id}`);
    await lab.oscar.post(`/api/v1/alarms/${freezer.id}/acknowledge`, {});
    await lab.tick();
    const told = (await notificationsOf(server, freezer)).find(({ kind }) => kind === 'acknowledgement');
    const notices = await composeNotices(server.db, [told?.id ?? ''], 'https://tocsin.lab.example');
    expect(notices(told?.id ?? '', english)?.message).toBe('Acknowledged by Oscar');
  });

  test('a stale service says since when', async () => {
    const freezer = await lab.freezer({ ...watchedBy('Cold team'), stale_after_minutes: 10 });
    await reads(freezer, NORMAL);
    const at = server.clock.read().toISOString().slice(0, 16).replace('T', ' ');
    await lab.advance(minutes(10));
    await lab.tick();
    await lab.advance(minutes(5));
    await lab.tick();
    const [row] = await notificationsOf(server, freezer);
    const notices = await composeNotices(server.db, [row?.id ?? ''], 'https://tocsin.lab.example');
    expect(notices(row?.id ?? '', english)).toMatchObject({
      subject: 'stale',
      severity: 'stale',
      episodeId: null,
      message: `No data since ${at} UTC`,
      curve: null,
      acknowledgeUrl: null,
    });
  });
});

describe('marked messages', () => {
  const authorName = 'Ada';

  test('a test reaches everybody in the group, and is about no service', async () => {
    const sent = await server.db.transaction((tx) =>
      tellTest(tx, { groupId, organizationId: lab.organization, authorName }, server.clock.read()),
    );
    const id = sent.ok ? sent.value.notificationId : '';
    const recipients = await server.db.query<{ recipient: string }>(sql`
      select recipient from delivery where notification_id = ${id} order by 1`);
    expect(recipients.map(({ recipient }) => recipient)).toEqual(['cold@lab.example', 'night@lab.example']);
    const notices = await composeNotices(server.db, [id], 'https://tocsin.lab.example');
    expect(notices(id, english)).toMatchObject({
      mark: 'test',
      groupName: 'Cold team',
      serviceName: 'Cold team',
      message: 'This is a test, sent by Ada',
      acknowledgeUrl: null,
    });
  });

  test('a drill goes the way of a real alarm, though the service is muted, and changes nothing about it', async () => {
    const freezer = await lab.freezer(watchedBy('Cold team'));
    await reads(freezer, HOT);
    await sendAll(server);
    await lab.oscar.post(`/api/v1/services/${freezer.id}/mute`);
    const sent = await server.db.transaction((tx) =>
      tellDrill(tx, { serviceId: freezer.id, authorName }, server.clock.read()),
    );
    const drill = sent.ok ? sent.value : { notificationId: '', episodeId: '' };
    const notices = await composeNotices(server.db, [drill.notificationId], 'https://tocsin.lab.example');
    const notice = notices(drill.notificationId, english);
    expect(notice).toMatchObject({ mark: 'drill', subject: 'critical', episodeId: drill.episodeId });
    expect(notice?.acknowledgeUrl).toMatch(/^https:\/\/tocsin\.lab\.example\/acknowledge\/[\w-]{32}$/);
    expect((await truths(freezer, 'critical')).slice(2)).toEqual(['still true', 'still true']);
    await reads(freezer, NORMAL);
    await lab.oscar.post(`/api/v1/services/${freezer.id}/unmute`);
    await lab.tick();
    expect(await toldOf(server, freezer)).toEqual(['critical', 'critical', 'recovery']);
  });

  test('without a group, or with nobody in it, there is nobody to test', async () => {
    const empty = await lab.group({ name: 'Nobody', emails: [] });
    const freezer = await lab.freezer(watchedBy(null));
    const now = server.clock.read();
    const outcomes = await server.db.transaction(async (tx) => [
      await tellTest(tx, { groupId: empty, organizationId: lab.organization, authorName }, now),
      await tellDrill(tx, { serviceId: freezer.id, authorName }, now),
    ]);
    expect(outcomes).toEqual([
      { ok: false, refusal: 'nobody_in_group' },
      { ok: false, refusal: 'no_group' },
    ]);
  });
});
