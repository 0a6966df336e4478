import { ALL_DOOR_PARTS } from '../../domain/door/door-card.ts';
import { ok } from '../../domain/result.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import { changeDoorCard } from '../../engine/organizations/door-card.ts';
import type { SettingsVerb } from '../../engine/pages/settings-routes.ts';

export const setDoorCard: SettingsVerb<never> = async (tx, requester, { organizationId, form }, now) => {
  const parts = form.open === 'yes' ? ALL_DOOR_PARTS.filter((part) => form[part] === 'yes') : null;
  const changed = await changeDoorCard(tx, organizationId, parts);
  if (!changed) return ok({});
  const detail = { door_card: changed };
  await writeAudit(tx, requester, { action: 'organization.door_card', organizationId, detail }, now);
  return ok({});
};
