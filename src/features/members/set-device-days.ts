import { MOST_DEVICE_DAYS } from '../../domain/accounts/device-session.ts';
import { ok, refuse } from '../../domain/result.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import { changeDeviceDays } from '../../engine/organizations/device-days.ts';
import type { SettingsVerb } from '../../engine/pages/settings-routes.ts';

export const setDeviceDays: SettingsVerb<'wrong_days'> = async (
  tx,
  requester,
  { organizationId, form },
  now,
) => {
  const typed = form.device_days ?? '';
  const days = /^\d{1,3}$/.test(typed) ? Number(typed) : Number.NaN;
  if (!(days <= MOST_DEVICE_DAYS)) return refuse('wrong_days');
  const changed = await changeDeviceDays(tx, organizationId, days);
  if (!changed) return ok({});
  const detail = { device_days: changed };
  await writeAudit(tx, requester, { action: 'organization.device_days', organizationId, detail }, now);
  return ok({});
};
