// How far organizations have come, by a few looks at each; who is told says the decision itself.
import sql from 'sql-template-tag';
import type { FirstStepFacts } from '../../domain/first-steps.ts';
import type { AccountId, OrganizationId, ServiceId } from '../../domain/ids.ts';
import { isReaching } from '../../domain/notifications/foretell.ts';
import { findOutcome, type LetterFacts, type Outcome } from '../../domain/notifications/outcome.ts';
import { first, type ReadDatabase } from '../../platform/db/database.ts';
import { inSlices } from '../../platform/in-slices.ts';
import { type ReadLadder, selectLaddersOf, toLadder } from '../outbox/ladders.ts';

export interface StoredFirstSteps extends FirstStepFacts {
  id: OrganizationId;
  name: string;
  /** The source that was made last, and a device that waits to be adopted. */
  sourceId: number | null;
  device: { id: number; key: string } | null;
  /** A group that is told of critical alarms, and reaches somebody. */
  toldGroupId: number | null;
  /** Where nobody is told: a service for which one is to be chosen. */
  silent: { id: ServiceId; groupId: number | null; groupName: string | null; sendCritical: boolean } | null;
  hasGroup: boolean;
  /** What the program that delivers says: mail goes to a server, whether that takes it or not. */
  hasMailServer: boolean;
  isKeeper: boolean;
  /** Members who keep the house. */
  keepers: string[];
  testId: string | null;
}

/** Nobody has as many groups before the first message has arrived. */
const MOST_GROUPS_ASKED = 10;

/** One for the whole house. A letter that a version before did not note may have been kept. */
const IS_MAIL_LEAVING = sql`coalesce((
  select is_kept is false from (
    (select finished_at, is_kept from letter where state = 'sent' and transport = 'email' order by finished_at desc limit 1)
    union all
    (select finished_at, is_kept from account_mail where state = 'sent' order by finished_at desc limit 1)) as mail
  order by finished_at desc limit 1), false)`;

/** Those that have come furthest on the way to a service first. Made-up labs are left out. */
export async function readStoredSteps(
  db: ReadDatabase,
  accountId: AccountId,
  organizationIds: readonly OrganizationId[],
  now: Date,
): Promise<StoredFirstSteps[]> {
  const rows = await selectFirstSteps(db, accountId, organizationIds);
  const asked = rows.flatMap(({ tellingGroupIds }) => tellingGroupIds);
  const ladders = asked.length === 0 ? [] : await selectLaddersOf(db, asked, now);
  const groups = new Map(ladders.map((row) => [row.id, row]));
  const told = await inSlices(findTold(rows, groups, now));
  return rows.map(({ tellingGroupIds: _, silent, ...row }) => {
    const toldGroupId = told.get(row.id) ?? null;
    const isSomebodyTold = toldGroupId !== null;
    return { ...row, toldGroupId, isSomebodyTold, silent: isSomebodyTold ? null : silent };
  });
}

/** The first group of each organization that reaches somebody. Stops now and then. */
function* findTold(
  rows: readonly FirstStepsRow[],
  groups: ReadonlyMap<number, ReadLadder>,
  now: Date,
): Generator<void, Map<OrganizationId, number>> {
  const found = new Map<OrganizationId, number>();
  for (const { id: organizationId, tellingGroupIds } of rows)
    for (const id of tellingGroupIds) {
      const row = groups.get(id);
      if (!row) continue;
      const ladder = toLadder(row);
      yield;
      if (!(yield* isReaching({ ...row, ladder }, now))) continue;
      found.set(organizationId, id);
      break;
    }
  return found;
}

type FirstStepsRow = Omit<StoredFirstSteps, 'toldGroupId' | 'isSomebodyTold'> & { tellingGroupIds: number[] };

