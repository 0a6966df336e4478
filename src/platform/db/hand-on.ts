import sql, { type Sql } from 'sql-template-tag';

/**
 * What one statement finds, for others that travel in the same message: nobody here sees it in between, so it cannot be bound as
 * a value; and in one statement with it they would not see what it writes. `ids`: what was kept, in the same transaction.
 */
export const handOn = (name: string, type: Sql) => ({
  /** `found` answers with a column `id`. */
  keep: (found: Sql): Sql => sql`
    with found as (${found})
    select set_config(${name}, coalesce(array_agg(id), '{}')::text, true) from found`,
  ids: sql`(select current_setting(${name})::${type}[])::${type}[]`,
});
