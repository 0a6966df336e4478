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
/** Of which those are chosen: an organization would have to have so many due before another one waits for it. */
const MOST_LOOKED_AT = 10_000;

export async function decideDue(db: Database, now: Date): Promise<void> {
  try {
    while ((await decideTogether(db, sql`true`, now)) === MOST_AT_ONCE);
  } catch (error) {
    if (error instanceof PassingFault) throw error;
    await decideOneByOne(db, now);
  }
}

/** A service that cannot be decided must not hold up the others. */
async function decideOneByOne(db: Database, now: Date): Promise<void> {
  const faults: unknown[] = [];
  for (const { serviceId } of await db.query(lockDue(sql`true`, now), 'by_index')) {
    await decideTogether(db, sql`schedule.service_id = ${serviceId}`, now).catch((error) =>
      faults.push(error),
    );
  }
  if (faults.length > 0) throw new AggregateError(faults, 'what is told could not be decided');
}

/** Three round trips, however many services: hold them, read everything, write it down. Answers how many they were. */
const decideTogether = (db: Database, which: Sql, now: Date): Promise<number> =>
  db.transaction(async (tx) => {
    tx.later(spreadNotes());
    const [due, [look]] = await tx.queryAll([lockDue(which, now), ASK_UNTOUCHED]);
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
  return inSlices(eachInTurn(toToldServices(states, groups), decideOne));
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
 * Organizations take turns: of each its oldest comes first, then of each the next.
 */
const lockDue = (which: Sql, now: Date): Statement<DueService> => sql`
  with due as materialized (
    (select service_id, look_again_at as since from notification_schedule where look_again_at <= ${now}
      order by look_again_at limit ${MOST_LOOKED_AT})
    union all
    (select service_id, due_at from notification where state = 'waiting' and due_at <= ${now}
      order by due_at limit ${MOST_LOOKED_AT})
    union all
    (select service_id, min(noted_at) from look_again where service_id is not null
      group by service_id limit ${MOST_LOOKED_AT})),
  turns as materialized (
    select service_id, row_number() over (partition by organization_id order by min(since), service_id) as place
    from due join service on service.id = service_id
    group by service_id, organization_id)
  select schedule.service_id as "serviceId"
  from notification_schedule schedule join turns on turns.service_id = schedule.service_id
  where ${which}
  order by place, schedule.service_id limit ${MOST_AT_ONCE} for update of schedule skip locked`;
