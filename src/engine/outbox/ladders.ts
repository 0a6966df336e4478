// The ladders of groups as rows: read at once, so that what they are made of belongs together.
import sql, { type Sql } from 'sql-template-tag';
import type { OrganizationId } from '../../domain/ids.ts';
import type { Ladder, LadderStep, StepTarget } from '../../domain/notifications/ladder.ts';
import type { ContactMethod, MethodsOf } from '../../domain/on-call/contact-method.ts';
import type { During, HoursWindow } from '../../domain/on-call/lab-hours.ts';
import type { Recipient } from '../../domain/on-call/recipient.ts';
import type { Rota } from '../../domain/on-call/rota.ts';
import { first, type ReadDatabase } from '../../platform/db/database.ts';
import { AN_ADMINISTRATOR } from '../sql-parts/roles.ts';
import { STEP_SUBJECTS } from '../sql-parts/subjects.ts';
import { METHODS, REACHED_ACCOUNTS, ROTA_ACCOUNTS, TARGETS } from './recipients.ts';
import { toVersion, type VersionRow, versionsAsJson } from './rota-versions.ts';

export interface LadderRow {
  targets: (Recipient & { step: number; during: During })[];
  steps: LadderStep[];
  rotaTargets: { rotaId: number; step: number; during: During }[];
  rotas: RotaRow[];
  hours: { timeZone: string; weekly: HoursWindow[] } | null;
  holidays: string[];
  administrators: Recipient[];
  methods: ContactMethod[];
}

export interface RotaRow {
  id: number;
  name: string;
  timeZone: string;
  versions: VersionRow[];
  standIns: { id: number; start: number; end: number; accountId: number; insteadOfId: number | null }[];
  people: { id: number; name: string; email: string }[];
}

/** A rota with the versions and stand-ins that matter from `since` on, and those of its people who can be told. */
export const rotaAsJson = (since: Date): Sql => sql`json_build_object(
  'id', rota.id, 'name', rota.name, 'timeZone', rota.timezone,
  'versions', ${versionsAsJson(since)},
  'standIns', (
    select coalesce(json_agg(json_build_object('id', id, 'start', date_part('epoch', start_at) * 1000,
        'end', date_part('epoch', least(end_at, ended_at)) * 1000, 'accountId', account_id, 'insteadOfId', instead_of_id)
      order by id), '[]')
    from rota_stand_in
    where rota_id = rota.id and least(end_at, ended_at) > ${since} and least(end_at, ended_at) > start_at),
  'people', (
    select coalesce(json_agg(json_build_object('id', account.id, 'name', account.name, 'email', account.email)), '[]')
    from account join membership on membership.account_id = account.id
    where membership.organization_id = rota.organization_id and is_active
      and account.id in (select account_id from ${ROTA_ACCOUNTS} as on_rota where rota_id = rota.id)))`;

/** Columns of a query on `notification_group`. */
export const ladderColumns = (since: Date): Sql => sql`
  (select coalesce(json_agg(json_build_object('transport', transport, 'recipient', recipient, 'step', step, 'during', during,
      'accountId', account_id, 'accountName', account_name) order by transport, recipient), '[]')
    from ${TARGETS} as target where group_id = notification_group.id) as "targets",
  (select coalesce(json_agg(json_build_object('step', step, 'afterMinutes', after_minutes,
      'subjects', ${STEP_SUBJECTS}) order by step), '[]')
    from notification_group_step where group_id = notification_group.id) as "steps",
  (select coalesce(json_agg(json_build_object('rotaId', rota_id, 'step', step, 'during', during) order by rota_id), '[]')
    from notification_group_rota where group_id = notification_group.id) as "rotaTargets",
  (select coalesce(json_agg(${rotaAsJson(since)}), '[]') from rota
    where id in (select rota_id from notification_group_rota where group_id = notification_group.id)) as "rotas",
  (select json_build_object('timeZone', timezone, 'weekly', weekly) from lab_hours
    where lab_hours.organization_id = notification_group.organization_id) as "hours",
  (select coalesce(json_agg(day order by day), '[]') from holiday
    where holiday.organization_id = notification_group.organization_id) as "holidays",
  (select coalesce(json_agg(json_build_object('transport', 'email', 'recipient', account.email, 'accountId', account.id,
      'accountName', account.name) order by account.email), '[]')
    from membership join account on account.id = account_id
    where membership.organization_id = notification_group.organization_id and role = ${AN_ADMINISTRATOR} and is_active)
    as "administrators",
  (select coalesce(json_agg(json_build_object('id', id, 'accountId', account_id, 'kind', kind, 'address', address,
      'afterMinutes', after_minutes, 'onlyCritical', only_critical, 'during', during) order by after_minutes, id), '[]')
    from ${METHODS} as own where own.organization_id = notification_group.organization_id
      and account_id in (select reached.id from ${REACHED_ACCOUNTS} as reached where group_id = notification_group.id))
    as "methods"`;

