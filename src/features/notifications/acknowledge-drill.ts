import type { Requester } from '../../domain/accounts/requester.ts';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import type { Tx } from '../../platform/db/database.ts';
import { acknowledgeDrill } from './drill-queries.ts';

interface OwnDrill {
  drillId: number;
  organizationId: OrganizationId;
  serviceId: ServiceId;
  by?: 'link';
}

/** Whether it was this requester: somebody may have been faster. */
export async function acknowledgeOwnDrill(
  tx: Tx,
  requester: Requester,
  { drillId, organizationId, serviceId, by }: OwnDrill,
  now: Date,
): Promise<boolean> {
  const { accountId, name } = requester;
  if (accountId === null) return false;
  const done = await acknowledgeDrill(tx, drillId, { accountId, name }, now);
  if (!done) return false;
  const seconds = Math.round((now.getTime() - done.startedAt.getTime()) / 1000);
  const detail = { drill: drillId, seconds, ...(by && { by }) };
  await writeAudit(tx, requester, { action: 'drill.acknowledge', organizationId, serviceId, detail }, now);
  return true;
}
