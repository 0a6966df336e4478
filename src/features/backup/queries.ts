// What the server's own catalogue tells of a database, and the statements that empty one.
import pg from 'pg';
import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Session } from '../../platform/db/session.ts';
import type { BackupTable } from './format.ts';

const SCHEMA = sql`(select oid from pg_namespace where nspname = current_schema())`;
/** What an extension brought is made again by it. */
const isOwn = (catalogue: 'pg_class' | 'pg_proc' | 'pg_type', alias: string) =>
  raw(`
  not exists (select from pg_depend of_extension where of_extension.classid = '${catalogue}'::regclass
    and of_extension.objid = ${alias}.oid and of_extension.deptype = 'e')`);

export interface StoredTable extends BackupTable {
  isPartitioned: boolean;
  /** On disk, without indexes. */
  bytes: number;
}

export const selectTables = (session: Session) =>
  session.query<StoredTable>(sql`
    select t.relname as "name", t.relkind = 'p' as "isPartitioned", pg_table_size(t.oid)::float8 as "bytes",
      case when t.relispartition
        then json_build_object('of', parent.relname, 'bound', pg_get_expr(t.relpartbound, t.oid)) end as "partition",
      (select json_agg(c.attname order by c.attnum) from pg_attribute c
        where c.attrelid = t.oid and c.attnum > 0 and not c.attisdropped and c.attgenerated = '') as "columns"
    from pg_class t
    left join pg_inherits i on i.inhrelid = t.oid
    left join pg_class parent on parent.oid = i.inhparent
    where t.relnamespace = ${SCHEMA} and t.relkind in ('r', 'p') and ${isOwn('pg_class', 't')}
    order by t.relname`);

/** Read after the snapshot was taken, so that nothing in it is ahead of them. */
export const selectSequences = (session: Session) =>
  session.query<{ name: string; last: string }>(sql`
    select sequencename as "name", last_value::text as "last" from pg_sequences
    where schemaname = current_schema() and last_value is not null order by sequencename`);

export const selectForeignKeys = (session: Session) =>
  session.query<{ table: string; name: string; definition: string }>(sql`
    select conrelid::regclass::text as "table", quote_ident(conname) as "name", pg_get_constraintdef(oid) as "definition"
    from pg_constraint where connamespace = ${SCHEMA} and contype = 'f' and conparentid = 0
    order by 1, 2`);

/** Triggers that keep rows of another table, and are named so. */
export const selectKeepers = (session: Session) =>
  session.query<{ table: string; name: string }>(sql`
    select quote_ident(relname) as "table", quote_ident(tgname) as "name"
    from pg_trigger join pg_class t on t.oid = tgrelid
    where relnamespace = ${SCHEMA} and not tgisinternal and tgname like 'keep\_%' order by 1, 2`);

export async function countRows(session: Session, table: string): Promise<number> {
  const [row] = await session.query<{ rows: number }>(
    sql`select count(*)::int as "rows" from ${quoted(table)}`,
  );
  return row?.rows ?? 0;
}

/** Of those given, the tables that hold rows. */
export async function selectFilled(session: Session, tables: string[]): Promise<string[]> {
  if (tables.length === 0) return [];
  const looks = tables.map(
    (table) => sql`select ${table}::text as "name" where exists (select from ${quoted(table)})`,
  );
  return (await session.query<{ name: string }>(join(looks, ' union all '))).map(({ name }) => name);
}

const quoted = (name: string): Sql => raw(pg.escapeIdentifier(name));

/** Statements that drop all that is in the schema. */
export async function writeDrops(session: Session): Promise<string[]> {
  const rows = await session.query<{ text: string }>(sql`
    select format('drop %s if exists %I cascade', case relkind when 'v' then 'view' when 'm' then 'materialized view'
      when 'S' then 'sequence' when 'f' then 'foreign table' else 'table' end, relname) as "text"
    from pg_class t where relnamespace = ${SCHEMA} and relkind in ('r', 'p', 'v', 'm', 'S', 'f') and not relispartition
      and ${isOwn('pg_class', 't')}
      -- A sequence that belongs to a column goes with it.
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = t.oid
        and relkind = 'S' and d.deptype in ('a', 'i'))
    union all
    select format('drop routine if exists %s cascade', oid::regprocedure)
    from pg_proc p where pronamespace = ${SCHEMA} and ${isOwn('pg_proc', 'p')}
    union all
    select format('drop type if exists %s cascade', oid::regtype)
    from pg_type y where typnamespace = ${SCHEMA} and typtype in ('e', 'd', 'r') and ${isOwn('pg_type', 'y')}`);
  return rows.map(({ text }) => text);
}
