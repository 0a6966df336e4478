import sql from 'sql-template-tag';

/** In which an account reads that chose none, the first that there is: those of its organizations. */
export const LANGUAGES_OF_ORGANIZATIONS = sql`array(
  select organization.language from membership join organization on organization.id = organization_id
  where account_id = account.id order by organization_id)`;
