// Rotas: their versions, which never change, and their stand-ins. Each change is noted for the groups that a rota is in.
import sql from 'sql-template-tag';
import type { OrganizationId } from '../../domain/ids.ts';
import type { RotaVersion } from '../../domain/on-call/rota.ts';
import { first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';
import { changeGroup } from '../groups/change-group.ts';
import { type RotaRow, rotaAsJson } from '../outbox/ladders.ts';

export interface StoredRota extends RotaRow {
  organizationId: OrganizationId;
  organizationName: string;
  feedToken: string | null;
}

/** `since`: stand-ins that ended before are left out. */
const selectRotas = (since: Date) => sql`
  select rota.id, rota.name, rota.timezone as "timeZone", rota.organization_id as "organizationId",
    organization.name as "organizationName", feed_token as "feedToken", whole.rota->'versions' as "versions",
    whole.rota->'standIns' as "standIns", whole.rota->'people' as "people"
  from rota join organization on organization.id = rota.organization_id
  cross join lateral (select ${rotaAsJson(since)} as rota) as whole`;

export const readRotas = (db: ReadDatabase, organizationIds: readonly OrganizationId[], since: Date) =>
  db.query<StoredRota>(sql`
    ${selectRotas(since)} where rota.organization_id = any(${organizationIds}::int[]) order by rota.name, rota.id`);

/** null: the name is taken. */
export const insertRota = async (
  tx: Tx,
  { organizationId, name, timeZone }: { organizationId: OrganizationId; name: string; timeZone: string },
  now: Date,
) =>
  first(
    await tx.query<{ id: number }>(sql`
      insert into rota (organization_id, name, timezone, created_at)
      values (${organizationId}, ${name}, ${timeZone}, ${now})
      on conflict (organization_id, name) do nothing returning id`),
  );

/** With what was changed goes the note by which whoever comes on duty hears of what holds. */
const changeRota = (tx: Tx, rotaId: number, now: Date, change: () => Promise<unknown>) =>
  changeGroup(tx, now, async (changing) => {
    const groups = await changing.query<{ groupId: number }>(sql`
      select group_id as "groupId" from notification_group_rota where rota_id = ${rotaId}`);
    await change();
    return groups;
  });

export const insertVersion = (tx: Tx, rotaId: number, version: Omit<RotaVersion, 'version'>, now: Date) =>
  changeRota(tx, rotaId, now, async () => {
    // Two who change it at the same moment come one after the other.
    await tx.query(sql`select id from rota where id = ${rotaId} for no key update`);
    const { fromDate, handover, every, length, members } = version;
    await tx.query(sql`
      with made as (
        insert into rota_version (rota_id, version, from_date, handover, every, length)
        select ${rotaId}, coalesce(max(version), 0) + 1, ${fromDate}::date, ${handover}::time, ${every}, ${length}
        from rota_version where rota_id = ${rotaId}
        returning version)
      insert into rota_member (rota_id, version, position, account_id)
      select ${rotaId}, version, position - 1, account_id
      from made cross join unnest(${members}::int[]) with ordinality as member (account_id, position)`);
  });
