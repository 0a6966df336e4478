import { organizationNameIn, roleIn } from '../../domain/accounts/requester.ts';
import type { Role } from '../../domain/accounts/role.ts';
import type { ServiceId } from '../../domain/ids.ts';
import { nameWithPlace } from '../../domain/words/place.ts';
import { readPageId, type Visit } from '../../engine/pages/page-routes.ts';
import type { Visitor } from '../../engine/pages/visitor.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { selectService, type VisibleService } from './queries.ts';

type NamedService = Pick<VisibleService, 'name' | 'organizationId'>;

export type SignedInVisit = Visit & { visitor: Visitor };

/** The service in the address. null: not there, archived, or not the visitor's to see. */
export async function findService(
  db: ReadDatabase,
  { params, visitor }: SignedInVisit,
): Promise<{ service: VisibleService; role: Role } | null> {
  const serviceId = readPageId<ServiceId>(params.service_id);
  const service = serviceId === null ? null : await selectService(db, serviceId);
  const role = service && roleIn(visitor, service.organizationId);
  return service && role ? { service, role } : null;
}

/** As the visitor tells it from others. */
export function nameService(visitor: Visitor, { name, organizationId }: NamedService): string {
  return nameWithPlace(name, {
    organizationName: organizationNameIn(visitor, organizationId),
    locationName: null,
  });
}
