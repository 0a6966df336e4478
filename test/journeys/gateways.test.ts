// A gateway that goes stale, and the services behind it.
import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import { type Freezer, type Lab, openLab } from '../support/lab.ts';
import { minutes } from '../support/movable-clock.ts';
import { HOT, NORMAL, sendAll, standingOf, toldOf, watchedBy } from '../support/notification-desk.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});

async function open(settings: Record<string, unknown> = {}) {
  const lab = await openLab(server);
  await lab.group({ name: 'Cold team', emails: ['cold@lab.example'] });
  const make = (lines: Record<string, unknown> = {}) =>
    lab.freezer({ ...watchedBy('Cold team', lines), stale_after_minutes: 15 });
  const [gateway, one, other, apart] = [await make(settings), await make(), await make(), await make()];
  const form = {
    organization_id: String(lab.organization),
    gateway: String(gateway.id),
    [`service_${one.id}`]: 'yes',
    [`service_${other.id}`]: 'yes',
  };
  const set = await lab.ada.post(`/settings/gateways/set?organization=${lab.organization}`, form);
  expect(set.status).toBe(303);
  return { lab, gateway, one, other, apart };
}

async function pass(lab: Lab, count: number): Promise<void> {
  for (let minute = 0; minute < count; minute += 1) {
    await lab.advance(minutes(1));
    await lab.tick();
    await sendAll(server);
  }
}

const readAll = async (freezers: Freezer[], temperature = NORMAL) => {
  for (const freezer of freezers) await freezer.reads(temperature);
};

test('what is behind a stale gateway is held, its own message counts it; what stays away afterwards is told', async () => {
  const { lab, gateway, one, other, apart } = await open();
  await readAll([gateway, one, other, apart]);
  await pass(lab, 25);
  expect(await toldOf(server, gateway)).toEqual(['stale']);
  expect(await toldOf(server, apart)).toEqual(['stale']);
  expect(await toldOf(server, one)).toEqual([]);
  expect((await standingOf(server, one))?.reason).toMatch(/^Behind Freezer \d+, which is stale too$/);
  const [message] = await server.db.query<{ message: string }>(sql`
    select message from notification where service_id = ${gateway.id} and state = 'released'`);
  expect(message?.message).toMatch(/\. 2 services are behind it$/);

  await readAll([gateway, one]);
  await pass(lab, 2);
  expect(await toldOf(server, one)).toEqual([]);
  expect(await toldOf(server, other)).toEqual(['stale']);
  expect(await toldOf(server, gateway)).toEqual(['stale', 'back']);
});

test('values are never held', async () => {
  const { lab, gateway, one } = await open();
  await readAll([gateway, one]);
  await pass(lab, 25);
  await one.reads(HOT);
  await pass(lab, 1);
  expect(await toldOf(server, one)).toEqual(['critical']);
});

test('a gateway that tells nobody keeps nobody quiet', async () => {
  const { lab, gateway, one } = await open({ enable_system_notifications: false });
  await readAll([gateway, one]);
  await pass(lab, 25);
  expect(await toldOf(server, one)).toEqual(['stale']);
});

test('two cannot keep each other quiet', async () => {
  const { lab, gateway, one } = await open();
  const form = {
    organization_id: String(lab.organization),
    gateway: String(one.id),
    [`service_${gateway.id}`]: 'yes',
  };
  const refused = await lab.ada.post(`/settings/gateways/set?organization=${lab.organization}`, form);
  expect(refused.status).toBe(422);
  expect(await refused.text()).toContain('two could keep each other quiet');
});

const dependencesOf = ({ organization }: Lab) =>
  server.db.query<{ gateway: string; service: string }>(sql`
    select parent.name as gateway, service.name as service from service_parent
    join service on service.id = service_id join service parent on parent.id = parent_id
    where parent.organization_id = ${organization} order by service.name`);

test('the lab file says what is behind a gateway, and takes nothing away', async () => {
  const lab = await openLab(server);
  const named = (name: string) => ({ name, device: { key: `${lab.organization}-${name}` } });
  const services = [named('Gateway'), named('One'), named('Two')];
  await lab.organizationEntry({ services, gateways: [{ service: 'Gateway', services: ['One'] }] });
  await lab.organizationEntry({ gateways: [{ service: 'Gateway', services: ['Two'] }] });
  const behind = [
    { gateway: 'Gateway', service: 'One' },
    { gateway: 'Gateway', service: 'Two' },
  ];
  expect(await dependencesOf(lab)).toEqual(behind);
  for (const [gateways, words] of [
    [[{ service: 'One', services: ['Two'] }], 'One is behind a gateway itself'],
    [[{ service: 'Two', services: ['Gateway'] }], 'Gateway is a gateway itself'],
    [[{ service: 'Gateway', services: ['Three'] }], 'there is no service called \\"Three\\"'],
  ] as const)
    await expect(lab.organizationEntry({ gateways })).rejects.toThrow(words);
  expect(await dependencesOf(lab)).toEqual(behind);
});
