// Services that others of the file name, once all of them are there.
import { groupBy } from '../../domain/group-by.ts';
import type { ServiceId } from '../../domain/ids.ts';
import type { KnownOrganization } from './apply-organization.ts';
import type { ApplyRun } from './apply-run.ts';
import { selectServiceNames } from './service-queries.ts';

/** What is not clear is a fault of the file. */
export async function findByName(
  { tx, faults }: Pick<ApplyRun, 'tx' | 'faults'>,
  { id: organizationId }: Pick<KnownOrganization, 'id'>,
  organizationName: string,
) {
  const byName = groupBy(await selectServiceNames(tx, organizationId), ({ name }) => name);
  return ({ path, value }: { path: string; value: string }): ServiceId | null => {
    const [service, other] = byName.get(value) ?? [];
    if (service && !other) return service.id;
    const problem = service ? 'there are several services' : 'there is no service';
    faults.add(path, `${problem} called "${value}" in ${organizationName}`);
    return null;
  };
}
