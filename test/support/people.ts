import sql from 'sql-template-tag';
import type { AcceptedPassword } from '../../src/domain/accounts/password.ts';
import type { Role } from '../../src/domain/accounts/role.ts';
import type { AccountId, OrganizationId } from '../../src/domain/ids.ts';
import { hashPassword } from '../../src/platform/auth/password.ts';
import { first } from '../../src/platform/db/database.ts';
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
  const organization = await createOrganization(server, `Cell Biology ${suffix}`);
  const elsewhere = await createOrganization(server, `Virology ${suffix}`);
  const invite = (name: string, role?: Role, where = organization) =>
    invitePerson(server, name, suffix, role && { role, where });
  return {
    organization,
    vera: await invite('Vera', 'viewer'),
    oscar: await invite('Oscar', 'operator'),
    ada: await invite('Ada', 'administrator'),
    olga: await invite('Olga', 'administrator', elsewhere),
    nora: await invite('Nora'),
  };
}

async function createOrganization({ db, clock }: TestServer, name: string): Promise<OrganizationId> {
  const row = first(
    await db.query<{ id: OrganizationId }>(sql`
      insert into organization (name, created_at) values (${name}, ${clock.read()}) returning id`),
  );
  return row?.id as OrganizationId;
}

async function invitePerson(
  server: TestServer,
  name: string,
  suffix: number,
  membership?: { role: Role; where: OrganizationId },
): Promise<Person> {
  passwordHash ??= hashPassword(PASSWORD as AcceptedPassword);
  const email = `${name.toLowerCase()}.${suffix}@lab.example`;
  const now = server.clock.read();
  const row = first(
    await server.db.query<{ id: AccountId }>(sql`
      insert into account (email, name, timezone, password_hash, created_at)
      values (${email}, ${name}, 'Europe/Berlin', ${await passwordHash}, ${now}) returning id`),
  );
  const id = row?.id as AccountId;
  if (membership) {
    await server.db.query(sql`
      insert into membership (account_id, organization_id, role, created_at)
      values (${id}, ${membership.where}, ${membership.role}, ${now})`);
  }

  const token = () => server.signer.issue({ accountId: id, generation: 1 }, server.clock.read());
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
    delete: (path) => send('DELETE', path),
  };
}
