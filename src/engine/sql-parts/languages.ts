import sql from 'sql-template-tag';

/** Of an account that chose none: that of the first of its organizations that has one. */
export const LANGUAGE_BY_ORGANIZATION = sql`(
  select organization.language from membership join organization on organization.id = organization_id
  where account_id = account.id and organization.language is not null order by organization_id limit 1)`;
