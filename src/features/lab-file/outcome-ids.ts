import type { KnownAccounts } from './apply-accounts.ts';
import type { KnownOrganization } from './apply-organization.ts';
import type { Known } from './apply-run.ts';
import type { KnownServices } from './apply-services.ts';
import type { ServicePlan } from './plan-service.ts';
import { devicesOf, type LabFile } from './read/read-lab-file.ts';

export interface LabFileIds {
  organizations: Record<string, number>;
  accounts: Record<string, number>;
  groups: Record<string, number>;
  services: Record<string, number>;
}

interface KnownRows {
  accounts: KnownAccounts;
  organizations: KnownOrganization[];
  services: KnownServices;
}

type Named = [name: string, row: Known | null | undefined];

export function collectIds(file: LabFile, known: KnownRows, isDryRun: boolean): LabFileIds {
  const idsOf = (rows: Named[]) =>
    Object.fromEntries(
      rows.flatMap(([name, row]) => (row && !(isDryRun && row.isNew) ? [[name, row.id]] : [])),
    );
  return {
    organizations: idsOf(known.organizations.map((organization) => [organization.name, organization])),
    accounts: idsOf([...known.accounts]),
    groups: idsOf(nameGroups(file, known.organizations)),
    services: idsOf(nameServices([...known.services])),
  };
}

const nameGroups = (file: LabFile, organizations: KnownOrganization[]): Named[] =>
  organizations.flatMap(({ name, groups }, index) => {
    const { groups: entries = [], services = [] } = file.organizations[index] ?? {};
    const mentioned = [
      ...entries.map((group) => group.name),
      ...services.flatMap(({ notifications }) => notifications?.group?.value ?? []),
    ];
    return mentioned.map((group): Named => [`${name}/${group}`, groups.get(group)]);
  });

/** Of services that share a name, the first is known by it and the others by key or device. */
function nameServices(services: [ServicePlan, Known][]): Named[] {
  const names = new Set<string>();
  const hasSign = ({ entry }: ServicePlan) => entry.key !== undefined || Boolean(devicesOf(entry)?.length);
  // One that has nothing but its name must get it.
  const inOrder = [
    ...services.filter(([plan]) => !hasSign(plan)),
    ...services.filter(([plan]) => hasSign(plan)),
  ];
  const found = new Map<ServicePlan, string>();
  for (const [plan] of inOrder) {
    const { entry, organization } = plan;
    const candidates = [entry.name, entry.key, devicesOf(entry)?.[0]?.key].filter(
      (name) => name !== undefined,
    );
    const name = candidates.map((sign) => `${organization.name}/${sign}`).find((sign) => !names.has(sign));
    if (name === undefined) continue;
    names.add(name);
    found.set(plan, name);
  }
  return services.flatMap(([plan, row]): Named[] => {
    const name = found.get(plan);
    return name === undefined ? [] : [[name, row]];
  });
}
