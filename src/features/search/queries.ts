import sql, { empty, type Sql } from 'sql-template-tag';
import type { AccountId, OrganizationId } from '../../domain/ids.ts';
import { likePattern } from '../../domain/search-words.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';

export interface Asked {
  organizationIds: readonly OrganizationId[];
  words: readonly string[];
  limit: number;
}

/** Each word in the name or in one beside it. */
const mentionsAll = (words: readonly string[], name: Sql, beside: Sql): Sql =>
  words
    .map(likePattern)
    .reduce(
      (all, pattern) => sql`${all} and (${name} ilike ${pattern} or ${beside} ilike ${pattern})`,
      empty,
    );

const OF_ORGANIZATION = sql`organization.name`;

export interface FoundPlace {
  id: number;
  name: string;
  organizationId: OrganizationId;
  organizationName: string;
}

export const findPlaces = (db: ReadDatabase, { organizationIds, words, limit }: Asked) =>
  db.query<FoundPlace>(sql`
    select location.id, location.name, organization.id as "organizationId", organization.name as "organizationName"
    from location join organization on organization.id = organization_id
    where organization_id = any(${[...organizationIds]}::int[])
      ${mentionsAll(words, sql`location.name`, OF_ORGANIZATION)}
    order by natural_order(location.name), location.id limit ${limit}`);

export interface FoundPerson {
  id: AccountId;
  name: string;
  email: string;
  organizationId: OrganizationId;
  organizationName: string;
}

/** Once each, whatever the organizations. */
export const findPeople = (db: ReadDatabase, { organizationIds, words, limit }: Asked) =>
  db.query<FoundPerson>(sql`
    select * from (
      select distinct on (account.id) account.id, account.name, account.email,
        organization.id as "organizationId", organization.name as "organizationName"
      from membership join account on account.id = account_id join organization on organization.id = organization_id
      where organization_id = any(${[...organizationIds]}::int[])
        ${mentionsAll(words, sql`account.name`, sql`account.email || ' ' || organization.name`)}
      order by account.id, organization.name) person
    order by name, id limit ${limit}`);

export interface FoundGroup {
  id: number;
  name: string;
  organizationId: OrganizationId;
  organizationName: string;
}

export const findGroups = (db: ReadDatabase, { organizationIds, words, limit }: Asked) =>
  db.query<FoundGroup>(sql`
    select notification_group.id, notification_group.name, organization.id as "organizationId",
      organization.name as "organizationName"
    from notification_group join organization on organization.id = organization_id
    where organization_id = any(${[...organizationIds]}::int[])
      ${mentionsAll(words, sql`notification_group.name`, OF_ORGANIZATION)}
    order by notification_group.name, notification_group.id limit ${limit}`);
