// Which services are behind which gateway: comes after the services, for it names them.
import { addChildren, selectDependences } from '../../engine/quiet-times/parents.ts';
import type { KnownOrganization } from './apply-organization.ts';
import type { ApplyRun } from './apply-run.ts';
import { findByName } from './find-by-name.ts';
import type { LabOrganization } from './read/read-lab-file.ts';

/** Adds, and takes nothing away. */
export async function applyGateways(
  { tx, now, faults }: ApplyRun,
  organization: KnownOrganization,
  { name: organizationName, gateways = [] }: LabOrganization,
): Promise<string[]> {
  if (gateways.length === 0) return [];
  const find = await findByName({ tx, faults }, organization, organizationName);
  const changes: string[] = [];
  for (const { service, services: behind } of gateways) {
    const parentId = find(service);
    const children = behind.flatMap((child) => {
      const id = find(child);
      return id === null ? [] : [{ ...child, id }];
    });
    if (parentId === null) continue;
    const known = await selectDependences(tx, organization.id);
    if (known.some(({ serviceId }) => serviceId === parentId))
      faults.add(
        service.path,
        `${service.value} is behind a gateway itself: two could keep each other quiet`,
      );
    for (const { path, value, id } of children)
      if (id === parentId || known.some((one) => one.parentId === id))
        faults.add(path, `${value} is a gateway itself: two could keep each other quiet`);
    if (!faults.isEmpty()) continue;
    const ids = children.map(({ id }) => id);
    const added = await addChildren(tx, parentId, ids, now);
    changes.push(
      ...children
        .filter(({ id }) => added.includes(id))
        .map(({ value }) => `~ service ${organizationName}/${value}: behind ${service.value}`),
    );
  }
  return changes;
}
