import sql from 'sql-template-tag';
import type { AccountId, ServiceId } from '../../domain/ids.ts';
import type { Foretold } from '../../domain/notifications/foretell.ts';
import { first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';

export interface Drill {
  id: number;
  notificationId: string;
  episodeId: string;
  startedBy: string;
  startedAt: Date;
  acknowledgedBy: string | null;
  acknowledgedAt: Date | null;
  /** null: it was not noted yet in the version that began it. */
  foretold: readonly Foretold[] | null;
}

interface NewDrill {
  serviceId: ServiceId;
  notificationId: string;
  episodeId: string;
  accountId: AccountId;
  accountName: string;
  foretold: readonly Foretold[];
}

export const insertDrill = (tx: Tx, drill: NewDrill, now: Date) =>
  tx.query(sql`
    insert into drill (service_id, notification_id, episode_id, started_by_id, started_by_name, started_at, foretold)
    values (${drill.serviceId}, ${drill.notificationId}, ${drill.episodeId}, ${drill.accountId}, ${drill.accountName},
      ${now}, ${JSON.stringify(drill.foretold)}::jsonb)`);

/** In JSON, where times are texts. */
type StoredDrill = Omit<Drill, 'foretold'> & { foretold: (Omit<Foretold, 'at'> & { at: string })[] | null };

/** The newest first. */
export const selectDrills = async (db: ReadDatabase, serviceId: ServiceId, limit: number): Promise<Drill[]> =>
  (
    await db.query<StoredDrill>(sql`
      select id, notification_id as "notificationId", episode_id as "episodeId", started_by_name as "startedBy",
        started_at as "startedAt", acknowledged_by_name as "acknowledgedBy", acknowledged_at as "acknowledgedAt", foretold
      from drill where service_id = ${serviceId} order by id desc limit ${limit}`)
  ).map(({ foretold, ...drill }) => ({
    ...drill,
    foretold: foretold?.map((one) => ({ ...one, at: new Date(one.at) })) ?? null,
  }));

/** null: somebody was faster. */
export const acknowledgeDrill = async (
  tx: Tx,
  id: number,
  { accountId, name }: { accountId: AccountId; name: string },
  now: Date,
) =>
  first(
    await tx.query<{ startedAt: Date }>(sql`
      update drill set acknowledged_by_id = ${accountId}, acknowledged_by_name = ${name}, acknowledged_at = ${now}
      where id = ${id} and acknowledged_at is null returning started_at as "startedAt"`),
  );

export const selectDrill = async (tx: ReadDatabase, id: number) =>
  first(
    await tx.query<Omit<Drill, 'foretold'> & { acknowledgedById: AccountId | null }>(sql`
      select id, notification_id as "notificationId", episode_id as "episodeId", started_by_name as "startedBy", started_at as "startedAt",
        acknowledged_by_id as "acknowledgedById", acknowledged_by_name as "acknowledgedBy",
        acknowledged_at as "acknowledgedAt"
      from drill where id = ${id}`),
  );
