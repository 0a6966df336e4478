// An act on many units at once: first it is found out what it would do to each, under the locks of the act, then it is done to
// those that it can be done to. A page that asks before it shows the first half, undone.
import { randomUUID } from 'node:crypto';
import type { Requester } from '../../../domain/accounts/requester.ts';
import type { OrganizationId, ServiceId } from '../../../domain/ids.ts';
import type { ManyRefusal } from '../../../domain/words/many-words.ts';
import type { Database, Tx } from '../../../platform/db/database.ts';
import { PassingFault, tookTooLong } from '../../../platform/db/passing-fault.ts';
import { rehearse } from '../../../platform/db/rehearse.ts';
import type { RefusedService } from '../../services/sort-by-permit.ts';
import { keepManyAct, type ManyActName, type UndoableUnit } from './many-act-rows.ts';

/** More at once are for the lab file. */
export const MOST_UNITS_AT_ONCE = 500;
/** So few that nobody waits for their locks. */
const UNITS_A_TRANSACTION = 50;

export interface UnitStep {
  serviceId: ServiceId;
  organizationId: OrganizationId;
  name: string;
}

export interface Planned<OneStep extends UnitStep> {
  steps: OneStep[];
  refused: RefusedService<ManyRefusal>[];
}

export interface ManyAct<OneStep extends UnitStep> {
  name: ManyActName;
  /** In a fixed number of statements. What it locks it needs to find out. */
  plan(tx: Tx, requester: Requester, serviceIds: readonly ServiceId[], now: Date): Promise<Planned<OneStep>>;
  /** In a fixed number of statements. Answers with what it takes to undo it; null: that is not possible. */
  carryOut(
    tx: Tx,
    requester: Requester,
    steps: OneStep[],
    together: Together,
    now: Date,
  ): Promise<UndoableUnit[] | null>;
}

/** What the records of all units have in common. */
interface Together {
  many: string;
}

/** What it would do. Nothing stays of it. */
export async function previewMany<OneStep extends UnitStep>(
  db: Database,
  requester: Requester,
  act: ManyAct<OneStep>,
  serviceIds: readonly ServiceId[],
  now: Date,
): Promise<Planned<OneStep>> {
  const planned: Planned<OneStep> = { steps: [], refused: [] };
  for (const batch of inBatches(serviceIds)) {
    const { steps, refused } = await rehearse(db, (tx) => act.plan(tx, requester, batch, now));
    planned.steps.push(...steps);
    planned.refused.push(...refused);
  }
  return planned;
}

export interface DoneMany {
  /** By which it can be undone; null: it cannot, or nothing was done. */
  id: string | null;
  done: ServiceId[];
  refused: RefusedService<ManyRefusal>[];
}

/** A few in each transaction. Where one fails, the others are done all the same, and it is said which were not. */
export async function actOnMany<OneStep extends UnitStep>(
  db: Database,
  requester: Requester,
  act: ManyAct<OneStep>,
  serviceIds: readonly ServiceId[],
  now: Date,
  onFailure: (error: unknown) => void,
): Promise<DoneMany> {
  const id = randomUUID();
  const outcome: DoneMany = { id: null, done: [], refused: [] };
  const { isAway, noteFailure } = watchForTheEnd(onFailure);
  for (const batch of inBatches(serviceIds)) {
    const carryOut = () =>
      db.transaction(async (tx) => {
        const { steps, refused } = await act.plan(tx, requester, batch, now);
        const undoable =
          steps.length > 0 ? await act.carryOut(tx, requester, steps, { many: id }, now) : null;
        if (undoable && requester.accountId !== null)
          keepManyAct(tx, { id, accountId: requester.accountId, act: act.name, units: undoable }, now);
        return { steps, refused, isUndoable: undoable !== null };
      });
    const done = isAway()
      ? null
      : await carryOut().catch((error: unknown) => {
          noteFailure(error);
          return null;
        });
    if (done?.isUndoable) outcome.id = id;
    outcome.done.push(...(done?.steps ?? []).map(({ serviceId }) => serviceId));
    outcome.refused.push(
      ...(done?.refused ??
        batch.map((serviceId) => ({ serviceId, name: null, refusal: 'not_done' as const }))),
    );
  }
  return outcome;
}

/** A database that is away or takes too long is not asked for the rest: whoever waits for an answer gets one. */
export function watchForTheEnd(onFailure: (error: unknown) => void) {
  let isAway = false;
  return {
    isAway: () => isAway,
    noteFailure(error: unknown) {
      onFailure(error);
      isAway ||= error instanceof PassingFault || tookTooLong(error);
    },
  };
}

/** In ascending order, as everybody locks them. */
export function inBatches(serviceIds: readonly ServiceId[]): ServiceId[][] {
  const sorted = [...new Set(serviceIds)].sort((one, other) => one - other).slice(0, MOST_UNITS_AT_ONCE);
  return Array.from({ length: Math.ceil(sorted.length / UNITS_A_TRANSACTION) }, (_, index) =>
    sorted.slice(index * UNITS_A_TRANSACTION, (index + 1) * UNITS_A_TRANSACTION),
  );
}
