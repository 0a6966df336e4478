// What becomes of what happened, and of what time brings: every second, services whose time has come are looked at with
// the state of now. Any number of programs may do so: each takes services that nobody else holds.
import sql, { type Sql } from 'sql-template-tag';
import { groupBy } from '../../domain/group-by.ts';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import { decide } from '../../domain/notifications/decide.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { PassingFault } from '../../platform/db/passing-fault.ts';
import { ASK_UNTOUCHED, type Statement } from '../../platform/db/statement.ts';
import { eachInTurn, inSlices } from '../../platform/in-slices.ts';
import { selectAcknowledgementEnds, selectOpenedSteps, toClimbed } from './climbs.ts';
import { selectCurrentStates, selectGroups, type ToldService, toToldServices } from './current-states.ts';
import { spreadNotes, takeNotes } from './look-again.ts';
import type { Decision } from './notification-content.ts';
import { selectPassedOn } from './pass-on.ts';
import { shareOut, takeShare } from './share-out.ts';
import {
  selectToldAlarms,
  selectToldStale,
  selectWaiting,
  selectWarningsTold,
  toToldBefore,
  toWaiting,
} from './told-before.ts';
import { writeDecisions } from './write-decisions.ts';

const MOST_AT_ONCE = 500;
/** Where more are due than are decided at once, organizations take turns; whoever comes due meanwhile waits for so many. */
const MOST_BEFORE_NEXT_LIST = 2_000;
/** Of each kind: an organization would have to have so many due before another one waits for it. */
const MOST_LISTED = 10_000;

export async function decideDue(db: Database, now: Date): Promise<void> {
  for (const organizationId of await decideTogether(db, now))
    while (await decideShare(db, organizationId, now));
}

/** Answers with the organizations that have much to tell: nobody else is to wait for theirs. */
export async function decideTogether(db: Database, now: Date): Promise<OrganizationId[]> {
  const apart = new Set<OrganizationId>();
  const settleAll = async (isDue: Sql) => {
    const settled = await settle(db, isDue, now, shareOut);
    for (const organizationId of settled.apart) apart.add(organizationId);
    return settled;
  };
  /** Answers whether there may be more. */
  const settleInTurns = async (): Promise<boolean> => {
    const due = await db.query(selectDueInTurns(now, { without: [...apart] }), 'by_index');
    const next = due.slice(0, MOST_BEFORE_NEXT_LIST);
    let decided = 0;
    for (let at = 0; at < next.length; at += MOST_AT_ONCE)
      decided += (await settleAll(stillDue(next.slice(at, at + MOST_AT_ONCE), now))).decided;
    return due.length > next.length && decided > 0;
  };
  try {
    const { due } = await settleAll(oldestDue(now));
    if (due === MOST_AT_ONCE) while (await settleInTurns());
  } catch (error) {
    if (error instanceof PassingFault) throw error;
    await decideOneByOne(db, selectDueInTurns(now), now);
  }
  return [...apart];
}

/** Of one organization. Answers whether there may be more. */
export async function decideShare(db: Database, organizationId: OrganizationId, now: Date): Promise<boolean> {
  const listed = selectDueInTurns(now, { only: organizationId });
  try {
    const due = await db.query(listed, 'by_index');
    const next = stillDue(due.slice(0, MOST_AT_ONCE), now);
    const { decided } = await settle(db, next, now, (held) => ({ together: takeShare(held), apart: [] }));
    return due.length > decided && decided > 0;
  } catch (error) {
    if (error instanceof PassingFault) throw error;
    await decideOneByOne(db, listed, now);
    return false;
  }
}

/** A service that cannot be decided must not hold up the others. */
async function decideOneByOne(
  db: Database,
  listed: Statement<{ serviceId: ServiceId }>,
  now: Date,
): Promise<void> {
  const faults: unknown[] = [];
  const due = await db.query(listed, 'by_index');
  for (const service of due.slice(0, MOST_AT_ONCE)) {
    const alone = settle(db, stillDue([service], now), now, (held) => ({ together: [...held], apart: [] }));
    await alone.catch((error) => faults.push(error));
  }
  if (faults.length > 0) throw new AggregateError(faults, 'what is told could not be decided');
}

type Share = (held: readonly DueService[]) => { together: DueService[]; apart: OrganizationId[] };

interface Settled {
  due: number;
  decided: number;
  apart: OrganizationId[];
}

/** Three round trips, however many services: hold them, read everything about those of this share, write it down. */
const settle = (db: Database, isDue: Sql, now: Date, share: Share): Promise<Settled> =>
  db.transaction(async (tx) => {
    tx.later(spreadNotes());
    const [held, [look]] = await tx.queryAll([lockSchedules(isDue), ASK_UNTOUCHED]);
    if (look.isUntouched) tx.forgo();
    const { together, apart } = share(held);
    const serviceIds = together.map(({ serviceId }) => serviceId).sort((one, other) => one - other);
    if (serviceIds.length > 0) writeDecisions(tx, await decideHeld(tx, sql`${serviceIds}::int[]`, now), now);
    return { due: held.length, decided: serviceIds.length, apart };
  }, 'by_index');