export function toLadder({
  targets,
  steps,
  rotaTargets,
  rotas,
  hours,
  holidays,
  administrators,
  methods,
}: LadderRow): Ladder {
  const people = rotas.flatMap((rota) => rota.people);
  return {
    steps,
    targets: [
      ...targets.map(
        ({ step, during, ...recipient }): StepTarget => ({ step, during, recipient, rotaId: null }),
      ),
      ...rotaTargets.map(
        ({ rotaId, step, during }): StepTarget => ({ step, during, recipient: null, rotaId }),
      ),
    ],
    rotas: rotas.map(toRota),
    people: new Map(
      people.map(({ id, name, email }) => [
        id,
        { transport: 'email', recipient: email, accountId: id, accountName: name },
      ]),
    ),
    hours: hours && { ...hours, holidays },
    administrators,
    methods: byAccount(methods),
  };
}

function byAccount(methods: readonly ContactMethod[]): MethodsOf {
  const accounts = new Map<number, ContactMethod[]>();
  for (const method of methods)
    accounts.set(method.accountId, [...(accounts.get(method.accountId) ?? []), method]);
  return accounts;
}

export const toRota = ({ id, timeZone, versions, standIns, people }: RotaRow): Rota => ({
  id,
  timeZone,
  versions: versions.map(toVersion),
  standIns: standIns.map(({ start, end, ...one }) => ({
    ...one,
    startAt: new Date(start),
    endAt: new Date(end),
  })),
  present: new Set(people.map((one) => one.id)),
});

export interface ReadLadder extends LadderRow {
  id: number;
  name: string;
  organizationId: OrganizationId;
}

/** Each comes with its people and their ways: a thousand at once would be much to hold. */
const MOST_AT_ONCE = 50;

/** Those that a service tells, by organization and name; null: of all organizations. */
export async function* readLadders(
  db: ReadDatabase,
  organizationIds: readonly OrganizationId[] | null,
  since: Date,
): AsyncGenerator<ReadLadder> {
  const told = await db.query<{ id: number }>(sql`
    select id from notification_group
    where (${organizationIds}::int[] is null or organization_id = any(${organizationIds}::int[]))
      and exists (select from service_settings join service on service.id = service_id
        where notification_group_id = notification_group.id and archived_at is null)
    order by organization_id, name`);
  const ids = told.map(({ id }) => id);
  for (let at = 0; at < ids.length; at += MOST_AT_ONCE)
    yield* await selectLaddersOf(db, ids.slice(at, at + MOST_AT_ONCE), since);
}

export const selectLaddersOf = (db: ReadDatabase, groupIds: readonly number[], since: Date) =>
  db.query<ReadLadder>(
    sql`
      select id, name, organization_id as "organizationId", ${ladderColumns(since)}
      from notification_group where id = any(${groupIds}::int[]) order by organization_id, name`,
    'prepared',
  );

export const readLadder = async (
  db: ReadDatabase,
  groupId: number,
  since: Date,
): Promise<ReadLadder | null> => first(await selectLaddersOf(db, [groupId], since));
