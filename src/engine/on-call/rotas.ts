// Rotas: their versions, which never change, and their stand-ins. Each change is noted for the groups that a rota is in.
import sql, { empty } from 'sql-template-tag';
import type { AccountId, OrganizationId } from '../../domain/ids.ts';
import type { Handover } from '../../domain/on-call/rota-version.ts';
import { first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';
import { changeGroup } from '../groups/change-group.ts';
import { keepMost } from '../mosts/keep-most.ts';
import { type RotaRow, rotaAsJson } from '../outbox/ladders.ts';

export interface StoredRota extends RotaRow {
  organizationId: OrganizationId;
  organizationName: string;
  /** By which links to the calendar are told from those before it was renewed; it opens nothing by itself. */
  feedToken: string | null;
  /** A shift begins with a message that asks for a receipt. */
  confirm: boolean;
}

/** `since`: stand-ins that ended before are left out. */
const selectRotas = (since: Date, more = empty) => sql`
  select rota.id, rota.name, rota.timezone as "timeZone", rota.organization_id as "organizationId",
    organization.name as "organizationName", feed_token as "feedToken", confirm, whole.rota->'versions' as "versions",
    whole.rota->'standIns' as "standIns", whole.rota->'people' as "people"${more}
  from rota join organization on organization.id = rota.organization_id
  cross join lateral (select ${rotaAsJson(since)} as rota) as whole`;

export const readRotas = (db: ReadDatabase, organizationIds: readonly OrganizationId[], since: Date) =>
  db.query<StoredRota>(sql`
    ${selectRotas(since)} where rota.organization_id = any(${organizationIds}::int[]) order by rota.name, rota.id`);

/** By name. */
export const readRotaNames = (db: ReadDatabase, organizationId: OrganizationId) =>
  db.query<{ id: number; name: string }>(sql`
    select id, name from rota where organization_id = ${organizationId} order by name, id`);

export const readRota = async (db: ReadDatabase, rotaId: number, since: Date) =>
  first(await db.query<StoredRota>(sql`${selectRotas(since)} where rota.id = ${rotaId}`));

export const readConfirmedRotas = (db: ReadDatabase, since: Date) =>
  db.query<StoredRota>(sql`${selectRotas(since)} where confirm order by rota.id`);

export const setConfirm = (tx: Tx, rotaId: number, confirm: boolean) =>
  tx.query(
    sql`update rota set confirm = ${confirm} where id = ${rotaId} and confirm <> ${confirm} returning id`,
  );

/** Nothing, unless the account is in use and a member of the organization. */
export const readRotaOfMember = async (db: ReadDatabase, rotaId: number, accountId: AccountId, since: Date) =>
  first(
    await db.query<StoredRota & { languages: (string | null)[] }>(sql`
      ${selectRotas(since, sql`, array[member.language, organization.language] as "languages"`)}
      join lateral (
        select account.language from membership join account on account.id = account_id
        where account_id = ${accountId} and membership.organization_id = rota.organization_id and is_active) as member on true
      where rota.id = ${rotaId}`),
  );

/** Locks the organization: of several who make one at the same moment the last is counted last. */
export async function countRotas(tx: Tx, organizationId: OrganizationId): Promise<number> {
  await tx.query(sql`select id from organization where id = ${organizationId} for no key update`);
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*)::int as "count" from rota where organization_id = ${organizationId}`);
  return row?.count ?? 0;
}

/** null: the name is taken. */
export const insertRota = async (
  tx: Tx,
  { organizationId, name, timeZone }: { organizationId: OrganizationId; name: string; timeZone: string },
  now: Date,
) =>
  first(
    await tx.query<{ id: number }>(sql`
      insert into rota (organization_id, name, timezone, created_at)
      values (${organizationId}, ${name}, ${timeZone}, ${now})
      on conflict (organization_id, name) do nothing returning id`),
  );

/** With what was changed goes the note by which whoever comes on duty hears of what holds. */
const changeRota = (tx: Tx, rotaId: number, now: Date, change: () => Promise<unknown>) =>
  changeGroup(tx, now, async (changing) => {
    const groups = await changing.query<{ groupId: number }>(sql`
      select group_id as "groupId" from notification_group_rota where rota_id = ${rotaId}`);
    await change();
    return groups;
  });

export interface NewVersion {
  fromDate: string;
  beginsAt: Date;
  every: 'day' | 'week';
  length: number;
  timeZone: string;
  /** In the order in which they are shown; at least one. */
  handovers: readonly (Handover & { timeZone: string })[];
}

export const insertVersion = (tx: Tx, rotaId: number, version: NewVersion, now: Date) =>
  changeRota(tx, rotaId, now, async () => {
    // Two who change it at the same moment come one after the other.
    await tx.query(sql`select id from rota where id = ${rotaId} for no key update`);
    const { fromDate, beginsAt, every, length, timeZone, handovers } = version;
    const members = handovers.flatMap((one, handover) =>
      one.members.map((accountId) => ({ handover, accountId })),
    );
    await tx.query(sql`
      with made as (
        insert into rota_version (rota_id, version, from_date, begins_at, handover, timezone, every, length)
        select ${rotaId}, coalesce(max(version), 0) + 1, ${fromDate}::date, ${beginsAt}::timestamptz,
          ${handovers[0]?.at}::time, ${timeZone}, ${every}, ${length}
        from rota_version where rota_id = ${rotaId}
        returning version),
      further as (
        insert into rota_handover (rota_id, version, position, handover, timezone)
        select ${rotaId}, version, place - 1, at, zone
        from made cross join unnest(${handovers.map(({ at }) => at)}::time[],
          ${handovers.map((one) => one.timeZone)}::text[]) with ordinality as given (at, zone, place)
        where place > 1)
      insert into rota_member (rota_id, version, position, handover, account_id)
      select ${rotaId}, version, place - 1, handover, account_id
      from made cross join unnest(${members.map(({ accountId }) => accountId)}::int[],
        ${members.map(({ handover }) => handover)}::smallint[]) with ordinality as member (account_id, handover, place)`);
    await keepMost(tx, 'rotaVersions', [rotaId]);
  });

export const deleteRota = (tx: Tx, rotaId: number, now: Date) =>
  changeRota(tx, rotaId, now, () => tx.query(sql`delete from rota where id = ${rotaId}`));

/** null takes the calendar away. */
export const setFeedToken = (tx: Tx, rotaId: number, token: string | null) =>
  tx.query(sql`update rota set feed_token = ${token} where id = ${rotaId}`);

export interface NewStandIn {
  startAt: Date;
  endAt: Date;
  accountId: AccountId;
  insteadOfId: number | null;
  reason: string | null;
  author: { accountId: AccountId; name: string };
}

/** Several at once: a swap is two. */
export const insertStandIns = (tx: Tx, rotaId: number, standIns: readonly NewStandIn[], now: Date) =>
  changeRota(tx, rotaId, now, () =>
    tx.query(sql`
      insert into rota_stand_in (rota_id, start_at, end_at, account_id, instead_of_id, reason, author_id, author_name, created_at)
      select ${rotaId}, "startAt", "endAt", "accountId", "insteadOfId", reason, "authorId", "authorName", ${now}
      from json_to_recordset(${JSON.stringify(
        standIns.map(({ author, ...one }) => ({
          ...one,
          authorId: author.accountId,
          authorName: author.name,
        })),
      )}) as given ("startAt" timestamptz, "endAt" timestamptz, "accountId" int, "insteadOfId" int, reason text,
        "authorId" int, "authorName" text)`),
  );

/** Locks the rota, so that of several who arrange one at the same moment nobody is counted twice. */
export async function countStandIns(tx: Tx, rotaId: number, now: Date): Promise<number> {
  await tx.query(sql`select id from rota where id = ${rotaId} for no key update`);
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*)::int as "count" from rota_stand_in
    where rota_id = ${rotaId} and least(end_at, ended_at) > ${now}`);
  return row?.count ?? 0;
}

/** Whether there was one that still lasted. */
export async function endStandIn(tx: Tx, rotaId: number, standInId: number, now: Date): Promise<boolean> {
  let isEnded = false;
  await changeRota(tx, rotaId, now, async () => {
    const ended = await tx.query(sql`
      update rota_stand_in set ended_at = ${now}
      where id = ${standInId} and rota_id = ${rotaId} and ended_at is null and end_at > ${now} returning id`);
    isEnded = ended.length > 0;
  });
  return isEnded;
}
