import sql, { raw, type Sql } from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { COMMAND_LINE } from '../../src/domain/accounts/requester.ts';
import { lockAccount, setActive } from '../../src/engine/accounts/accounts.ts';
import { deactivateByHand, deleteByHand, setPasswordByHand } from '../../src/features/accounts/commands.ts';
import { keepSigningSecret } from '../../src/platform/auth/signing-secret.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { hours, minutes, seconds } from '../support/movable-clock.ts';
import { invitePeople, PASSWORD, type People } from '../support/people.ts';
import { askMe, askToken, signsIn } from '../support/sign-in.ts';
import { cloneDatabase } from '../support/test-database.ts';
import { startServerOn, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let people: People;
let statements: string[] = [];
let afterEachQuery: (text: string) => Promise<unknown> = async () => {};

/** The database with a record of every statement sent to it outside transactions, and a foot in the door. */
const listening = (db: Database): Database => ({
  ...db,
  async query<Row>(statement: Sql) {
    statements.push(statement.text);
    const rows = await db.query<Row>(statement);
    await afterEachQuery(statement.text);
    return rows;
  },
});

beforeAll(async () => {
  const { db } = await cloneDatabase();
  server = await startServerOn(listening(db), {}, (app) =>
    app.get('/test/roles', { schema: {} }, async (request) => request.signedIn?.memberships ?? []),
  );
});
beforeEach(async () => {
  people = await invitePeople(server);
  statements = [];
});

const statusOf = async (token: string) => (await askMe(server, token)).status;

describe('a token lives 8 hours', () => {
  test('from its own issue, to the second', async () => {
    const early = await signsIn(server, people.vera);
    server.clock.advance(hours(1));
    const late = await signsIn(server, people.vera);

    server.clock.advance(hours(7) - seconds(1));
    expect([await statusOf(early), await statusOf(late)]).toEqual([200, 200]);
    server.clock.advance(seconds(1));
    expect([await statusOf(early), await statusOf(late)]).toEqual([401, 200]);
    server.clock.advance(hours(1));
    expect(await statusOf(late)).toBe(401);
  });

  test('being used does not prolong it', async () => {
    const token = await signsIn(server, people.vera);
    for (let hour = 1; hour < 8; hour += 1) {
      server.clock.advance(hours(1));
      expect(await statusOf(token)).toBe(200);
    }
    server.clock.advance(hours(1));
    expect(await statusOf(token)).toBe(401);
  });

  test('a clock that is set back a little does not reject it', async () => {
    const token = await signsIn(server, people.vera);
    server.clock.advance(-minutes(5));
    expect(await statusOf(token)).toBe(200);
  });
});

describe('all tokens of an account are rejected', () => {
  test('when its password changes; the new password opens again', async () => {
    const tokens = [await signsIn(server, people.vera), await signsIn(server, people.vera)];
    await setPasswordByHand(server.db, people.vera.email, 'a new password', server.clock.read());
    for (const token of tokens) expect(await statusOf(token)).toBe(401);
    expect((await askToken(server, { username: people.vera.email, password: PASSWORD })).status).toBe(401);
    expect(await statusOf(await signsIn(server, people.vera, 'a new password'))).toBe(200);
  });

  test('also when password and token change within the same instant', async () => {
    const token = await signsIn(server, people.vera);
    await setPasswordByHand(server.db, people.vera.email, PASSWORD, server.clock.read());
    const fresh = await signsIn(server, people.vera);
    expect([await statusOf(token), await statusOf(fresh)]).toEqual([401, 200]);
  });

  test('when it is deactivated, at their next use, and they stay dead when it comes back', async () => {
    const token = await signsIn(server, people.vera);
    await deactivateByHand(server.db, people.vera.email, server.clock.read());
    const answer = await askMe(server, token);
    expect(answer.status).toBe(401);
    expect(await answer.json()).toEqual({ detail: 'Could not validate credentials' });

    await server.db.transaction(async (tx) => {
      const account = await lockAccount(tx, people.vera.email);
      if (account)
        await setActive(tx, COMMAND_LINE, { accountId: account.id, isActive: true }, server.clock.read());
    });
    expect(await statusOf(token)).toBe(401);
    expect(await statusOf(await signsIn(server, people.vera))).toBe(200);
  });

  test('when it is deleted', async () => {
    const token = await signsIn(server, people.vera);
    await deleteByHand(server.db, people.vera.email, server.clock.read());
    expect(await statusOf(token)).toBe(401);
    expect((await askToken(server, { username: people.vera.email, password: PASSWORD })).status).toBe(401);
  });

  test('and nobody else is touched', async () => {
    const oscar = await signsIn(server, people.oscar);
    await setPasswordByHand(server.db, people.vera.email, 'a new password', server.clock.read());
    await deleteByHand(server.db, people.ada.email, server.clock.read());
    expect(await statusOf(oscar)).toBe(200);
  });
});

test('a sign-in that was under way while the password changed gives a token that is born revoked', async () => {
  afterEachQuery = async (text) => {
    if (!text.includes('password_hash')) return;
    afterEachQuery = async () => {};
    await setPasswordByHand(server.db, people.vera.email, 'a new password', server.clock.read());
  };
  const token = await signsIn(server, people.vera);
  expect(token).toEqual(expect.any(String));
  expect(await statusOf(token)).toBe(401);
});

test('roles are looked up on every request', async () => {
  const roles = async () => (await people.vera.get('/test/roles')).json();
  expect(await roles()).toMatchObject([{ organizationId: people.organization, role: 'viewer' }]);
  await server.db.query(
    sql`update membership set role = 'administrator' where account_id = ${people.vera.id}`,
  );
  expect(await roles()).toMatchObject([{ organizationId: people.organization, role: 'administrator' }]);
  await server.db.query(sql`delete from membership where account_id = ${people.vera.id}`);
  expect(await roles()).toEqual([]);
});

describe('checking a token', () => {
  test('costs one query', async () => {
    await people.vera.get('/test/roles');
    expect(statements).toHaveLength(1);
  });

  test('costs none when there is no token, or none of ours', async () => {
    await fetch(`${server.url}/test/roles`);
    await askMe(server, 'nonsense');
    expect(statements).toHaveLength(0);
  });

  test('goes by the indexes', async () => {
    await server.db.query(sql`
      insert into account (email, name, created_at)
      select 'extra' || n || '@lab.example', 'Extra', ${server.clock.read()} from generate_series(1, 20000) n`);
    await server.db.query(sql`
      insert into membership (account_id, organization_id, role, created_at)
      select id, ${people.organization}, 'viewer', ${server.clock.read()} from account where name = 'Extra'`);
    await server.db.query(sql`
      insert into session (account_id, generation, began_at, last_seen_at, address)
      select id, 1, created_at, created_at, '::1' from account where name = 'Extra'`);
    await server.db.query(sql`
      insert into organization (name, created_at) select 'Extra ' || n, ${server.clock.read()} from generate_series(1, 20000) n`);
    await server.db.query(sql`analyze account, membership, session, organization`);
    await askMe(server, await signsIn(server, people.vera));
    const [session] = await server.db.query<{ id: number }>(sql`select max(id) as id from session`);
    const statement = statements.find((text) => text.includes('json_agg')) ?? '';
    const values = [session?.id, people.vera.id, 1, session?.id];
    const explained = `explain ${statement.replaceAll(/\$(\d)/g, (_, place) => String(values[place - 1]))}`;
    const plan = await server.db.query<{ 'QUERY PLAN': string }>(raw(explained));
    const lines = plan.map((row) => row['QUERY PLAN']).join('\n');
    expect(lines).toContain('account_pkey');
    expect(lines).toContain('membership_pkey');
    expect(lines).toMatch(/Index Scan using session_/);
    expect(lines).not.toContain('Seq Scan');
  });
});

test('the signing secret is made once: tokens survive a restart', async () => {
  const secrets = await Promise.all(
    Array.from({ length: 5 }, () => keepSigningSecret(server.db, server.clock.read())),
  );
  expect(new Set(secrets.map((secret) => secret.toString('hex'))).size).toBe(1);
  expect(secrets[0]).toHaveLength(32);
});
