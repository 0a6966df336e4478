// The verbs on the links to a wall. Whoever has one sees the organization's equipment, so records never hold a token.
import { randomBytes } from 'node:crypto';
import { nameBranch } from '../../domain/equipment/place-tree.ts';
import type { OrganizationId } from '../../domain/ids.ts';
import { message } from '../../domain/language/message.ts';
import type { Sayable } from '../../domain/language/sayable.ts';
import { readName, sayNameTooLong } from '../../domain/names.ts';
import { ok, refuse } from '../../domain/result.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import { readPageId } from '../../engine/pages/page-routes.ts';
import type { SettingsVerb } from '../../engine/pages/settings-routes.ts';
import { ANY_PLACE, readWantedPlace, type WantedPlace } from '../../engine/pages/wanted-place.ts';
import { hashSourceSecret } from '../../platform/auth/source-secret.ts';
import type { Tx } from '../../platform/db/database.ts';
import { deleteLink, insertLink, selectLocations } from './queries.ts';

export type LinkRefusal = 'no_name' | 'name_too_long' | 'name_taken' | 'no_such_location';

export const LINK_REFUSALS: Record<LinkRefusal, [field: string, text: Sayable]> = {
  no_name: ['name', message('Give the link a name, such as where the screen hangs.')],
  name_too_long: ['name', sayNameTooLong],
  no_such_location: ['location', message('This location is no longer there. Choose another one.')],
  name_taken: ['name', message('This organization has a link of that name already. Choose another name.')],
};

export interface NewLink {
  name: string;
  token: string;
}

export const create: SettingsVerb<LinkRefusal, NewLink> = async (
  tx,
  requester,
  { organizationId, form },
  now,
) => {
  const read = readName(form.name);
  if (!read.ok) return read;
  const name = read.value;
  const shows = await findShown(tx, organizationId, form.location);
  if (!shows) return refuse('no_such_location');
  const { locationName, ...place } = shows;
  const token = randomBytes(32).toString('base64url');
  const link = {
    organizationId,
    name,
    ...place,
    tokenHash: hashSourceSecret(token),
    timezone: requester.timezone,
  };
  const made = await insertLink(tx, link, now);
  if (!made) return refuse('name_taken');
  await writeAudit(
    tx,
    requester,
    {
      action: 'wall.create',
      organizationId,
      detail: { wall: made.id, name, ...(locationName !== null && { location: locationName }) },
    },
    now,
  );
  return ok({ shown: { name, token } });
};

/** null: nothing stands there any more. */
async function findShown(
  tx: Tx,
  organizationId: OrganizationId,
  typed: string | undefined,
): Promise<(WantedPlace & { locationName: string | null }) | null> {
  if (!typed) return { ...ANY_PLACE, locationName: null };
  const place = readWantedPlace(typed);
  const locations = await selectLocations(tx, organizationId);
  const locationName =
    place.branch === null
      ? locations.find(({ id }) => id === place.locationId)?.name
      : nameBranch(
          place.branch,
          locations.map(({ name }) => name),
        );
  return locationName ? { ...place, locationName } : null;
}

export const revoke: SettingsVerb<LinkRefusal, NewLink> = async (
  tx,
  requester,
  { organizationId, form },
  now,
) => {
  const linkId = readPageId(form.link_id);
  const gone = linkId && (await deleteLink(tx, organizationId, linkId));
  if (gone) {
    const detail = { wall: linkId, name: gone.name };
    await writeAudit(tx, requester, { action: 'wall.revoke', organizationId, detail }, now);
  }
  return ok({});
};
