// What the plans of acts on many have in common.
import type { OrganizationId, ServiceId } from '../../../domain/ids.ts';
import type { ManyRefusal } from '../../../domain/words/many-words.ts';
import type { LockedService } from '../../journal/lock-alarm-states.ts';
import type { SortedServices } from '../../services/sort-by-permit.ts';
import type { Planned, UnitStep } from './many-act.ts';

interface Lockable {
  id: LockedService;
  organizationId: OrganizationId;
  name: string;
}

export const toSteps = <Refusal extends ManyRefusal>({
  permitted,
  refused,
}: SortedServices<Lockable, Refusal>): Planned<UnitStep & { locked: LockedService }> => ({
  steps: permitted.map(({ id, organizationId, name }) => ({
    serviceId: id as ServiceId,
    locked: id,
    organizationId,
    name,
  })),
  refused,
});

/** Those that have as many as there can be are refused. */
export const withoutFull = <OneStep extends UnitStep>(
  { steps, refused }: Planned<OneStep>,
  full: ReadonlySet<ServiceId>,
): Planned<OneStep> => ({
  steps: steps.filter(({ serviceId }) => !full.has(serviceId)),
  refused: [
    ...refused,
    ...steps
      .filter(({ serviceId }) => full.has(serviceId))
      .map(({ serviceId, name }) => ({ serviceId, name, refusal: 'most_reached' as const })),
  ],
});

export function groupIds(rows: readonly { id: number; serviceId: ServiceId }[]): Map<ServiceId, number[]> {
  const ids = new Map<ServiceId, number[]>();
  for (const { id, serviceId } of rows) ids.set(serviceId, [...(ids.get(serviceId) ?? []), id]);
  return ids;
}
