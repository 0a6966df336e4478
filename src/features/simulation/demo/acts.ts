// What people do in the demonstration, and when.
import type { Requester } from '../../../domain/accounts/requester.ts';
import type { ServiceId } from '../../../domain/ids.ts';
import { formatInstant, type Instant } from '../../../domain/instant.ts';
import type { Result } from '../../../domain/result.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../domain/simulation/rhythms.ts';
import { acknowledge } from '../../../engine/acts/acknowledge.ts';
import { editService } from '../../../engine/acts/edit-service.ts';
import { mute } from '../../../engine/acts/mute.ts';
import { recommend } from '../../../engine/acts/recommend.ts';
import { reserveRefuge } from '../../../engine/acts/reserve-refuge.ts';
import { scheduleDowntime } from '../../../engine/acts/schedule-downtime.ts';
import { readEditForm } from '../../../engine/services/read-edit-form.ts';
import type { Database, Tx } from '../../../platform/db/database.ts';
import type { PersonName } from './people.ts';

interface ActsAt {
  serviceId: ServiceId;
  /** By organization and name. */
  services: Record<string, number>;
}

export interface Act {
  at: Instant;
  /** Organization and name. */
  service: string;
  by: PersonName;
  run(tx: Tx, requester: Requester, at: ActsAt, now: Date): Promise<Result<unknown, unknown>>;
}

const acknowledges = (at: Instant, service: string, by: PersonName, comment: string): Act => ({
  at,
  service,
  by,
  run: (tx, requester, { serviceId }, now) => acknowledge(tx, requester, { serviceId, comment }, now),
});

const mutes = (at: Instant, service: string, by: PersonName, reason: string): Act => ({
  at,
  service,
  by,
  run: (tx, requester, { serviceId }, now) => mute(tx, requester, { serviceId, reason }, now),
});

const schedules = (
  at: Instant,
  service: string,
  by: PersonName,
  { from, until, reason }: { from: Instant; until: Instant; reason: string },
): Act => ({
  at,
  service,
  by,
  run: (tx, requester, { serviceId }, now) => {
    const [startTime, endTime] = [from, until].map((one) => formatInstant(new Date(one)).replace('.000', ''));
    return scheduleDowntime(
      tx,
      requester,
      { serviceId, startTime: startTime ?? '', endTime: endTime ?? '', reason },
      now,
    );
  },
});

const warnsAbove = (at: Instant, service: string, by: PersonName, limit: number): Act => ({
  at,
  service,
  by,
  run: async (tx, requester, { serviceId }, now) => {
    const standing = await readEditForm(tx, serviceId, 'temperature');
    const fields = { ...standing, wh_high: String(limit) };
    return editService(tx, requester, { serviceId, fields }, now);
  },
});

const asksForLimits = (at: Instant, service: string, by: PersonName): Act => ({
  at,
  service,
  by,
  run: (tx, requester, { serviceId }, now) => recommend(tx, requester, { serviceId }, now),
});

const movesTo = (at: Instant, service: string, by: PersonName, refuge: string): Act => ({
  at,
  service,
  by,
  run: (tx, requester, { serviceId, services }, now) =>
    reserveRefuge(tx, requester, { serviceId, refugeId: services[refuge] as ServiceId }, now),
});

/** In the order of their time. */
export function planActs(until: Instant): Act[] {
  const before = (ms: number) => until - ms;
  return [
    acknowledges(
      before(22.23 * DAY_MS),
      'Biobank/ULT freezer 9',
      'Nils',
      'Plug had come loose, it runs again',
    ),
    warnsAbove(before(20 * DAY_MS), 'Cell Biology/ULT freezer 3', 'Ada', -72),
    schedules(before(13 * DAY_MS), 'Cell Biology/Freezer 2', 'Oscar', {
      from: before(12 * DAY_MS),
      until: before(12 * DAY_MS - 4 * HOUR_MS),
      reason: 'Defrost',
    }),
    acknowledges(
      before(16.07 * DAY_MS),
      'Biobank/ULT freezer 1',
      'Oscar',
      'Door gasket iced up, clearing it',
    ),
    acknowledges(before(12.14 * DAY_MS), 'Neuroscience/Fridge 2', 'Nils', 'Door was ajar'),
    acknowledges(
      before(9.03 * DAY_MS),
      'Cell Biology/ULT freezer 1',
      'Oscar',
      'Samples moved to ULT freezer 3',
    ),
    warnsAbove(before(6 * DAY_MS), 'Cell Biology/ULT freezer 3', 'Ada', -70),
    acknowledges(before(6.2 * DAY_MS), 'Pharmacology/ULT freezer 2', 'Olga', 'Condenser was full of dust'),
    acknowledges(before(3.95 * DAY_MS), 'Pharmacology/Fridge 1', 'Olga', 'Thermostat was turned by mistake'),
    acknowledges(before(35 * HOUR_MS), 'Cell Biology/Freezer 2', 'Ada', 'Fan replaced, watching it'),
    movesTo(before(26 * HOUR_MS), 'Biobank/ULT freezer 2', 'Ada', 'Biobank/ULT freezer 6'),
    acknowledges(before(12.9 * HOUR_MS), 'Neuroscience/ULT freezer 3', 'Nils', 'On my way'),
    mutes(before(10 * HOUR_MS), 'Cell Biology/Fridge 3', 'Oscar', 'Empty, the door seal is on order'),
    schedules(before(150 * MINUTE_MS), 'Biobank/ULT freezer 4', 'Oscar', {
      from: before(125 * MINUTE_MS),
      until: until + 6 * HOUR_MS,
      reason: 'Moving to the new freezer room',
    }),
    acknowledges(
      before(70 * MINUTE_MS),
      'Cell Biology/Freezer 1',
      'Oscar',
      'On my way, contents moved to Freezer 2',
    ),
    schedules(before(60 * MINUTE_MS), 'Cell Biology/CO₂ incubator 1', 'Oscar', {
      from: until + DAY_MS,
      until: until + DAY_MS + 3 * HOUR_MS,
      reason: 'Decontamination run',
    }),
    schedules(before(55 * MINUTE_MS), 'Biobank/Cold room 1', 'Ada', {
      from: until + 3 * DAY_MS,
      until: until + 3 * DAY_MS + 8 * HOUR_MS,
      reason: 'Yearly inspection',
    }),
    asksForLimits(before(10 * MINUTE_MS), 'Cell Biology/ULT freezer 3', 'Ada'),
  ];
}

/** A demonstration in which somebody is refused tells another story than it should, so that is a fault. */
export async function perform(
  db: Database,
  act: Act,
  requester: Requester,
  services: Record<string, number>,
  now: Date,
): Promise<void> {
  const serviceId = services[act.service] as ServiceId;
  const done = await db.transaction((tx) => act.run(tx, requester, { serviceId, services }, now));
  if (!done.ok) throw new Error(`${act.by} was refused at ${act.service}: ${JSON.stringify(done.refusal)}`);
}
