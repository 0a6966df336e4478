// Who is on call, for programs: beside the contract, with its words for errors and times.
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anonymously, expectDetail } from '../support/answers.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { minutes } from '../support/movable-clock.ts';
import type { Person } from '../support/people.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

const ON_CALL = '/api/v1/on-call';

let server: TestServer;
let lab: Lab;
beforeAll(async () => {
  server = await startServer();
});
const goTo = (text: string) => server.clock.advance(Date.parse(text) - server.clock.read().getTime());
let month = 0;
/** 12:00 UTC on a day in summer, each test later than the one before. */
let day = '';
beforeEach(async () => {
  month += 1;
  day = `${2027 + month}-07-15`;
  goTo(`${day}T12:00:00Z`);
  lab = await openLab(server);
});

const listFor = async (person: Person) =>
  (await (await person.get(ON_CALL)).json()) as Record<string, unknown>[];

const make = (lines: Record<string, unknown> = {}) =>
  lab.organizationEntry({
    rotas: [
      {
        name: 'Nights',
        timezone: 'Europe/Berlin',
        handover: '08:00',
        every: 'day',
        from: day,
        members: [lab.oscar.email, lab.ada.email],
        ...lines,
      },
    ],
  });

describe('GET /api/v1/on-call, who may', () => {
  test.each(['vera', 'oscar', 'ada'] as const)('200 for %s', async (name) => {
    await make();
    const answer = await lab[name].get(ON_CALL);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await answer.json()).toHaveLength(1);
  });

  test('Olga of another organization sees only her own', async () => {
    await make();
    expect(await listFor(lab.olga)).toEqual([]);
    const form = { name: 'Hers', handover: '08:00', member_0: String(lab.olga.id) };
    expect((await lab.olga.post('/settings/rotas/create', form)).status).toBe(303);
    const named = async (person: Person) => (await listFor(person)).map(({ rota_name: name }) => name);
    expect(await named(lab.olga)).toEqual(['Hers']);
    expect(await named(lab.vera)).toEqual(['Nights']);
  });

  test('[] for Nora, who has no role', async () => {
    await make();
    expect(await listFor(lab.nora)).toEqual([]);
  });

  test('401 without a token', async () => {
    await expectDetail(await anonymously(server, ON_CALL), 401, 'Authentication required');
  });

  test('401 with a token that is none', async () => {
    const answer = await fetch(server.url + ON_CALL, { headers: { authorization: 'Bearer nonsense' } });
    await expectDetail(answer, 401, 'Could not validate credentials');
  });

  test('405 for what is no question', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const answer = await fetch(server.url + ON_CALL, { method });
      expect(answer.headers.get('allow')).toBe('GET, HEAD');
      await expectDetail(answer, 405, 'Method Not Allowed');
    }
  });
});

describe('GET /api/v1/on-call, what it says', () => {
  test('exactly these fields', async () => {
    await make();
    const [rota] = await server.db.query<{ id: number }>(sql`
      select id from rota where organization_id = ${lab.organization}`);
    expect(await listFor(lab.vera)).toEqual([
      {
        rota_id: rota?.id,
        rota_name: 'Nights',
        organization_id: lab.organization,
        organization_name: lab.organizationName,
        account_id: lab.oscar.id,
        account_name: 'Oscar',
        is_stand_in: false,
        since: `${day}T12:00:00.000+00:00`,
        until: `${day.slice(0, 8)}16T06:00:00.000+00:00`,
        next_account_id: lab.ada.id,
        next_account_name: 'Ada',
      },
    ]);
  });

  test('a stand-in, from when until when, and who comes back after', async () => {
    await make();
    server.clock.advance(minutes(30));
    const [{ rota_id: id } = {}] = await listFor(lab.vera);
    const end = `${day}T20:00`;
    expect((await lab.ada.post(`/on-call/${id}/take-over`, { end })).status).toBe(303);
    expect(await listFor(lab.vera)).toMatchObject([
      {
        account_id: lab.ada.id,
        account_name: 'Ada',
        is_stand_in: true,
        since: `${day}T12:30:00.000+00:00`,
        until: `${day}T18:00:00.000+00:00`,
        next_account_id: lab.oscar.id,
        next_account_name: 'Oscar',
      },
    ]);
  });

  test('nobody, where a rota has not begun', async () => {
    await make({ from: `${day.slice(0, 8)}20` });
    expect(await listFor(lab.vera)).toMatchObject([
      {
        account_id: null,
        account_name: null,
        is_stand_in: false,
        since: null,
        until: `${day.slice(0, 8)}20T06:00:00.000+00:00`,
        next_account_id: lab.oscar.id,
        next_account_name: 'Oscar',
      },
    ]);
  });

  test('nobody, where everybody left', async () => {
    await make({ members: [lab.oscar.email] });
    expect((await lab.ada.post(`/settings/members/${lab.oscar.id}/deactivate`)).status).toBe(303);
    expect(await listFor(lab.vera)).toMatchObject([
      { account_id: null, since: null, next_account_id: null, next_account_name: null },
    ]);
  });

  test('stands in the description of the interface', async () => {
    const document = (await (await fetch(`${server.url}/api/v1/openapi.json`)).json()) as {
      paths: Record<string, { get?: { responses: Record<string, unknown> } }>;
    };
    expect(Object.keys(document.paths[ON_CALL]?.get?.responses ?? {})).toEqual(['200', '401', '500', '503']);
  });
});
