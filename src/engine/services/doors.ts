// The door of a unit: an address for whoever stands before it. Nothing is stored by which anybody could make one, and it leads
// nowhere any more once it is renewed.
import sql from 'sql-template-tag';
import type { DoorPart } from '../../domain/door/door-card.ts';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { TokenSigner } from '../../platform/auth/token.ts';
import { first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';
import { WITH_PLACE } from '../sql-parts/place.ts';
import type { AdministeredService } from './administer-service.ts';

/** Makes addresses and knows its own. */
export type DoorSigner = Pick<TokenSigner, 'prove' | 'isProof'>;

interface DoorKey {
  serviceId: ServiceId;
  generation: number;
}

const nameDoor = ({ serviceId, generation }: DoorKey): string => `door of ${serviceId}, ${generation}`;

export const doorPath = (signer: DoorSigner, door: DoorKey): string =>
  `/door/${door.serviceId}.${signer.prove(nameDoor(door))}`;

export interface Door extends DoorKey {
  organizationId: OrganizationId;
  name: string;
  assetName: string | null;
  locationName: string | null;
  /** What it shows; null: its organization lets nobody in. */
  parts: DoorPart[] | null;
  /** null: the organization has chosen none. */
  languageTag: string | null;
}

const TOKEN = /^(\d{1,9})\.([\w-]+)$/;

/** null: there is no such door, it was renewed, or what stood behind it is archived. */
export async function findDoor(db: ReadDatabase, signer: DoorSigner, token: string): Promise<Door | null> {
  const [, id, proof = ''] = TOKEN.exec(token) ?? [];
  const door = id === undefined ? null : await selectDoor(db, Number(id));
  return door && signer.isProof(nameDoor(door), proof) ? door : null;
}

const selectDoor = async (db: ReadDatabase, serviceId: number) =>
  first(
    await db.query<Door>(sql`
      select service.id as "serviceId", door_generation as "generation", service.organization_id as "organizationId",
        service.name, asset.name as "assetName", location.name as "locationName", door_card as "parts",
        organization.language as "languageTag"
      from service join organization on organization.id = service.organization_id ${WITH_PLACE}
      where service.id = ${serviceId} and archived_at is null`),
  );

/** Those of these services whose organization lets people in. */
export const selectOpenDoors = (db: ReadDatabase, serviceIds: readonly ServiceId[]) =>
  db.query<DoorKey>(sql`
    select service.id as "serviceId", door_generation as "generation"
    from service join organization on organization.id = organization_id
    where service.id = any(${serviceIds}::int[]) and door_card is not null`);

export const renewDoor = (tx: Tx, { id }: AdministeredService) =>
  tx.query(sql`update service set door_generation = door_generation + 1 where id = ${id}`);
