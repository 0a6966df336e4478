// Detailed health and the doctor name services that nobody is told of, those that are not watched yet, and groups that
// reach nobody at some hour.
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { formatInstant } from '../../src/domain/instant.ts';
import { readEnvironment } from '../../src/engine/delivery-settings/read-environment.ts';
import { examine } from '../../src/features/health/doctor.ts';
import { archive, createFreezer, setLimits, setTelemetry } from '../support/equipment.ts';
import { hours, minutes, seconds } from '../support/movable-clock.ts';
import { invitePeople, type People, type Person } from '../support/people.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let people: People;
let home: string;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  people = await invitePeople(server);
  const [row] = await server.db.query<{ name: string }>(
    sql`select name from organization where id = ${people.organization}`,
  );
  home = row?.name ?? '';
});

const ask = async (person: Person) =>
  ((await (await person.get('/api/v1/health/detailed')).json()) as { services: unknown }).services;

test('each reads of the own organizations alone: how many, and up to ten names', async () => {
  for (let number = 1; number <= 11; number += 1)
    await createFreezer(server, people, { name: `Freezer ${number}` });
  const told = await createFreezer(server, people, { name: 'Notified and watched' });
  await setLimits(server, told);
  await setTelemetry(server, told, 'temperature', server.clock.read());
  await server.db.query(sql`
    with made as (
      insert into notification_group (organization_id, name, created_at)
      values (${people.organization}, 'Cold team', ${server.clock.read()}) returning id)
    update service_settings set notification_group_id = made.id, send_critical = true from made
    where service_id = ${told.id}`);
  await archive(server, await createFreezer(server, people, { name: 'Archived' }));
  const names = Array.from({ length: 10 }, (_, index) => `Freezer ${index + 1}`);
  for (const person of [people.vera, people.ada])
    expect(await ask(person)).toEqual([
      {
        organization: home,
        told_to_nobody: 11,
        told_to_nobody_names: names,
        not_watched_yet: 11,
        not_watched_yet_names: names,
      },
    ]);
  expect(await ask(people.nora)).toEqual([]);
  expect(JSON.stringify(await ask(people.olga))).not.toMatch(/Freezer|Cell Biology/);
});

test('a group with everything switched off is told nothing', async () => {
  const freezer = await createFreezer(server, people);
  await server.db.query(sql`
    with made as (
      insert into notification_group (organization_id, name, created_at)
      values (${people.organization}, 'Cold team', ${server.clock.read()}) returning id)
    update service_settings set notification_group_id = made.id from made where service_id = ${freezer.id}`);
  expect(await ask(people.vera)).toMatchObject([{ told_to_nobody: 1, told_to_nobody_names: [freezer.name] }]);
  await server.db.query(
    sql`update service_settings set send_warning = true where service_id = ${freezer.id}`,
  );
  // It may be five seconds old.
  server.clock.advance(seconds(6));
  expect(await ask(people.vera)).toMatchObject([{ told_to_nobody: 0, told_to_nobody_names: [] }]);
});

test('a group that a service tells, and that reaches nobody, is named to those of its organization', async () => {
  const askGroups = async (person: Person) =>
    ((await (await person.get('/api/v1/health/detailed')).json()) as { groups: unknown }).groups;
  const freezer = await createFreezer(server, people);
  expect(await askGroups(people.vera)).toEqual([]);
  const [group] = await server.db.query<{ id: number }>(sql`
    insert into notification_group (organization_id, name, created_at)
    values (${people.organization}, 'Night', ${server.clock.read()}) returning id`);
  await server.db.query(sql`
    update service_settings set notification_group_id = ${group?.id}, send_critical = true
    where service_id = ${freezer.id}`);
  // It may be a minute old.
  server.clock.advance(minutes(1));
  const from = server.clock.read();
  const until = new Date(from.getTime() + hours(7 * 24));
  const said = { organization_id: people.organization, group: 'Night', times: 1 };
  expect(await askGroups(people.vera)).toEqual([
    { ...said, from: formatInstant(from), until: formatInstant(until) },
  ]);
  expect(await askGroups(people.olga)).toEqual([]);
  await server.db.query(sql`
    insert into notification_group_email (group_id, email) values (${group?.id}, 'night@lab.example')`);
  server.clock.advance(minutes(1));
  expect(await askGroups(people.vera)).toEqual([]);
});

test('the doctor names them by organization, and does not say that all is well', async () => {
  await createFreezer(server, people, { name: 'Silent' });
  const lines: string[] = [];
  const out = { stdout: (line: string) => void lines.push(line), stderr: () => {} };
  const { db, clock } = server;
  const config = readEnvironment({});
  const log = { warn: () => {}, error: () => {} } as never;
  const deps = { db, log, config, clock: clock.read, clusterDir: null };
  await examine(deps, { isJson: false, config, nodeVersion: 'v22.0.0' }, out, clock.read());
  expect(lines).toContain(`! services: ${home}: 1 is told to nobody: Silent`);
  expect(lines).toContain(`! services: ${home}: 1 is not watched yet: Silent`);
  expect(lines).not.toContain('All is well.');
});
