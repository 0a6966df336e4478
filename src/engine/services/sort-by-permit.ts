// Of many services, which of them somebody may act upon, and why not upon the others.
import type { ServiceId } from '../../domain/ids.ts';
import type { Result } from '../../domain/result.ts';

export interface RefusedService<Refusal> {
  serviceId: ServiceId;
  /** null: it is nothing that they know of. */
  name: string | null;
  refusal: Refusal;
}

export interface SortedServices<Service, Refusal> {
  permitted: Service[];
  refused: RefusedService<Refusal>[];
}

export function sortByPermit<Service extends { id: ServiceId; name: string }, Refusal>(
  serviceIds: readonly ServiceId[],
  found: readonly Service[],
  permit: (service: Service | null) => Result<{ service: Service }, Refusal>,
): SortedServices<Service, Refusal> {
  const byId = new Map(found.map((service): [ServiceId, Service] => [service.id, service]));
  const sorted: SortedServices<Service, Refusal> = { permitted: [], refused: [] };
  for (const serviceId of serviceIds) {
    const service = byId.get(serviceId) ?? null;
    const permitted = permit(service);
    if (permitted.ok) sorted.permitted.push(permitted.value.service);
    else sorted.refused.push({ serviceId, name: service?.name ?? null, refusal: permitted.refusal });
  }
  return sorted;
}
