// The versions of a rota as rows.
import sql, { type Sql } from 'sql-template-tag';
import type { Handover, RotaVersion } from '../../domain/on-call/rota-version.ts';

export interface VersionRow extends Omit<RotaVersion, 'beginsAt'> {
  /** Milliseconds; null: from its first handover on. */
  begins: number | null;
  timeZone: string;
  further: Handover[];
}

const membersOf = (handover: Sql): Sql => sql`(
  select coalesce(json_agg(account_id order by position), '[]') from rota_member
  where rota_member.rota_id = rota_version.rota_id and rota_member.version = rota_version.version
    and rota_member.handover = ${handover})`;

/**
 * Of a query on `rota`, as JSON in their order. The newest that has begun counts: of those that had by `since` only that
 * one is read, for nobody knows how often a rota was changed.
 */
export const versionsAsJson = (since: Date): Sql => sql`(
  select coalesce(json_agg(json_build_object('version', version, 'fromDate', from_date,
      'begins', date_part('epoch', begins_at) * 1000, 'timeZone', coalesce(rota_version.timezone, rota.timezone),
      'handover', to_char(handover, 'HH24:MI'), 'every', every, 'length', length, 'members', ${membersOf(sql`0`)},
      'further', (
        select coalesce(json_agg(json_build_object('at', to_char(one.handover, 'HH24:MI'),
            'timeZone', coalesce(one.timezone, rota_version.timezone, rota.timezone),
            'members', ${membersOf(sql`one.position`)})
          order by one.position), '[]')
        from rota_handover as one
        where one.rota_id = rota_version.rota_id and one.version = rota_version.version))
    order by version), '[]')
  from rota_version
  where rota_id = rota.id and version >= coalesce((
    select max(version) from rota_version as begun
    where begun.rota_id = rota.id
      -- Local days of all zones have begun two days later.
      and coalesce(begins_at, (from_date + 2)::timestamp at time zone 'UTC') <= ${since}), 0))`;

export const toVersion = ({ begins, ...version }: VersionRow): RotaVersion => ({
  ...version,
  beginsAt: begins === null ? null : new Date(begins),
});
