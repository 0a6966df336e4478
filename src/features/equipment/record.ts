import type { ServiceId } from '../../domain/ids.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import type { Ask } from '../../engine/pages/settings-routes.ts';
import type { Tx } from '../../platform/db/database.ts';

/** Commits with the change it tells of. */
export const record = (
  tx: Tx,
  { actor, organization, now }: Ask,
  action: string,
  detail: Record<string, unknown>,
  serviceId?: ServiceId,
) =>
  writeAudit(
    tx,
    actor,
    { action, organizationId: organization.id, detail, ...(serviceId !== undefined && { serviceId }) },
    now,
  );
