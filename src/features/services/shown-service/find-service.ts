import { roleIn } from '../../../domain/accounts/requester.ts';
import type { Role } from '../../../domain/accounts/role.ts';
import { orderChannels } from '../../../domain/equipment/order-channels.ts';
import type { ServiceId } from '../../../domain/ids.ts';
import { readPageId } from '../../../engine/pages/page-routes.ts';
import type { Visitor } from '../../../engine/pages/visitor.ts';
import type { ReadDatabase } from '../../../platform/db/database.ts';
import { type ShownService, selectService } from './queries.ts';

export interface FoundService {
  service: ShownService;
  role: Role;
}

/** null: nothing with this id is for this visitor to see, be it archived, somebody else's or not there. */
export async function findService(
  db: ReadDatabase,
  visitor: Visitor,
  idText: string | undefined,
  now: Date,
): Promise<FoundService | null> {
  const serviceId = readPageId<ServiceId>(idText);
  if (serviceId === null) return null;
  const own = visitor.memberships.map(({ organizationId }) => organizationId);
  const service = await selectService(db, serviceId, own, now);
  const role = service && roleIn(visitor, service.organizationId);
  return service && role
    ? { service: { ...service, channels: orderChannels(service.channels) }, role }
    : null;
}
