import { ok } from '../../domain/result.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import { changePinDemand } from '../../engine/organizations/phone-pin.ts';
import type { SettingsVerb } from '../../engine/pages/settings-routes.ts';

export const setPinDemand: SettingsVerb<never> = async (tx, requester, { organizationId, form }, now) => {
  const changed = await changePinDemand(tx, organizationId, form.phone_pin_required === 'yes');
  if (!changed) return ok({});
  const detail = { phone_pin_required: changed };
  await writeAudit(tx, requester, { action: 'organization.phone_pin', organizationId, detail }, now);
  return ok({});
};
