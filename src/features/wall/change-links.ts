// The verbs on the links to a wall. Whoever has one sees the organization's equipment, so records never hold a token.
import { randomBytes } from 'node:crypto';
import { message } from '../../domain/language/message.ts';
import type { Sayable } from '../../domain/language/sayable.ts';
import { readName, sayNameTooLong } from '../../domain/names.ts';
import { ok, refuse } from '../../domain/result.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import { readPageId } from '../../engine/pages/page-routes.ts';
import type { SettingsVerb } from '../../engine/pages/settings-routes.ts';
import { hashSourceSecret } from '../../platform/auth/source-secret.ts';
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
  const locationId = form.location ? readPageId(form.location) : null;
  const location =
    locationId && (await selectLocations(tx, organizationId)).find(({ id }) => id === locationId);
  if (form.location && !location) return refuse('no_such_location');
  const token = randomBytes(32).toString('base64url');
  const link = {
    organizationId,
    name,
    locationId,
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
      detail: { wall: made.id, name, ...(location && { location: location.name }) },
    },
    now,
  );
  return ok({ shown: { name, token } });
};

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
