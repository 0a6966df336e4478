// Drills that were held, for the report of a year.
import sql from 'sql-template-tag';
import type { AccountId, OrganizationId } from '../../domain/ids.ts';
import type { Lacking } from '../../domain/rescue/drill.ts';
import type { KeptDrill } from '../../domain/rescue/kept-drill.ts';
import type { ReadDatabase, Tx } from '../../platform/db/database.ts';

interface NewDrill extends KeptDrill {
  organizationId: OrganizationId;
  place: string;
  units: number;
  racks: number;
  unsaid: number;
  lacking: readonly Lacking[];
  by: { accountId: AccountId; name: string };
}

/** An organization keeps so many: the one that was written down first makes room. */
const MOST_KEPT = 1_000;

export function insertKeptDrill(tx: Tx, given: NewDrill, now: Date): void {
  const { organizationId, place, heldOn, remarks, units, racks, unsaid, lacking, by } = given;
  tx.later(sql`
    insert into rescue_drill (organization_id, place, held_on, units, racks, unsaid, lacking, remarks, kept_by_id, kept_by, kept_at)
    values (${organizationId}, ${place}, ${heldOn}::date, ${units}, ${racks}, ${unsaid}, ${JSON.stringify(lacking)}::jsonb,
      ${remarks}, ${by.accountId}, ${by.name}, ${now})`);
  tx.later(sql`
    delete from rescue_drill where organization_id = ${organizationId} and id <= (
      select id from rescue_drill where organization_id = ${organizationId} order by id desc offset ${MOST_KEPT} limit 1)`);
}

export interface DrillOfYear extends KeptDrill {
  id: string;
  place: string;
  units: number;
  racks: number;
  unsaid: number;
  lacking: Lacking[];
  by: string;
}

/** By place, the last one first. */
export const selectDrillsOfYear = (db: ReadDatabase, organizationId: OrganizationId, year: number) =>
  db.query<DrillOfYear>(sql`
    select id, place, held_on::text as "heldOn", units, racks, unsaid, lacking, remarks, kept_by as "by"
    from rescue_drill
    where organization_id = ${organizationId} and held_on >= make_date(${year}::int, 1, 1) and held_on < make_date(${year}::int + 1, 1, 1)
    order by natural_order(place), held_on desc, id desc limit ${MOST_KEPT}`);

/** Where something would have to be moved. */
export const selectPlacesToEmpty = async (
  db: ReadDatabase,
  organizationId: OrganizationId,
): Promise<string[]> =>
  (
    await db.query<{ name: string }>(sql`
      select name from location where organization_id = ${organizationId} and exists (
        select from asset join service on service.asset_id = asset.id and archived_at is null
        join rescue on rescue.service_id = service.id and temperature_class is not null and racks is distinct from 0
        where asset.location_id = location.id)
      order by natural_order(name), id`)
  ).map(({ name }) => name);
