import { insertLocations, placeAssets } from '../../engine/equipment/places.ts';
import type { KnownOrganization } from './apply-organization.ts';
import type { ApplyRun } from './apply-run.ts';
import { describeChanges } from './describe-changes.ts';
import type { Equipment } from './load-equipment.ts';
import type { Match } from './match-services.ts';
import { checkPlaces } from './read/check-lab-file.ts';

/** A location needs an asset to belong to; a service that has none gets one of its own name. */
export function findAssetName({ entry, stored }: Match): string | null {
  if (entry.asset) return entry.asset;
  const current = entry.asset === null ? null : (stored?.assetName ?? null);
  return current ?? (entry.location ? entry.name : null);
}

/** Makes the assets and locations that the services name. */
export async function applyAssets(
  { tx, faults }: ApplyRun,
  organization: KnownOrganization,
  matches: Match[],
  { assets }: Equipment,
): Promise<{ assetIds: Map<string, number>; changes: string[] }> {
  const named = matches.flatMap((match) => {
    const asset = findAssetName(match);
    return asset === null ? [] : [{ path: match.entry.path, asset, location: match.entry.location }];
  });
  checkPlaces(named, faults);

  const locations = new Map<string, string | null>();
  for (const { asset, location } of named) {
    const known = locations.get(asset) ?? assets.get(asset)?.location ?? null;
    locations.set(asset, location === undefined ? known : location);
  }
  const toWrite = [...locations]
    .map(([name, location]) => ({ name, location }))
    .filter(({ name, location }) => !assets.has(name) || assets.get(name)?.location !== location);

  const assetIds = new Map([...assets.values()].map(({ name, id }) => [name, id]));
  const changes: string[] = [];
  if (toWrite.length > 0) {
    const wanted = new Set(toWrite.flatMap(({ location }) => location ?? []));
    const made = wanted.size > 0 ? await insertLocations(tx, organization.id, [...wanted]) : [];
    changes.push(...made.map(({ name }) => `+ location ${organization.name}/${name}`));
    for (const { id, name } of await placeAssets(tx, organization.id, toWrite)) assetIds.set(name, id);
  }
  for (const { name, location } of toWrite) {
    const label = `asset ${organization.name}/${name}`;
    const asset = assets.get(name);
    if (!asset) changes.push(`+ ${label}`);
    else
      changes.push(...describeChanges({ ...asset }, { location }).map((change) => `~ ${label}: ${change}`));
  }
  return { assetIds, changes };
}
