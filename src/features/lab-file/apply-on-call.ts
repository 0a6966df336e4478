// Lab hours, holidays and rotas. A rota that the file describes otherwise than it is gets a new version.
import type { AccountId, OrganizationId } from '../../domain/ids.ts';
import { WEEKDAYS } from '../../domain/on-call/lab-hours.ts';
import { findChangeDay } from '../../domain/on-call/rota.ts';
import { setHolidays, setLabHours } from '../../engine/on-call/lab-hours.ts';
import { insertRota, insertVersion, readRotas, setConfirm } from '../../engine/on-call/rotas.ts';
import { toRota } from '../../engine/outbox/ladders.ts';
import type { KnownAccounts } from './apply-accounts.ts';
import type { ApplyRun } from './apply-run.ts';
import { selectMembers } from './queries.ts';
import type { LabOrganization } from './read/read-lab-file.ts';

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
    const { name, timezone, handover, every = 'week', length = 1, from, confirm, members: named } = rota;
    const ids = named.flatMap(({ path, value: email }): AccountId[] => {
      const account = accounts.get(email);
      if (account && members.has(account.id)) return [account.id];
      if (account !== null) faults.add(path, `${email} is not a member of ${entry.name}`);
      return [];
    });
    const before = stored.find((one) => one.name === name);
    const last = before?.versions.at(-1);
    const isSame =
      last &&
      last.handover === handover &&
      last.every === every &&
      last.length === length &&
      String(last.members) === String(ids);
    if (before && confirm !== undefined && (await setConfirm(tx, before.id, confirm)).length > 0)
      changes.push(`~ rota ${entry.name}/${name}: ${confirm ? 'asks' : 'does not ask'} for receipts`);
    if (isSame) continue;
    const id = before?.id ?? (await insertRota(tx, { organizationId, name, timeZone: timezone }, now))?.id;
    if (id === undefined)
      throw new Error(`Rota ${name} was made by somebody else meanwhile: apply the file again`);
    const fromDate =
      from ??
      findChangeDay(
        before ? toRota(before) : { id, timeZone: timezone, versions: [], standIns: [], present: new Set() },
        now,
      );
    await insertVersion(tx, id, { fromDate, handover, every, length, members: ids }, now);
    if (!before && confirm) await setConfirm(tx, id, true);
    rotas.set(name, id);
    changes.push(
      before
        ? `~ rota ${entry.name}/${name}: from ${fromDate}`
        : `+ rota ${entry.name}/${name}: from ${fromDate}`,
    );
  }
  return { rotas, changes };
}
