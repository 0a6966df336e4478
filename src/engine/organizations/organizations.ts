import sql from 'sql-template-tag';
import type { OrganizationId } from '../../domain/ids.ts';
import { first, type Tx } from '../../platform/db/database.ts';

/** Makes the organization if there is none of that name. */
export async function findOrMakeOrganization(tx: Tx, name: string, now: Date): Promise<OrganizationId> {
  const made = await tx.query<{ id: OrganizationId }>(sql`
    insert into organization (name, created_at) values (${name}, ${now})
    on conflict (name) do update set name = excluded.name returning id`);
  const organization = first(made);
  if (!organization) throw new Error('The organization was not made');
  return organization.id;
}

declare const naming: unique symbol;

/** Nobody else gives names in it before this transaction ends: only `lockNames` makes one. */
export type NamingOrganization = OrganizationId & { readonly [naming]: true };

/** Those who give names in an organization wait for each other, so that two cannot take the same one at once. */
export async function lockNames(tx: Tx, organizationId: OrganizationId): Promise<NamingOrganization> {
  await tx.query(sql`select from organization where id = ${organizationId} for no key update`);
  return organizationId as NamingOrganization;
}
