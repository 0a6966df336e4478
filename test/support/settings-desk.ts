import sql from 'sql-template-tag';
import type { Role } from '../../src/domain/accounts/role.ts';
import type { AccountId, OrganizationId } from '../../src/domain/ids.ts';
import { invitePeople, type People, type Person } from './people.ts';
import type { TestServer } from './test-server.ts';
import { signedIn, type VisitorBrowser } from './visitor.ts';

/** Ada in her browser, in an organization of its own. */
export interface SettingsDesk {
  people: People;
  organization: OrganizationId;
  ada: VisitorBrowser;
  /** Sends a form of a settings page as Ada, and answers with where it leads. */
  sends(path: string, form?: Record<string, string>): Promise<Response>;
}

export async function openSettingsDesk(server: TestServer): Promise<SettingsDesk> {
  const people = await invitePeople(server);
  const ada = await signedIn(server, people.ada);
  const { organization } = people;
  return {
    people,
    organization,
    ada,
    sends: (path, form = {}) =>
      ada.send(`${path}${path.includes('?') ? '&' : '?'}organization=${organization}`, form),
  };
}

export const grantRole = ({ db, clock }: TestServer, { id }: Person, where: OrganizationId, role: Role) =>
  db.query(sql`
    insert into membership (account_id, organization_id, role, created_at)
    values (${id}, ${where}, ${role}, ${clock.read()})
    on conflict (account_id, organization_id) do update set role = excluded.role`);

export const roleOf = async ({ db }: TestServer, { id }: { id: AccountId }, where: OrganizationId) =>
  (
    await db.query<{ role: Role }>(sql`
      select role from membership where account_id = ${id} and organization_id = ${where}`)
  )[0]?.role ?? null;

/** Names and details of what is on record in an organization, oldest first. */
export const recordsOf = ({ db }: TestServer, organization: OrganizationId) =>
  db.query<{ action: string; detail: Record<string, unknown>; accountName: string }>(sql`
    select action, detail, account_name as "accountName" from audit
    where organization_id = ${organization} order by id`);
