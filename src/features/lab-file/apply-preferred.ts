// Where what is in a unit goes first: comes after the services, for it names them.
import type { ServiceId } from '../../domain/ids.ts';
import { savePreferred, selectAllPreferred } from '../../engine/rescue/rescue-rows.ts';
import type { KnownOrganization } from './apply-organization.ts';
import type { ApplyRun } from './apply-run.ts';
import type { KnownServices } from './apply-services.ts';
import { describeChanges } from './describe-changes.ts';
import { findByName } from './find-by-name.ts';
import type { LabOrganization } from './read/read-lab-file.ts';

/** What the file leaves out stays, and null takes it away. */
export async function applyPreferred(
  run: ApplyRun,
  organization: KnownOrganization,
  { name: organizationName }: LabOrganization,
  services: KnownServices,
): Promise<string[]> {
  const { tx, now, faults } = run;
  const { id: organizationId } = organization;
  const given = [...services].flatMap(([plan, { id }]) => {
    const wanted = plan.entry.rescue?.preferred_refuges;
    return plan.organization.id !== organizationId || wanted === undefined
      ? []
      : [{ serviceId: id, name: plan.entry.name, wanted: wanted ?? [] }];
  });
  if (given.length === 0) return [];
  const find = await findByName(run, organization, organizationName);
  const stored = new Map(
    (await selectAllPreferred(tx, organizationId)).map(({ serviceId, names }) => [serviceId, names]),
  );
  const changes: string[] = [];
  const changed: {
    serviceId: ServiceId;
    organizationId: typeof organizationId;
    preferredIds: ServiceId[];
  }[] = [];
  for (const { serviceId, name, wanted } of given) {
    const preferredIds = wanted.flatMap((refuge) => {
      const id = find(refuge);
      if (id === serviceId) faults.add(refuge.path, 'what is in a service cannot go to the service itself');
      return id ?? [];
    });
    const differences = describeChanges(
      { preferredRefuges: toText(stored.get(serviceId) ?? []) },
      { preferredRefuges: toText(wanted.map(({ value }) => value)) },
    );
    if (differences.length === 0) continue;
    changed.push({ serviceId, organizationId, preferredIds: [...new Set(preferredIds)] });
    changes.push(...differences.map((change) => `~ service ${organizationName}/${name}: ${change}`));
  }
  if (changed.length > 0 && faults.isEmpty()) savePreferred(tx, changed, now);
  return changes;
}

const toText = (names: readonly string[]): string | null => (names.length === 0 ? null : names.join(', '));