const selectFirstSteps = (
  db: ReadDatabase,
  accountId: AccountId,
  organizationIds: readonly OrganizationId[],
) =>
  db.query<FirstStepsRow>(sql`
    select organization.id, organization.name, source.id as "sourceId", source.id is not null as "hasSource",
      case when device.id is not null then json_build_object('id', device.id, 'key', device.key) end as "device",
      device.id is not null as "hasWaitingDevice", silent.id is not null as "hasService",
      array(
        select chosen.id from notification_group chosen cross join lateral (
          select service_id from service_settings settings join service on service.id = settings.service_id
          where notification_group_id = chosen.id and send_critical and archived_at is null limit 1) as telling
        where chosen.organization_id = organization.id order by chosen.id limit ${MOST_GROUPS_ASKED}) as "tellingGroupIds",
      case when silent.id is not null then json_build_object('id', silent.id, 'groupId', silent.group_id,
        'groupName', silent.group_name, 'sendCritical', silent.send_critical) end as "silent",
      exists (select from notification_group where organization_id = organization.id) as "hasGroup",
      ${IS_MAIL_LEAVING} as "isMailLeaving",
      coalesce((select not keeps_mail from program where keeps_mail is not null order by beat_at desc limit 1), false)
        as "hasMailServer",
      exists (select from membership join account on account.id = account_id
          where organization_id = organization.id and account_id <> ${accountId} and is_active)
        or exists (select from invitation where organization_id = organization.id) as "hasColleague",
      alone_at is not null as "worksAlone", arrived_at is not null as "hasArrived", test_id as "testId",
      exists (select from account where id = ${accountId} and is_keeper) as "isKeeper",
      array(select account.name from account join membership on account_id = account.id
        where organization_id = organization.id and is_keeper and is_active order by account.name) as "keepers"
    from organization
    left join first_steps noted on noted.organization_id = organization.id
    left join lateral (
      select max(id) as id from source where organization_id = organization.id) as source on true
    left join lateral (
      select id, key from device where organization_id = organization.id and service_id is null
      order by last_seen_at desc nulls last limit 1) as device on true
    left join lateral (
      select service.id, chosen.id as group_id, chosen.name as group_name, send_critical
      from service join service_settings settings on settings.service_id = service.id
      left join notification_group chosen on chosen.id = notification_group_id
      where service.organization_id = organization.id and archived_at is null
      order by chosen.id is null, service.id limit 1) as silent on true
    where organization.id = any(${organizationIds}::int[]) and noted.is_made_up is not true
    order by device.id is null, source.id is null, organization.name, organization.id`);

/** What became of each message of a test. */
export async function readTestOutcomes(db: ReadDatabase, testId: string): Promise<Outcome[]> {
  const rows = await db.query<LetterFacts>(sql`
    select delivery.state, delivery.attempts, delivery.next_attempt_at as "nextAttemptAt",
      delivery.last_error as "lastError", sent_at as "sentAt", handed_to as "handedTo", is_kept as "isKept",
      received_at as "receivedAt", confirmed_at as "confirmedAt", confirmed_how as "confirmedHow"
    from delivery left join letter on letter.id = letter_id
    where notification_id = ${testId} order by delivery.id`);
  return rows.map(findOutcome);
}

/** Whether a message left that somebody could have: of the test, or the last about any of the services. */
export const isAnyHandedOver = async (
  db: ReadDatabase,
  { organizationId, testId }: { organizationId: OrganizationId; testId: string | null },
): Promise<boolean> =>
  first(
    await db.query<{ isHandedOver: boolean }>(sql`
      select exists (
          select from delivery join letter on letter.id = letter_id
          where notification_id = ${testId} and delivery.state = 'sent' and is_kept is false)
        or exists (
          select from service cross join lateral (
            select letter_id from delivery
            where delivery.service_id = service.id and state = 'sent' order by id desc limit 1) as newest
          join letter on letter.id = newest.letter_id
          where service.organization_id = ${organizationId} and is_kept is false) as "isHandedOver"`),
  )?.isHandedOver ?? false;
