// What becomes of what happened, and of what time brings: every second, services whose time has come are looked at with
// the state of now. Any number of programs may do so: each takes services that nobody else holds.
import sql, { type Sql } from 'sql-template-tag';
import { groupBy } from '../../domain/group-by.ts';
import type { ServiceId } from '../../domain/ids.ts';
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
  try {
    const decided = await decideTogether(db, oldestDue(now), now);
    if (decided === MOST_AT_ONCE) while (await decideInTurns(db, now));
  } catch (error) {
    if (error instanceof PassingFault) throw error;
    await decideOneByOne(db, now);
  }
}

/** Answers whether there may be more. */
async function decideInTurns(db: Database, now: Date): Promise<boolean> {
  const due = await db.query(selectDueInTurns(now), 'by_index');
  const next = due.slice(0, MOST_BEFORE_NEXT_LIST);
  let decided = 0;
  for (let at = 0; at < next.length; at += MOST_AT_ONCE)
    decided += await decideTogether(db, stillDue(next.slice(at, at + MOST_AT_ONCE), now), now);
  return due.length > next.length && decided > 0;
}

/** A service that cannot be decided must not hold up the others. */
async function decideOneByOne(db: Database, now: Date): Promise<void> {
  const faults: unknown[] = [];
  const due = await db.query(selectDueInTurns(now), 'by_index');
  for (const service of due.slice(0, MOST_AT_ONCE)) {
    await decideTogether(db, stillDue([service], now), now).catch((error) => faults.push(error));
  }
  if (faults.length > 0) throw new AggregateError(faults, 'what is told could not be decided');
}

/** Three round trips, however many services: hold them, read everything, write it down. Answers how many they were. */
const decideTogether = (db: Database, isDue: Sql, now: Date): Promise<number> =>
  db.transaction(async (tx) => {
    tx.later(spreadNotes());
    const [due, [look]] = await tx.queryAll([lockSchedules(isDue), ASK_UNTOUCHED]);
    if (look.isUntouched) tx.forgo();
    if (due.length === 0) return 0;
    const serviceIds = due.map(({ serviceId }) => serviceId).sort((one, other) => one - other);
    writeDecisions(tx, await decideHeld(tx, sql`${serviceIds}::int[]`, now), now);
    return due.length;
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
  select service_id as "serviceId" from notification_schedule schedule
  where ${isDue} order by service_id limit ${MOST_AT_ONCE} for update skip locked`;

const oldestDue = (now: Date): Sql => sql`
  service_id in (select service_id from (${due(now, MOST_AT_ONCE)}) as due)`;

/** Another program may have decided about them since they were listed. */
const stillDue = (listed: readonly DueService[], now: Date): Sql => sql`
  service_id = any(${listed.map(({ serviceId }) => serviceId)}::int[]) and (
    look_again_at <= ${now}
    or exists (select from look_again where look_again.service_id = schedule.service_id)
    or exists (select from notification
      where notification.service_id = schedule.service_id and state = 'waiting' and due_at <= ${now}))`;

/** Of each organization its oldest, then of each the next. */
const selectDueInTurns = (now: Date): Statement<DueService> => sql`
  select service_id as "serviceId" from (${due(now, MOST_LISTED)}) as due join service on service.id = service_id
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
