// What to do, as it is stored: of a service, of a template of an organization, or of a location.
import sql, { type Sql } from 'sql-template-tag';
import {
  type FoundGuidance,
  findGuidance,
  type Guidance,
  type GuidanceLevel,
} from '../../domain/guidance/guidance.ts';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import { first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';
import { WITH_PLACE } from '../sql-parts/place.ts';

/** What it is said of. Whoever makes one has looked that it is of the organization. */
export type GuidanceOf = { organizationId: OrganizationId } & (
  | { serviceId: ServiceId }
  | { template: string }
  | { locationId: number }
);

interface Keys {
  serviceId: ServiceId | null;
  template: string | null;
  locationId: number | null;
}

const keysOf = (of: GuidanceOf): Keys => ({ serviceId: null, template: null, locationId: null, ...of });

const FIELDS = sql`what_to_do as "whatToDo", contents, owner, value_class as "valueClass", phones`;

/** null: nothing was said of it. */
export const selectGuidance = async (db: ReadDatabase, of: GuidanceOf): Promise<Guidance | null> =>
  first(await db.query<Guidance>(sql`select ${FIELDS} from guidance where ${isOf(of)}`));

const isOf = (of: GuidanceOf): Sql => {
  const { serviceId, template, locationId } = keysOf(of);
  return sql`organization_id = ${of.organizationId} and service_id is not distinct from ${serviceId}::int
    and template is not distinct from ${template}::text and location_id is not distinct from ${locationId}::int`;
};

export interface NewGuidance {
  of: GuidanceOf;
  guidance: Guidance;
}

/** In the place of what is there. What says nothing goes. Two statements, however many. */
export async function saveGuidance(tx: Tx, given: readonly NewGuidance[], now: Date): Promise<void> {
  const rows = JSON.stringify(given.map(({ of, guidance }) => ({ ...keysOf(of), ...of, ...guidance })));
  await tx.query(sql`
    delete from guidance using jsonb_to_recordset(${rows}) as given ("organizationId" int, "serviceId" int, template text, "locationId" int)
    where organization_id = given."organizationId" and service_id is not distinct from given."serviceId"
      and guidance.template is not distinct from given.template and location_id is not distinct from given."locationId"`);
  await tx.query(sql`
    insert into guidance (organization_id, service_id, template, location_id, what_to_do, contents, owner, value_class, phones, changed_at)
    select "organizationId", "serviceId", template, "locationId", "whatToDo", contents, owner, "valueClass", phones, ${now}
    from jsonb_to_recordset(${rows}) as given ("organizationId" int, "serviceId" int, template text, "locationId" int,
      "whatToDo" text, contents text, owner text, "valueClass" text, phones text)
    where num_nonnulls("whatToDo", contents, owner, "valueClass", phones) > 0`);
}

export interface StoredGuidance extends Guidance, Keys {
  locationName: string | null;
}

/** All that was said in an organization. */
export const selectAllGuidance = (db: ReadDatabase, organizationId: OrganizationId) =>
  db.query<StoredGuidance>(sql`
    select service_id as "serviceId", template, location_id as "locationId", location.name as "locationName", ${FIELDS}
    from guidance left join location on location.id = location_id
    where guidance.organization_id = ${organizationId}`);

type Said = Record<GuidanceLevel, Guidance | null>;

interface SaidRow extends Said {
  serviceId: ServiceId;
}

const asJson = (name: 'own' | 'ours' | 'place') => {
  const NAMES = { own: sql`own`, ours: sql`ours`, place: sql`place` };
  const table = NAMES[name];
  return sql`case when ${table}.id is not null then json_build_object('whatToDo', ${table}.what_to_do,
    'contents', ${table}.contents, 'owner', ${table}.owner, 'valueClass', ${table}.value_class, 'phones', ${table}.phones) end`;
};

/** Of each service of which anything is said, level by level. One statement. */
export async function readSaidGuidance(
  db: ReadDatabase,
  serviceIds: readonly ServiceId[],
): Promise<Map<ServiceId, Said>> {
  if (serviceIds.length === 0) return new Map();
  const rows = await db.query<SaidRow>(sql`
    select service.id as "serviceId", ${asJson('own')} as "service", ${asJson('ours')} as "template",
      ${asJson('place')} as "location"
    from service
    ${WITH_PLACE}
    left join guidance own on own.service_id = service.id
    left join guidance ours on ours.organization_id = service.organization_id and ours.template = service.template
    left join guidance place on place.location_id = asset.location_id
    where service.id = any(${serviceIds}::int[])
      and (own.id is not null or ours.id is not null or place.id is not null)`);
  return new Map(rows.map(({ serviceId, ...said }) => [serviceId, said]));
}

/** What holds at each service, with where each part of it was said. */
export const readGuidanceOf = async (
  db: ReadDatabase,
  serviceIds: readonly ServiceId[],
): Promise<Map<ServiceId, FoundGuidance>> =>
  new Map(
    [...(await readSaidGuidance(db, serviceIds))].map(([serviceId, said]) => [serviceId, findGuidance(said)]),
  );

/** Which kind of equipment it is; null: nobody said so. */
export const selectTemplate = async (db: ReadDatabase, serviceId: ServiceId): Promise<string | null> =>
  first(
    await db.query<{ template: string | null }>(sql`select template from service where id = ${serviceId}`),
  )?.template ?? null;
