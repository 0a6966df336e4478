// Undoes an act on many units, each as far as nobody has changed it meanwhile. Whoever may not act on a unit any more
// cannot undo it there either.
import sql from 'sql-template-tag';
import type { SignedIn } from '../../../domain/accounts/requester.ts';
import { findChanges } from '../../../domain/changes.ts';
import { nameSettings } from '../../../domain/equipment/edit-form.ts';
import type { ServiceSettings } from '../../../domain/equipment/service-settings.ts';
import type { ServiceId } from '../../../domain/ids.ts';
import { formatInstant } from '../../../domain/instant.ts';
import { type Limits, noLimits } from '../../../domain/judging/limits.ts';
import type { Database, Tx } from '../../../platform/db/database.ts';
import { type AuditRecord, writeAudits } from '../../audit/write-audit.ts';
import { findFull } from '../../mosts/keep-most.ts';
import { lookAgain } from '../../outbox/look-again.ts';
import { deleteDowntimes } from '../../quiet-times/downtimes.ts';
import { endMutesOf, reopenMutes } from '../../quiet-times/mutes.ts';
import { administerServices } from '../../services/administer-service.ts';
import { adoptAllLimits } from '../../services/adopt-limits.ts';
import { operateOnServices } from '../../services/operate-on-service.ts';
import { changeSettings, selectSettings } from './group-for-many.ts';
import { describe, selectInForce } from './limits-for-many.ts';
import { inBatches, watchForTheEnd } from './many-act.ts';
import { keepUndoable, type ManyActName, markUndone, type UndoableUnit } from './many-act-rows.ts';

interface Undoing {
  tx: Tx;
  requester: SignedIn;
  units: ReadonlyMap<ServiceId, UndoableUnit>;
  now: Date;
}

/** Answers with what is to be written of each that was undone. */
type Undo = (undoing: Undoing) => Promise<(AuditRecord & { serviceId: ServiceId })[]>;

export interface UndoneMany {
  undone: number;
  /** Those that were changed meanwhile, or are not theirs any more. */
  left: number;
  /** Some of them failed: these can be undone again. */
  hasFailed: boolean;
}

/** null: it cannot be undone any more. */
export async function undoMany(
  db: Database,
  requester: SignedIn,
  id: string,
  now: Date,
  onFailure: (error: unknown) => void,
): Promise<UndoneMany | null> {
  const { accountId } = requester;
  const marked = await db.transaction((tx) => markUndone(tx, { id, accountId }, now));
  if (!marked) return null;
  const undo = UNDO[marked.act];
  const byId = new Map(marked.units.map((unit): [ServiceId, UndoableUnit] => [unit.serviceId, unit]));
  const undoBatch = async (tx: Tx, batch: readonly ServiceId[]) => {
    const units = new Map(batch.flatMap((one): [ServiceId, UndoableUnit][] => pick(byId, one)));
    const records = undo ? await undo({ tx, requester, units, now }) : [];
    const audits = records.map(({ detail, ...record }) => ({ ...record, detail: { ...detail, undone: id } }));
    if (audits.length > 0) writeAudits(tx, requester, audits, now);
    return records.length;
  };
  const failed: UndoableUnit[] = [];
  const { isAway, noteFailure } = watchForTheEnd(onFailure);
  let undone = 0;
  for (const batch of inBatches([...byId.keys()]))
    try {
      if (isAway()) failed.push(...batch.flatMap((one) => byId.get(one) ?? []));
      else undone += await db.transaction((tx) => undoBatch(tx, batch));
    } catch (error) {
      noteFailure(error);
      failed.push(...batch.flatMap((one) => byId.get(one) ?? []));
    }
  if (failed.length > 0) await db.transaction((tx) => keepUndoable(tx, { id, accountId, units: failed }));
  return { undone, left: byId.size - undone, hasFailed: failed.length > 0 };
}

const pick = (units: ReadonlyMap<ServiceId, UndoableUnit>, id: ServiceId): [ServiceId, UndoableUnit][] => {
  const unit = units.get(id);
  return unit ? [[id, unit]] : [];
};

const muteIdsOf = ({ units }: Undoing) => [...units.values()].flatMap(({ muteIds = [] }) => muteIds);

