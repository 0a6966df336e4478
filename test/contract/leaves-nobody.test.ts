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
    'Cold team, 1 service: a critical alarm reaches nobody of the group; administrators are told instead.',
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