/**
 * What is to be decided upon is taken first, then what decides. So whatever was taken is decided by a state that knows of
 * it, and what changes in between has left a note or a waiting row that was not taken, and is decided next.
 */
async function decideHeld(tx: Tx, held: Sql, now: Date): Promise<Decision[]> {
  tx.later(takeNotes(held));
  const { waiting, states, groups, alarms, staleWords, opened, ends, passedOn, warnings } = await tx.queryAll(
    {
      waiting: selectWaiting(held),
      states: selectCurrentStates(held, now),
      groups: selectGroups(held, now),
      alarms: selectToldAlarms(held),
      staleWords: selectToldStale(held),
      opened: selectOpenedSteps(held),
      ends: selectAcknowledgementEnds(held),
      passedOn: selectPassedOn(held),
      warnings: selectWarningsTold(held, now, sql`severity = 'warning'`),
    },
  );
  const waitingOf = toWaiting(waiting);
  const toldBeforeOf = toToldBefore(alarms, staleWords);
  const climbedOf = toClimbed(opened, ends, passedOn);
  const warningsOf = groupBy(warnings, ({ serviceId }) => serviceId);
  const decideOne = ({ situation: standing, ...service }: ToldService): Decision => {
    const { serviceId } = service;
    const waiting = waitingOf.get(serviceId) ?? [];
    const situation = {
      ...standing,
      climbed: climbedOf(serviceId),
      warningsTold: warningsOf.get(serviceId) ?? [],
      toldBefore: toldBeforeOf(serviceId),
      waiting,
    };
    return { service: { ...service, situation }, waiting, verdict: decide(situation, now) };
  };
  // A group may tell many, and many may be due at once.
  const services = await inSlices(toToldServices(states, groups), 'alarms');
  return inSlices(eachInTurn(services, decideOne), 'alarms');
}

interface DueService {
  serviceId: ServiceId;
  organizationId: OrganizationId;
  /** Whom its group may have told: rather too many than too few. */
  deliveries: number;
}

/**
 * Until the end of the transaction nothing is decided about these services. What is claimed was true before, and whoever
 * decides after knows that it is on its way: its end is owed to those who get it, whatever is told next.
 */
export const keepUndecided = (serviceIds: Sql): Sql => sql`
  select from notification_schedule where service_id in (${serviceIds}) order by service_id for key share`;

/**
 * Holds the rows of the services' schedules, not their alarm states: readings go on meanwhile, and what they bring waits for
 * the next look. Nobody ever waits for a lock here, so whoever waits for these rows (`keepUndecided`) cannot deadlock.
 */
const lockSchedules = (isDue: Sql): Statement<DueService> => sql`
  select service_id as "serviceId",
    (select organization_id from service where id = schedule.service_id) as "organizationId",
    ${REACH} as "deliveries"
  from notification_schedule schedule
  where ${isDue} order by service_id limit ${MOST_AT_ONCE} for update skip locked`;

const REACH = sql`coalesce((
  select (select count(*) from notification_group_email where group_id = notification_group_id)
    + (select count(*) from notification_group_webhook where group_id = notification_group_id)
    + (select count(*) from notification_group_rota where group_id = notification_group_id)
    + (select count(*) from notification_group_account left join contact_method using (account_id)
        where group_id = notification_group_id)
  from service_settings where service_settings.service_id = schedule.service_id), 0)::int`;

const oldestDue = (now: Date): Sql => sql`
  service_id in (select service_id from (${due(now, MOST_AT_ONCE)}) as due)`;

/** Another program may have decided about them since they were listed. */
const stillDue = (listed: readonly { serviceId: ServiceId }[], now: Date): Sql => sql`
  service_id = any(${listed.map(({ serviceId }) => serviceId)}::int[]) and (
    look_again_at <= ${now}
    or exists (select from look_again where look_again.service_id = schedule.service_id)
    or exists (select from notification
      where notification.service_id = schedule.service_id and state = 'waiting' and due_at <= ${now}))`;

interface Whose {
  only?: OrganizationId;
  without?: readonly OrganizationId[];
}

/** Of each organization its oldest, then of each the next. */
const selectDueInTurns = (
  now: Date,
  { only, without = [] }: Whose = {},
): Statement<{ serviceId: ServiceId }> => sql`
  select service_id as "serviceId" from (${due(now, MOST_LISTED)}) as due join service on service.id = service_id
  where organization_id <> all(${without}::int[]) and (${only ?? null}::int is null or organization_id = ${only ?? null})
  group by service_id, organization_id
  order by row_number() over (partition by organization_id order by min(since), service_id), service_id`;

const due = (now: Date, most: number): Sql => sql`
  (select service_id, look_again_at as since from notification_schedule where look_again_at <= ${now}
    order by look_again_at limit ${most})
  union all
  (select service_id, due_at from notification where state = 'waiting' and due_at <= ${now}
    order by due_at limit ${most})
  union all
  (select service_id, min(noted_at) from look_again where service_id is not null group by service_id limit ${most})`;
