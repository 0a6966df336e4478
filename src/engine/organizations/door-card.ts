// What the door cards of an organization show to whoever stands at a unit, without signing in.
import sql from 'sql-template-tag';
import { type DoorPart, orderParts } from '../../domain/door/door-card.ts';
import type { OrganizationId } from '../../domain/ids.ts';
import { first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';
import { lockNames } from './organizations.ts';

/** null: none, and they lead to the sign-in. */
type DoorCard = DoorPart[] | null;

/** null: it is so already. */
export async function changeDoorCard(
  tx: Tx,
  organizationId: OrganizationId,
  parts: readonly DoorPart[] | null,
): Promise<{ before: DoorCard; after: DoorCard } | null> {
  await lockNames(tx, organizationId);
  const before = await selectDoorCard(tx, organizationId);
  const after = parts && orderParts(parts);
  if (String(before) === String(after) && (before === null) === (after === null)) return null;
  await tx.query(sql`update organization set door_card = ${after}::text[] where id = ${organizationId}`);
  return { before, after };
}

export async function selectDoorCard(db: ReadDatabase, organizationId: OrganizationId): Promise<DoorCard> {
  const row = first(
    await db.query<{ parts: DoorPart[] | null }>(
      sql`select door_card as "parts" from organization where id = ${organizationId}`,
    ),
  );
  return row?.parts ?? null;
}
