// Lab hours, holidays and rotas. A rota that the file describes otherwise than it is gets a new version.

import type { AccountId, OrganizationId } from '../../domain/ids.ts';
import { formatMinute } from '../../domain/instant.ts';
import { MOSTS, sayMost } from '../../domain/mosts.ts';
import { WEEKDAYS } from '../../domain/on-call/lab-hours.ts';
import { placeVersion } from '../../domain/on-call/rota.ts';
import { setHolidays, setLabHours } from '../../engine/on-call/lab-hours.ts';
import {
  countRotas,
  insertRota,
  insertVersion,
  type NewVersion,
  readRotas,
  type StoredRota,
  setConfirm,
} from '../../engine/on-call/rotas.ts';
import { toRota } from '../../engine/outbox/ladders.ts';
import type { KnownAccounts } from './apply-accounts.ts';
import type { ApplyRun } from './apply-run.ts';
import { selectMembers } from './queries.ts';
import { handoversOf, type LabOrganization } from './read/read-lab-file.ts';

export async function applyHours(
  { tx, now }: ApplyRun,
  organizationId: OrganizationId,
  { name, lab_hours: hours, holidays = [] }: LabOrganization,
): Promise<string[]> {
  const changes: string[] = [];
  if (hours) {
    const weekly = hours.weekly.map(({ days, from, to }) => ({
      days: days.map((day) => WEEKDAYS.indexOf(day) + 1),
      from,
      to,
    }));
    const isChanged = await setLabHours(tx, organizationId, { timeZone: hours.timezone, weekly }, now);
    if (isChanged) changes.push(`~ organization ${name}: lab hours`);
  }
  const days = holidays.map(({ day, name: holiday }) => ({ day, name: holiday }));
  if (days.length > 0 && (await setHolidays(tx, organizationId, days, now)))
    changes.push(`~ organization ${name}: holidays`);
  return changes;
}

export async function applyRotas(
  { tx, now, faults }: ApplyRun,
  organizationId: OrganizationId,
  entry: LabOrganization,
  accounts: KnownAccounts,
): Promise<{ rotas: Map<string, number>; changes: string[] }> {
  // Groups lead to rotas that are there already, too.
  if (!entry.rotas && !entry.groups) return { rotas: new Map(), changes: [] };
  const stored = await readRotas(tx, [organizationId], now);
  const rotas = new Map(stored.map(({ name, id }) => [name, id]));
  const members = new Set((await selectMembers(tx, organizationId)).map(({ accountId }) => accountId));
  const changes: string[] = [];
  for (const rota of entry.rotas ?? []) {
    const { name, timezone, every = 'week', length = 1, from, confirm } = rota;
    const findMembers = (named: readonly { path: string; value: string }[]): AccountId[] =>
      named.flatMap(({ path, value: email }) => {
        const account = accounts.get(email);
        if (account && members.has(account.id)) return [account.id];
        if (account !== null) faults.add(path, `${email} is not a member of ${entry.name}`);
        return [];
      });
    const handovers = handoversOf(rota).map((one) => ({
      at: one.at,
      timeZone: one.timezone ?? timezone,
      members: findMembers(one.members),
    }));
    const described = { timeZone: timezone, every, length, handovers };
    const before = stored.find((one) => one.name === name);
    if (before && confirm !== undefined && (await setConfirm(tx, before.id, confirm)).length > 0)
      changes.push(`~ rota ${entry.name}/${name}: ${confirm ? 'asks' : 'does not ask'} for receipts`);
    if (before && isSame(before, described)) continue;
    if (!before && (await countRotas(tx, organizationId)) >= MOSTS.rotas.most) {
      faults.add(rota.path, sayMost('rotas'));
      continue;
    }
    const id = before?.id ?? (await insertRota(tx, { organizationId, name, timeZone: timezone }, now))?.id;
    if (id === undefined)
      throw new Error(`Rota ${name} was made by somebody else meanwhile: apply the file again`);
    const [first] = handovers;
    const place = { handover: first?.at ?? '', timeZone: first?.timeZone ?? timezone, from: from ?? null };
    const placed = placeVersion(before ? toRota(before) : null, place, now);
    await insertVersion(tx, id, { ...described, ...placed }, now);
    if (!before && confirm) await setConfirm(tx, id, true);
    rotas.set(name, id);
    changes.push(`${before ? '~' : '+'} rota ${entry.name}/${name}: from ${formatMinute(placed.beginsAt)}`);
  }
  return { rotas, changes };
}

/** Whether the newest version says so already. */
function isSame(
  { versions }: StoredRota,
  { every, length, handovers }: Omit<NewVersion, 'fromDate' | 'beginsAt'>,
): boolean {
  const last = versions.at(-1);
  if (!last) return false;
  const first = { at: last.handover, timeZone: last.timeZone, members: last.members };
  const say = (all: readonly { at: string; timeZone?: string | null; members: readonly number[] }[]) =>
    JSON.stringify(all.map((one) => [one.at, one.timeZone, one.members]));
  return last.every === every && last.length === length && say([first, ...last.further]) === say(handovers);
}
