// Before somebody's alarms lose the last who is told, the page says so; nothing changes until it is sent again.
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { type Lab, openLab } from '../support/lab.ts';
import { textOf } from '../support/page.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let lab: Lab;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  lab = await openLab(server);
});

const tells = (group: string) => ({ notifications: { group, send_critical: true } });

test('the last address of a group that a service tells: asked first, done when it is sent again', async () => {
  const id = await lab.group({ name: 'Cold team', emails: ['cold@lab.example'] });
  await lab.freezer(tells('Cold team'));
  const path = `/settings/groups/${id}/remove-email`;
  const asked = await lab.ada.post(path, { email: 'cold@lab.example' });
  expect(asked.status).toBe(200);
  const page = await asked.text();
  expect(textOf(page)).toContain(
    'Cold team, 1 service: a critical alarm reaches nobody of the group; administrators are notified instead.',
  );
  expect(page).toContain('name="sure"');
  expect(textOf(await (await lab.ada.get(`/settings/groups/${id}`)).text())).toContain('cold@lab.example');
  const done = await lab.ada.post(path, { email: 'cold@lab.example', sure: 'yes' });
  expect(done.status).toBe(303);
  expect(textOf(await (await lab.ada.get(`/settings/groups/${id}`)).text())).not.toContain(
    'cold@lab.example at any hour',
  );
});

test('one of two, or of a group that no service tells, goes at once', async () => {
  const used = await lab.group({ name: 'Cold team', emails: ['cold@lab.example', 'night@lab.example'] });
  const unused = await lab.group({ name: 'Spare', emails: ['spare@lab.example'] });
  await lab.freezer(tells('Cold team'));
  for (const [id, email] of [
    [used, 'night@lab.example'],
    [unused, 'spare@lab.example'],
  ] as const)
    expect((await lab.ada.post(`/settings/groups/${id}/remove-email`, { email })).status).toBe(303);
});

test('a rota that is all a group has, and the person who is all of it', async () => {
  await lab.organizationEntry({
    rotas: [
      {
        name: 'Nights',
        timezone: 'Europe/Berlin',
        handover: '08:00',
        every: 'day',
        members: [lab.oscar.email],
      },
    ],
    groups: [{ name: 'Night', told: [{ rota: 'Nights' }] }],
  });
  await lab.freezer(tells('Night'));
  const oscar = (
    await server.db.query<{ id: number }>(sql`select id from account where email = ${lab.oscar.email}`)
  )[0]?.id;
  const removed = await lab.ada.post(`/settings/members/${oscar}/remove`, {});
  expect(removed.status).toBe(200);
  expect(textOf(await removed.text())).toContain('Night, 1 service: a critical alarm reaches nobody');
  const rotas = await (await lab.ada.get('/settings/rotas')).text();
  const rotaId = /name="rota_id" value="(\d+)"/.exec(rotas)?.[1] ?? '';
  const asked = await lab.ada.post('/settings/rotas/delete', { rota_id: rotaId });
  expect(asked.status).toBe(200);
  expect(textOf(await asked.text())).toContain('Night, 1 service: a critical alarm reaches nobody');
  expect((await lab.ada.post('/settings/rotas/delete', { rota_id: rotaId, sure: 'yes' })).status).toBe(303);
});

test('a source through which services are heard: asked first, with how many', async () => {
  await lab.freezer();
  const page = await (await lab.ada.get('/settings/sources')).text();
  const source = { source_id: /[?&;]source_id=(\d+)/.exec(page)?.[1] ?? '' };
  const asked = await lab.ada.post('/settings/sources/revoke', source);
  expect(asked.status).toBe(200);
  expect(textOf(await asked.text())).toContain(
    'gateway, 1 service: nothing is heard of them any more; no alarm can begin',
  );
  const others = async () =>
    (await server.db.query(sql`select from source where id = ${source.source_id}`)).length;
  expect(await others()).toBe(1);
  expect((await lab.ada.post('/settings/sources/revoke', { ...source, sure: 'yes' })).status).toBe(303);
  expect(await others()).toBe(0);
});

test('a way of being told, without which nobody wakes up at night', async () => {
  await lab.organizationEntry({
    lab_hours: { timezone: 'UTC', weekly: [{ days: ['mon'], from: '08:00', to: '18:00' }] },
    groups: [{ name: 'Night', accounts: [lab.oscar.email] }],
  });
  await lab.freezer(tells('Night'));
  const [method] = await server.db.query<{ id: number }>(sql`
    insert into contact_method (account_id, kind, address, verified_at, after_minutes, only_critical, during, created_at)
    select id, 'ntfy', 'https://ntfy.lab.example/oscar', ${server.clock.read()}, 0, false, 'always', ${server.clock.read()}
    from account where email = ${lab.oscar.email} returning id`);
  const path = `/profile/contacts/${method?.id}/remove`;
  const asked = await lab.oscar.post(path, {});
  expect(asked.status).toBe(200);
  expect(textOf(await asked.text())).toContain(
    'Night, 1 service: at some hours of the next week, outside lab hours, a critical alarm reaches the group by mail only.',
  );
  expect((await lab.oscar.post(path, { sure: 'yes' })).status).toBe(303);
  expect(await server.db.query(sql`select from contact_method where id = ${method?.id}`)).toEqual([]);
});
