import type { Requester } from '../../domain/accounts/requester.ts';
import { findChanges } from '../../domain/changes.ts';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import {
  type NamedUnit,
  nameOf,
  numberIn,
  type RefusedPreferred,
  readPreferred,
} from '../../domain/rescue/preferred-refuges.ts';
import { type RefusedRescue, readRescue, type TypedRescue } from '../../domain/rescue/rescue.ts';
import { ok, type Result } from '../../domain/result.ts';
import type { ReadDatabase, Tx } from '../../platform/db/database.ts';
import { writeAudit } from '../audit/write-audit.ts';
import { type AdministerRefusal, administerService } from '../services/administer-service.ts';
import { NOTHING_SAID, savePreferred, saveRescues, selectNamed, selectRescue } from './rescue-rows.ts';

export type RescueRefusal = AdministerRefusal | RefusedRescue | RefusedPreferred;

interface Wanted {
  serviceId: ServiceId;
  typed: TypedRescue;
  /** Names of units or their numbers, the first one first. */
  preferred: readonly string[];
}

export async function changeRescue(
  tx: Tx,
  requester: Requester,
  { serviceId, typed, preferred }: Wanted,
  now: Date,
): Promise<Result<null, RescueRefusal>> {
  const permitted = await administerService(tx, requester, serviceId);
  if (!permitted.ok) return permitted;
  const read = readRescue(typed);
  if (!read.ok) return read;
  const { service } = permitted.value;
  const { organizationId, name } = service;
  const { preferredIds: preferredBefore, ...before } = (await selectRescue(tx, serviceId)) ?? NOTHING_SAID;
  const units = await selectMeant(tx, organizationId, preferred, preferredBefore);
  const chosen = readPreferred(preferred, units, serviceId);
  if (!chosen.ok) return chosen;
  const changes = {
    ...findChanges({ ...before }, { ...read.value }),
    ...findChanges(
      { preferredRefuges: nameAll(preferredBefore, units) },
      { preferredRefuges: nameAll(chosen.value, units) },
    ),
  };
  if (Object.keys(changes).length === 0) return ok(null);
  await saveRescues(tx, [{ serviceId, organizationId, ...read.value }], now);
  savePreferred(tx, [{ serviceId, organizationId, preferredIds: chosen.value }], now);
  const detail = { name, changes };
  await writeAudit(tx, requester, { action: 'service.rescue', organizationId, serviceId, detail }, now);
  return ok(null);
}

const selectMeant = (
  db: ReadDatabase,
  organizationId: OrganizationId,
  typed: readonly string[],
  ids: readonly ServiceId[],
): Promise<NamedUnit[]> => {
  const named = typed.map((text) => text.trim()).filter((text) => text !== '');
  if (named.length + ids.length === 0) return Promise.resolve([]);
  return selectNamed(db, organizationId, {
    ids: [...ids, ...named.flatMap((text) => numberIn(text) ?? [])],
    names: named,
  });
};

/** Those that are archived by now are not named. */
const nameAll = (ids: readonly ServiceId[], units: readonly NamedUnit[]): string[] =>
  ids.flatMap((id) => units.find((unit) => unit.id === id) ?? []).map((unit) => nameOf(unit, units));

/** As a form shows them, by which they can be typed again. */
export const readPreferredNames = async (
  db: ReadDatabase,
  organizationId: OrganizationId,
  ids: readonly ServiceId[],
): Promise<string[]> => nameAll(ids, await selectMeant(db, organizationId, [], ids));