const UNDO: Record<ManyActName, Undo | null> = {
  mute: async (undoing) => {
    const { tx, requester, units, now } = undoing;
    const { permitted } = await operateOnServices(tx, requester, [...units.keys()]);
    const ended = await endMutesOf(
      tx,
      permitted.map(({ id }) => id),
      muteIdsOf(undoing),
      now,
    );
    const ids = new Set(ended.map(({ serviceId }) => serviceId));
    lookAgain(tx, [...ids], now, { isSuppressionEnded: true });
    return permitted
      .filter(({ id }) => ids.has(id))
      .map(({ id, organizationId }) => ({
        action: 'service.unmute',
        organizationId,
        serviceId: id,
        detail: { mutes_cleared: 1 },
      }));
  },
  unmute: async (undoing) => {
    const { tx, requester, units, now } = undoing;
    const { permitted } = await operateOnServices(tx, requester, [...units.keys()]);
    const full = await findFull(tx, 'mutes', [...units.keys()]);
    const able = permitted.filter(({ id }) => !full.has(id));
    const reopened = await reopenMutes(
      tx,
      able.map(({ id }) => id),
      muteIdsOf(undoing),
      now,
    );
    const ids = new Set(reopened.map(({ serviceId }) => serviceId));
    lookAgain(tx, [...ids], now);
    return able
      .filter(({ id }) => ids.has(id))
      .map(({ id, organizationId }) => ({
        action: 'service.mute',
        organizationId,
        serviceId: id,
        detail: {},
      }));
  },
  downtime: async ({ tx, requester, units, now }) => {
    const { permitted } = await operateOnServices(tx, requester, [...units.keys()]);
    const wanted = [...units.values()].flatMap(({ downtimeId }) => downtimeId ?? []);
    const deleted = await deleteDowntimes(
      tx,
      permitted.map(({ id }) => id),
      wanted,
      now,
    );
    const begun = deleted.filter(({ startAt }) => startAt <= now).map(({ serviceId }) => serviceId);
    lookAgain(tx, begun, now, { isSuppressionEnded: true });
    lookAgain(
      tx,
      deleted.map(({ serviceId }) => serviceId),
      now,
    );
    return permitted.flatMap(({ id, organizationId }) =>
      deleted
        .filter(({ serviceId }) => serviceId === id)
        .map(({ id: downtime, reason, startAt, endAt }) => ({
          action: 'downtime.cancel',
          organizationId,
          serviceId: id,
          detail: { downtime, reason, start_time: formatInstant(startAt), end_time: formatInstant(endAt) },
        })),
    );
  },
  group: async ({ tx, requester, units, now }) => {
    const { permitted } = await administerServices(tx, requester, [...units.keys()]);
    const current = new Map(
      (
        await selectSettings(
          tx,
          permitted.map(({ id }) => id),
        )
      ).map((row) => [row.serviceId, row]),
    );
    const changes = permitted.flatMap(({ id, organizationId }) => {
      const [row, kept] = [current.get(id), units.get(id)?.settings];
      if (!row || !kept || !isStill(row, kept.after)) return [];
      return [{ id, organizationId, row, changes: kept.before }];
    });
    const groups = await lockGroups(tx, changes);
    const able = changes.filter(({ changes: { notificationGroupId } }) =>
      notificationGroupId == null ? true : groups.has(notificationGroupId),
    );
    await changeSettings(tx, able, now);
    return able.map(({ id, organizationId, row, changes: before }) => ({
      action: 'service.edit',
      organizationId,
      serviceId: id,
      detail: { changes: findChanges(nameSettings(row), nameSettings({ ...row, ...before })) },
    }));
  },
  limits: async ({ tx, requester, units, now }) => {
    const { permitted } = await administerServices(tx, requester, [...units.keys()]);
    const inForce = await selectInForce(
      tx,
      permitted.map(({ id }) => id),
    );
    const isOurs = (serviceId: ServiceId, channel: string | null, version: number) =>
      inForce.some(
        (one) => one.serviceId === serviceId && one.channel === channel && one.version === version,
      );
    const able = permitted.flatMap(({ id, organizationId }) => {
      const limits = units.get(id)?.limits ?? [];
      const isUntouched = limits.every(({ after, version }) => isOurs(id, after.channel, version));
      return isUntouched && limits.length > 0 ? [{ id, organizationId, limits }] : [];
    });
    const author = { id: requester.accountId, name: requester.name };
    const adoptions = able.flatMap(({ id: serviceId, organizationId, limits }) =>
      limits.flatMap(({ before }) =>
        before === null
          ? []
          : [{ serviceId, organizationId, limits: before, origin: 'edit' as const, author }],
      ),
    );
    const retired = able.flatMap(({ id: serviceId, limits }) =>
      limits.flatMap(({ before, after }) => (before === null ? [{ serviceId, channel: after.channel }] : [])),
    );
    if (able.length > 0) await adoptAllLimits(tx, adoptions, now, async () => {}, retired);
    return able.map(({ id, organizationId, limits }) => ({
      action: 'service.edit',
      organizationId,
      serviceId: id,
      detail: { limits: limits.map(turnRound) },
    }));
  },
  archive: null,
};

const isStill = (row: ServiceSettings, after: Partial<ServiceSettings>): boolean =>
  Object.entries(after).every(([name, value]) => row[name as keyof ServiceSettings] === value);

const turnRound = ({ before, after }: { before: Limits | null; after: Limits }) =>
  describe({ before: after, after: before ?? noLimits(after.channel) });

/** Locked, so that they are still there when settings name them. */
async function lockGroups(
  tx: Tx,
  rows: readonly { changes: Partial<ServiceSettings> }[],
): Promise<ReadonlySet<number>> {
  const ids = rows.flatMap(({ changes }) => changes.notificationGroupId ?? []);
  const found = await tx.query<{ id: number }>(sql`
    select id from notification_group where id = any(${ids}::int[]) order by id for key share`);
  return new Set(found.map(({ id }) => id));
}
