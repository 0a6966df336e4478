import { isDeepStrictEqual } from 'node:util';
import type { OrganizationId } from '../../domain/ids.ts';
import { KEY_AGAIN, keepKey } from '../../domain/ways-in/kept-key.ts';
import { insertSource, replaceSecret, replaceSettings } from '../../engine/sources/source-rows.ts';
import { hashSourceSecret } from '../../platform/auth/source-secret.ts';
import type { ApplyRun } from './apply-run.ts';
import { type StoredSource, selectSources } from './queries.ts';
import type { LabOrganization, LabSource } from './read/read-lab-file.ts';

export async function applySources(
  run: ApplyRun,
  organizationId: OrganizationId,
  { name: organization, sources = [] }: LabOrganization,
): Promise<string[]> {
  if (sources.length === 0) return [];
  const entries = sources.map((source) => ({
    ...source,
    hash: source.secret === undefined ? null : hashSourceSecret(source.secret),
  }));
  const hashes = entries.flatMap(({ hash }) => hash ?? []);
  const stored = await selectSources(run.tx, organizationId, hashes);
  const changes: string[] = [];
  for (const { path, name, hash, kind, settings: given } of entries) {
    const source = stored.find((row) => row.organizationId === organizationId && row.name === name);
    const settings = given && keepKey(given, source?.settings ?? {});
    const holder = hash && stored.find((row) => row.secretHash.equals(hash));
    if (!source && !hash) {
      run.faults.add(
        `${path}.secret`,
        `is missing: there is no source "${name}" yet, and a new one needs a secret`,
      );
    } else if (holder && holder !== source) {
      run.faults.add(`${path}.secret`, 'is the secret of another source; each source needs its own');
    } else if (settings && !settings.ok) {
      run.faults.add(`${path}.settings.storage.key`, KEY_AGAIN);
    } else if (hash && !source) {
      const made = await insertSource(
        run.tx,
        { organizationId, name, secretHash: hash, kind: kind ?? 'tocsin', settings: settings?.value ?? {} },
        run.now,
      );
      if (!made) throw new Error(`Source ${name} was made by somebody else meanwhile: apply the file again`);
      changes.push(`+ source ${organization}/${name}`);
    } else if (source) {
      const changed = await changeSource(run, source, {
        newHash: holder ? null : hash,
        kind,
        settings: settings?.value,
      });
      if (changed.length > 0) changes.push(`~ source ${organization}/${name}: ${changed.join(', ')}`);
    }
  }
  return changes;
}

interface Change {
  newHash: Buffer | null;
  kind: LabSource['kind'] | undefined;
  settings: LabSource['settings'] | undefined;
}

/** What the file does not mention stays. */
async function changeSource(
  { tx, now }: ApplyRun,
  source: StoredSource,
  { newHash, kind, settings }: Change,
): Promise<string[]> {
  const changed: string[] = [];
  let { id } = source;
  if (newHash) {
    id = (await replaceSecret(tx, { ...source, id }, newHash, now))?.id ?? id;
    changed.push('new secret');
  }
  const [nextKind, nextSettings] = [kind ?? source.kind, settings ?? source.settings];
  if (nextKind !== source.kind) changed.push(`kind ${source.kind} -> ${nextKind}`);
  if (!isDeepStrictEqual(nextSettings, source.settings)) changed.push('settings');
  if (changed.some((change) => change !== 'new secret'))
    await replaceSettings(tx, { ...source, id }, { kind: nextKind, settings: nextSettings });
  return changed;
}
