import { ok } from '../../domain/result.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import { changePersonalLinks } from '../../engine/organizations/personal-links.ts';
import type { SettingsVerb } from '../../engine/pages/settings-routes.ts';

export const setPersonalLinks: SettingsVerb<never> = async (tx, requester, { organizationId, form }, now) => {
  const changed = await changePersonalLinks(tx, organizationId, form.personal_links === 'yes');
  if (!changed) return ok({});
  const detail = { personal_links: changed };
  await writeAudit(tx, requester, { action: 'organization.personal_links', organizationId, detail }, now);
  return ok({});
};
