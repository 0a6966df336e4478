// What was done to many units, for as long as it can be undone.
import sql from 'sql-template-tag';
import type { ServiceSettings } from '../../../domain/equipment/service-settings.ts';
import type { AccountId, ServiceId } from '../../../domain/ids.ts';
import type { Limits } from '../../../domain/judging/limits.ts';
import { first, type ReadDatabase, type Tx } from '../../../platform/db/database.ts';

export const MANY_ACTS = ['mute', 'unmute', 'downtime', 'group', 'limits', 'archive'] as const;
export type ManyActName = (typeof MANY_ACTS)[number];

export const UNDO_MINUTES = 10;

/** Each act keeps what it needs. */
export interface UndoableUnit {
  serviceId: ServiceId;
  name: string;
  /** Made, or ended. */
  muteIds?: number[];
  downtimeId?: number;
  /** What was changed of its settings. */
  settings?: { before: Partial<ServiceSettings>; after: Partial<ServiceSettings> };
  /** before null: there were none of this channel. */
  limits?: { before: Limits | null; after: Limits; version: number }[];
}

interface StoredManyAct {
  id: string;
  accountId: AccountId;
  act: ManyActName;
  units: UndoableUnit[];
}

/** Further units of the same act go to the same row. What nobody can undo any more goes. */
export function keepManyAct(tx: Tx, { id, accountId, act, units }: StoredManyAct, now: Date): void {
  tx.later(sql`
    delete from act_on_many where happened_at < ${now}::timestamptz - ${UNDO_MINUTES} * interval '1 minute'`);
  tx.later(sql`
    insert into act_on_many (id, account_id, act, happened_at, units)
    values (${id}, ${accountId}, ${act}, ${now}, ${JSON.stringify(units)}::jsonb)
    on conflict (id) do update set units = act_on_many.units || excluded.units`);
}

interface KeptManyAct {
  act: ManyActName;
  happenedAt: Date;
  isUndone: boolean;
  units: UndoableUnit[];
}

/** Of the account itself, and while it can be undone. */
export const selectManyAct = async (
  db: ReadDatabase,
  { id, accountId }: { id: string; accountId: AccountId },
  now: Date,
) =>
  first(
    await db.query<KeptManyAct>(sql`
      select act, happened_at as "happenedAt", undone_at is not null as "isUndone", units from act_on_many
      where id = ${id} and account_id = ${accountId}
        and happened_at > ${now}::timestamptz - ${UNDO_MINUTES} * interval '1 minute'`),
  );

/** What could not be undone can be undone again, and nothing else of it. */
export const keepUndoable = (
  tx: Tx,
  { id, accountId, units }: { id: string; accountId: AccountId; units: readonly UndoableUnit[] },
) =>
  tx.query(sql`
    update act_on_many set undone_at = null, units = ${JSON.stringify(units)}::jsonb
    where id = ${id} and account_id = ${accountId}`);

/** Whoever marks it undoes it: nobody else does it as well. null: it cannot be undone any more. */
export const markUndone = async (
  tx: Tx,
  { id, accountId }: { id: string; accountId: AccountId },
  now: Date,
) =>
  first(
    await tx.query<{ act: ManyActName; units: UndoableUnit[] }>(sql`
      update act_on_many set undone_at = ${now}
      where id = ${id} and account_id = ${accountId} and undone_at is null
        and happened_at > ${now}::timestamptz - ${UNDO_MINUTES} * interval '1 minute'
      returning act, units`),
  );
