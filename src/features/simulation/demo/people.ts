// The people of the demonstration: one of each role, one of another organization, one without any.

import type { Requester } from '../../../domain/accounts/requester.ts';
import type { Role } from '../../../domain/accounts/role.ts';
import type { AccountId, OrganizationId } from '../../../domain/ids.ts';

interface DemoPerson {
  name: string;
  email: string;
  roles: Record<string, Role>;
}

export const PEOPLE = [
  { name: 'Vera', email: 'vera@lab.example', roles: { 'Cell Biology': 'viewer' } },
  { name: 'Oscar', email: 'oscar@lab.example', roles: { 'Cell Biology': 'operator', Biobank: 'operator' } },
  {
    name: 'Ada',
    email: 'ada@lab.example',
    roles: { 'Cell Biology': 'administrator', Biobank: 'administrator', Neuroscience: 'administrator' },
  },
  { name: 'Nils', email: 'nils@lab.example', roles: { Neuroscience: 'operator', Biobank: 'operator' } },
  { name: 'Olga', email: 'olga@lab.example', roles: { Pharmacology: 'administrator' } },
  { name: 'Nora', email: 'nora@lab.example', roles: {} },
] as const satisfies DemoPerson[];

export type PersonName = (typeof PEOPLE)[number]['name'];

export const TIME_ZONE = 'Europe/Berlin';

export interface LabIds {
  organizations: Record<string, number>;
  accounts: Record<string, number>;
  services: Record<string, number>;
}

/** The person as a requester, for the verbs that everybody else comes to through HTTP. */
export function askAs(name: PersonName, ids: LabIds): Requester {
  const person: DemoPerson | undefined = PEOPLE.find((one) => one.name === name);
  if (!person) throw new Error(`Nobody is called ${name}`);
  const { email, roles } = person;
  const memberships = Object.entries(roles).map(([organization, role]) => ({
    organizationId: ids.organizations[organization] as OrganizationId,
    organizationName: organization,
    role,
  }));
  const accountId = ids.accounts[email] as AccountId;
  return {
    accountId,
    name,
    timezone: TIME_ZONE,
    memberships,
    address: '127.0.0.1',
    requestId: 'demo',
  };
}

export const describePeople = (passwords: ReadonlyMap<string, string>) =>
  PEOPLE.map(({ name, email }) => ({ email, name, timezone: TIME_ZONE, password: passwords.get(email) }));

export const membersOf = (organization: string) =>
  PEOPLE.flatMap(({ email, roles }) => {
    const role = (roles as Record<string, Role>)[organization];
    return role === undefined ? [] : [{ email, role }];
  });
