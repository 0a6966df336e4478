import { hash } from '@node-rs/argon2';
import sql from 'sql-template-tag';
import type { Role } from '../../src/domain/accounts/role.ts';
import type { AccountId, OrganizationId } from '../../src/domain/ids.ts';
import type { TestServer } from './test-server.ts';

export const PASSWORD = 'correct horse battery staple';

export interface Person {
  id: AccountId;
  name: string;
  email: string;
  /** Of an API session, good for now. */
  token(): Promise<string>;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  post(path: string, form?: Record<string, string>, headers?: Record<string, string>): Promise<Response>;
  put(path: string, form?: Record<string, string>): Promise<Response>;
  delete(path: string): Promise<Response>;
}

/** Vera, Oscar and Ada share an organization; Olga runs another one; Nora belongs nowhere. */
export interface People {
  organization: OrganizationId;
  vera: Person;
  oscar: Person;
  ada: Person;
  olga: Person;
  nora: Person;
}

let passwordHash: Promise<string> | undefined;
let organizations = 0;

export async function invitePeople(server: TestServer): Promise<People> {
  organizations += 1;
  const suffix = organizations;
  const here = `Cell Biology ${suffix}`;
  const elsewhere = `Virology ${suffix}`;
  const rows: [name: string, where: string | null, role: Role | null][] = [
    ['Vera', here, 'viewer'],
    ['Oscar', here, 'operator'],
    ['Ada', here, 'administrator'],
    ['Olga', elsewhere, 'administrator'],
    ['Nora', null, null],
  ];
  const now = server.clock.read();
  // Cheap to look at: hundreds sign in. What is hashed by the program itself costs what it has to.
  passwordHash ??= hash(PASSWORD, { memoryCost: 8, timeCost: 1, parallelism: 1 });
  // One statement: every test begins with it.
  const found = await server.db.query<{ name: string; id: number }>(sql`
    with place as (
      insert into organization (name, created_at) values (${here}, ${now}), (${elsewhere}, ${now})
      returning id, name
    ), person as (
      insert into account (email, name, timezone, password_hash, created_at)
      select lower(name) || ${`.${suffix}@lab.example`}, name, 'Europe/Berlin', ${await passwordHash}, ${now}
      from unnest(${rows.map(([name]) => name)}::text[]) with ordinality as one (name, position)
      order by position
      returning id, name
    ), member as (
      insert into membership (account_id, organization_id, role, created_at)
      select person.id, place.id, role, ${now}
      from unnest(
          ${rows.map(([name]) => name)}::text[],
          ${rows.map(([, where]) => where)}::text[],
          ${rows.map(([, , role]) => role)}::text[]
        ) as one (name, place, role)
        join person on person.name = one.name
        join place on place.name = one.place
    )
    select name, id from person union all select name, id from place`);
  const ids = new Map(found.map(({ name, id }) => [name, id]));
  const person = (name: string) =>
    describePerson(server, ids.get(name) as AccountId, name, `${name.toLowerCase()}.${suffix}@lab.example`);
  return {
    organization: ids.get(here) as OrganizationId,
    vera: person('Vera'),
    oscar: person('Oscar'),
    ada: person('Ada'),
    olga: person('Olga'),
    nora: person('Nora'),
  };
}

function describePerson(server: TestServer, id: AccountId, name: string, email: string): Person {
  let issued: { at: number; token: Promise<string> } | undefined;
  const token = () => {
    const now = server.clock.read();
    if (issued?.at !== now.getTime())
      issued = { at: now.getTime(), token: server.signer.issue({ accountId: id, generation: 1 }, now) };
    return issued.token;
  };
  const send = async (method: string, path: string, init: RequestInit = {}) =>
    fetch(server.url + path, {
      method,
      redirect: 'manual',
      ...init,
      headers: { authorization: `Bearer ${await token()}`, ...(init.headers as Record<string, string>) },
    });
  return {
    id,
    name,
    email,
    token,
    get: (path, headers = {}) => send('GET', path, { headers }),
    post: (path, form = {}, headers = {}) => send('POST', path, { body: new URLSearchParams(form), headers }),
    put: (path, form = {}) => send('PUT', path, { body: new URLSearchParams(form) }),
    delete: (path) => send('DELETE', path),
  };
}
