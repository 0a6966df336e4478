import { sayMost } from '../../domain/mosts.ts';
import { insertRelay, readRelays, setRelay } from '../../engine/relays/relays.ts';
import type { ApplyRun } from './apply-run.ts';
import type { LabGroup } from './read/read-lab-file.ts';

/** Sirens and lamps of a group, by address and switch. A password that is left out stays as it is. */
export async function applyRelays(
  { tx, now, faults }: ApplyRun,
  groupId: number,
  { relays = [] }: LabGroup,
): Promise<string[]> {
  if (relays.length === 0) return [];
  const stored = await readRelays(tx, groupId);
  const changes: string[] = [];
  for (const { path, url: given, switch: switchId = 0, password, dead_man: deadMan } of relays) {
    const { origin: url, host } = new URL(given);
    const label = `switch ${switchId} of ${host}`;
    const known = stored.find((one) => one.url === url && one.switchId === switchId);
    if (!known) {
      const added = { url, switchId, password: password ?? null, deadMan: deadMan ?? false };
      const { ok } = await insertRelay(tx, groupId, added, now);
      if (!ok) faults.add(path, `is one too many. ${sayMost('relays')}`);
      changes.push(`+ ${label}`);
      continue;
    }
    const wanted = { password: password ?? known.password, deadMan: deadMan ?? known.deadMan };
    if (wanted.password !== known.password) changes.push(`${label}: new password`);
    if (wanted.deadMan !== known.deadMan)
      changes.push(`${label}: ${wanted.deadMan ? 'sounds' : 'is silent'} if Tocsin dies`);
    if (wanted.password !== known.password || wanted.deadMan !== known.deadMan)
      await setRelay(tx, known.id, wanted);
  }
  return changes;
}
