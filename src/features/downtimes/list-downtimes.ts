import { canOperate } from '../../domain/accounts/role.ts';
import type { AccountId, ServiceId } from '../../domain/ids.ts';
import { type Caller, organizationNameIn, roleIn } from '../../engine/requests/caller.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { selectActiveDowntimes } from './queries.ts';

export interface DowntimeEntry {
  id: number;
  serviceId: ServiceId;
  serviceName: string;
  /** null: the caller belongs to no other. */
  organizationName: string | null;
  locationName: string | null;
  startAt: Date;
  endAt: Date;
  reason: string;
  createdById: AccountId;
  createdByName: string;
  createdAt: Date;
  canCancel: boolean;
}

/** The windows that are active now in the caller's organizations. */
export async function listDowntimes(
  db: ReadDatabase,
  caller: NonNullable<Caller>,
  now: Date,
): Promise<DowntimeEntry[]> {
  const organizationIds = caller.memberships.map(({ organizationId }) => organizationId);
  const active = await selectActiveDowntimes(db, organizationIds, now);
  return active.map(({ organizationId, hasCreator, ...downtime }) => ({
    ...downtime,
    organizationName: organizationNameIn(caller, organizationId),
    createdByName: hasCreator ? downtime.createdByName : 'Unknown',
    canCancel: canOperate(roleIn(caller, organizationId)),
  }));
}
