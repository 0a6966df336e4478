import { NO_GUIDANCE } from '../../domain/guidance/guidance.ts';
import {
  type GuidanceOf,
  type NewGuidance,
  saveGuidance,
  selectAllGuidance,
} from '../../engine/guidance/guidance-rows.ts';
import type { KnownOrganization } from './apply-organization.ts';
import type { ApplyRun } from './apply-run.ts';
import { describeChanges } from './describe-changes.ts';
import { findDifference, planGuidance } from './plan-guidance.ts';
import type { LabOrganization } from './read/read-lab-file.ts';
import { selectLocations } from './service-queries.ts';

/** What to do at units of a template, or of a location, which the file or the database has. */
export async function applySharedGuidance(
  { tx, now, faults }: ApplyRun,
  { id: organizationId, name }: KnownOrganization,
  { guidance: entries = [] }: LabOrganization,
): Promise<string[]> {
  if (entries.length === 0) return [];
  const stored = await selectAllGuidance(tx, organizationId);
  const locations = new Map((await selectLocations(tx, organizationId)).map((row) => [row.name, row.id]));
  const changed: NewGuidance[] = [];
  const changes: string[] = [];
  const seen = new Set<string>();
  for (const { template, location, ...entry } of entries) {
    const { path } = entry;
    const label = template ?? location;
    if (label === undefined || (template !== undefined && location !== undefined)) {
      faults.add(path, 'must name either a template or a location');
      continue;
    }
    if (seen.has(`${template} ${location}`)) faults.add(path, `${label} stands twice in the file`);
    seen.add(`${template} ${location}`);
    const of = findOf(organizationId, template, location, locations);
    if (!of) {
      faults.add(`${path}.location`, `there is no location ${JSON.stringify(location)} in ${name}`);
      continue;
    }
    const before =
      stored.find((row) => (template ? row.template === template : row.locationName === location)) ??
      NO_GUIDANCE;
    const { whatToDo, contents, owner, valueClass, phones } = before;
    const said = { whatToDo, contents, owner, valueClass, phones };
    const after = findDifference(said, planGuidance(entry, said, faults));
    if (!after) continue;
    changed.push({ of, guidance: after });
    const differences = describeChanges(said, { ...after });
    changes.push(...differences.map((change) => `~ guidance ${name}/${label}: ${change}`));
  }
  if (changed.length > 0 && faults.isEmpty()) await saveGuidance(tx, changed, now);
  return changes;
}

function findOf(
  organizationId: GuidanceOf['organizationId'],
  template: string | undefined,
  location: string | undefined,
  locations: ReadonlyMap<string, number>,
): GuidanceOf | null {
  if (template !== undefined) return { organizationId, template };
  const locationId = location === undefined ? undefined : locations.get(location);
  return locationId === undefined ? null : { organizationId, locationId };
}
