// Whoever has an alarm and cannot go gives it back: the next step opens at once, or everybody else is told again.

import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import { english } from '../../src/domain/language/english.ts';
import { type Reason, sayReason } from '../../src/domain/notifications/reason.ts';
import { type Freezer, type Lab, openLab } from '../support/lab.ts';
import { minutes } from '../support/movable-clock.ts';
import { HOT, sendAll, watchedBy } from '../support/notification-desk.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});

async function open(group: (lab: Lab) => Record<string, unknown>, settings: Record<string, unknown> = {}) {
  const lab = await openLab(server);
  await lab.group({ name: 'Cold team', ...group(lab) });
  const freezer = await lab.freezer(
    watchedBy('Cold team', { repeat_interval_minutes: 0, send_acknowledgements: false, ...settings }),
  );
  await freezer.reads(HOT);
  await lab.tick();
  await sendAll(server);
  await lab.advance(minutes(1));
  return { lab, freezer };
}

/** Who was told since, by the last decision. */
async function toldSince(freezer: Freezer, since: Date): Promise<string[]> {
  const rows = await server.db.query<{ recipient: string; reason: Reason }>(sql`
    select recipient, why as "reason" from delivery join notification on notification.id = notification_id
    where delivery.service_id = ${freezer.id} and delivery.created_at >= ${since} order by recipient`);
  return rows.map(({ recipient, reason }) => `${recipient.split('.')[0]}: ${sayReason(reason, english)}`);
}

const acknowledgedBy = async (freezer: Freezer) =>
  (
    await server.db.query<{ by: string }>(sql`
      select account_name as "by" from acknowledgement where service_id = ${freezer.id} and ended_at is null`)
  ).map(({ by }) => by);

async function acknowledgeThenGiveBack(lab: Lab, freezer: Freezer): Promise<Date> {
  expect((await lab.oscar.post(`/api/v1/alarms/${freezer.id}/acknowledge`)).status).toBe(200);
  await lab.tick();
  await lab.advance(minutes(1));
  const since = server.clock.read();
  expect((await lab.oscar.post(`/alarms/${freezer.id}/cannot-go`)).status).toBe(303);
  expect(await acknowledgedBy(freezer)).toEqual([]);
  await lab.tick();
  await sendAll(server);
  return since;
}

const EVERYBODY = (lab: Lab) => ({
  accounts: [lab.oscar.email, lab.ada.email],
  emails: ['cold@lab.example'],
});

test('the next step opens at once, and whoever cannot go is not told by it', async () => {
  const { lab, freezer } = await open((lab) => ({
    accounts: [lab.oscar.email],
    steps: [{ step: 1, after_minutes: 30 }],
    told: [{ step: 1, account: lab.ada.email }],
  }));
  const since = await acknowledgeThenGiveBack(lab, freezer);
  expect(await toldSince(freezer, since)).toEqual(['ada: Oscar cannot go']);
  // Nobody is told twice of the same step.
  await lab.advance(minutes(40));
  await lab.tick();
  expect(await toldSince(freezer, since)).toHaveLength(1);
});

test('in a group without steps everybody else is told again, at once and once', async () => {
  const { lab, freezer } = await open(EVERYBODY);
  const since = await acknowledgeThenGiveBack(lab, freezer);
  const told = ['ada: Oscar cannot go', 'cold@lab: Oscar cannot go'];
  expect(await toldSince(freezer, since)).toEqual(told);
  await lab.advance(minutes(10));
  await lab.tick();
  expect(await toldSince(freezer, since)).toEqual(told);
});

test('after the last step everybody who was told is told again', async () => {
  const { lab, freezer } = await open((lab) => ({
    accounts: [lab.oscar.email],
    emails: ['cold@lab.example'],
    steps: [{ step: 1, after_minutes: 5 }],
    told: [{ step: 1, account: lab.ada.email }],
  }));
  await lab.advance(minutes(6));
  await lab.tick();
  await sendAll(server);
  const since = await acknowledgeThenGiveBack(lab, freezer);
  expect(await toldSince(freezer, since)).toEqual(['ada: Oscar cannot go', 'cold@lab: Oscar cannot go']);
});

test('muted, nobody is told', async () => {
  const { lab, freezer } = await open(EVERYBODY);
  await lab.ada.post(`/api/v1/services/${freezer.id}/mute`);
  const since = await acknowledgeThenGiveBack(lab, freezer);
  expect(await toldSince(freezer, since)).toEqual([]);
});

test('it is on record, with what it led to', async () => {
  const { lab, freezer } = await open(EVERYBODY);
  await acknowledgeThenGiveBack(lab, freezer);
  const [record] = await server.db.query(sql`
    select account_name as "by", detail from audit where service_id = ${freezer.id} and action = 'alarm.pass_on'`);
  expect(record).toEqual({ by: 'Oscar', detail: { severity: 'critical', step: null, how: 'page' } });
});

test('only whoever has it can give it back', async () => {
  const { lab, freezer } = await open(EVERYBODY);
  const giveBack = async (who: 'oscar' | 'ada' | 'vera' | 'olga') => {
    const answer = await lab[who].post(`/alarms/${freezer.id}/cannot-go`);
    return answer.headers.get('location') ?? answer.status;
  };
  expect(await giveBack('oscar')).toContain('refused=not_yours_to_give');
  await lab.oscar.post(`/api/v1/alarms/${freezer.id}/acknowledge`);
  expect(await giveBack('ada')).toContain('refused=not_yours_to_give');
  expect(await giveBack('vera')).toContain('refused=viewer_only');
  expect(await giveBack('olga')).toBe(404);
  expect(await acknowledgedBy(freezer)).toEqual(['Oscar']);
});
