import { insertRelay, readRelays, setRelay } from '../../engine/relays/relays.ts';
import type { ApplyRun } from './apply-run.ts';
import type { LabGroup } from './read/read-lab-file.ts';

/** Sirens and lamps of a group, by address and switch. A password that is left out stays as it is. */
export async function applyRelays(
  { tx, now }: ApplyRun,
  groupId: number,
  { relays = [] }: LabGroup,
): Promise<string[]> {
  if (relays.length === 0) return [];
  const stored = await readRelays(tx, groupId);
  const changes: string[] = [];
  for (const { url: given, switch: switchId = 0, password, dead_man: deadMan } of relays) {
    const { origin: url, host } = new URL(given);
    const label = `switch ${switchId} of ${host}`;
    const known = stored.find((one) => one.url === url && one.switchId === switchId);
    if (!known) {
      await insertRelay(
        tx,
        groupId,
        { url, switchId, password: password ?? null, deadMan: deadMan ?? false },
        now,
      );
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
