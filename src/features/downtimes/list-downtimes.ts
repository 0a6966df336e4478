import {
  organizationIdsOf,
  organizationNameIn,
  type Requester,
  roleIn,
} from '../../domain/accounts/requester.ts';
import { canOperate } from '../../domain/accounts/role.ts';
import type { AccountId, ServiceId } from '../../domain/ids.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { selectActiveDowntimes } from './queries.ts';

export interface DowntimeEntry {
  id: number;
  serviceId: ServiceId;
  serviceName: string;
  /** null: the requester belongs to no other. */
  organizationName: string | null;
  locationName: string | null;
  startAt: Date;
  endAt: Date;
  reason: string;
  createdById: AccountId;
  /** null: the account no longer exists. */
  createdByName: string | null;
  createdAt: Date;
  canCancel: boolean;
}

/** The windows that are active now in the requester's organizations. */
export async function listDowntimes(
  db: ReadDatabase,
  requester: Requester,
  now: Date,
): Promise<DowntimeEntry[]> {
  const organizationIds = organizationIdsOf(requester);
  const active = await selectActiveDowntimes(db, organizationIds, now);
  return active.map(({ organizationId, hasCreator, ...downtime }) => ({
    ...downtime,
    organizationName: organizationNameIn(requester, organizationId),
    createdByName: hasCreator ? downtime.createdByName : null,
    canCancel: canOperate(roleIn(requester, organizationId)),
  }));
}
