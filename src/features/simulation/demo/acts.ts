// What people do in the demonstration, and when.
import type { Requester } from '../../../domain/accounts/requester.ts';
import type { ServiceId } from '../../../domain/ids.ts';
import { formatInstant } from '../../../domain/instant.ts';
import type { Instant } from '../../../domain/judging/judge.ts';
import type { Result } from '../../../domain/result.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../domain/simulation/rhythms.ts';
import type { PersonName } from './people.ts';

type Done = Promise<Result<unknown, unknown>>;

/** Rooms do not know each other: the verbs of others are handed in. */
export interface DemoVerbs {
  acknowledge(requester: Requester, given: { serviceId: ServiceId; comment: string }, now: Date): Done;
  mute(requester: Requester, given: { serviceId: ServiceId; reason: string }, now: Date): Done;
  scheduleDowntime(requester: Requester, wanted: WantedDowntime, now: Date): Done;
  /** Fields of the edit form that change; the others are sent as they stand. */
  editService(requester: Requester, edit: ChannelEdit, now: Date): Done;
  recommend(requester: Requester, serviceId: ServiceId, now: Date): Done;
}

interface ChannelEdit {
  serviceId: ServiceId;
  channel: string;
  fields: Record<string, string>;
}

interface WantedDowntime {
  serviceId: ServiceId;
  startTime: string;
  endTime: string;
  reason: string;
}

export interface Act {
  at: Instant;
  /** Organization and name. */
  service: string;
  by: PersonName;
  run(verbs: DemoVerbs, requester: Requester, serviceId: ServiceId, now: Date): Done;
}

const acknowledge = (at: Instant, service: string, by: PersonName, comment: string): Act => ({
  at,
  service,
  by,
  run: (verbs, requester, serviceId, now) => verbs.acknowledge(requester, { serviceId, comment }, now),
});

const mute = (at: Instant, service: string, by: PersonName, reason: string): Act => ({
  at,
  service,
  by,
  run: (verbs, requester, serviceId, now) => verbs.mute(requester, { serviceId, reason }, now),
});

const downtime = (
  at: Instant,
  service: string,
  by: PersonName,
  { from, until, reason }: { from: Instant; until: Instant; reason: string },
): Act => ({
  at,
  service,
  by,
  run: (verbs, requester, serviceId, now) => {
    const [startTime, endTime] = [from, until].map((one) => formatInstant(new Date(one)).replace('.000', ''));
    return verbs.scheduleDowntime(
      requester,
      { serviceId, startTime: startTime ?? '', endTime: endTime ?? '', reason },
      now,
    );
  },
});

const warnAbove = (at: Instant, service: string, by: PersonName, limit: number): Act => ({
  at,
  service,
  by,
  run: (verbs, requester, serviceId, now) =>
    verbs.editService(
      requester,
      { serviceId, channel: 'temperature', fields: { wh_high: String(limit) } },
      now,
    ),
});

const recommend = (at: Instant, service: string, by: PersonName): Act => ({
  at,
  service,
  by,
  run: (verbs, requester, serviceId, now) => verbs.recommend(requester, serviceId, now),
});

/** In the order of their time. */
export function planActs(until: Instant): Act[] {
  const before = (ms: number) => until - ms;
  return [
    warnAbove(before(20 * DAY_MS), 'Cell Biology/ULT freezer 3', 'Ada', -72),
    downtime(before(13 * DAY_MS), 'Cell Biology/Freezer 2', 'Oscar', {
      from: before(12 * DAY_MS),
      until: before(12 * DAY_MS - 4 * HOUR_MS),
      reason: 'Defrost',
    }),
    acknowledge(before(15.95 * DAY_MS), 'Biobank/ULT freezer 1', 'Oscar', 'Door gasket iced up, clearing it'),
    acknowledge(
      before(8.96 * DAY_MS),
      'Cell Biology/ULT freezer 1',
      'Oscar',
      'Samples moved to ULT freezer 3',
    ),
    warnAbove(before(6 * DAY_MS), 'Cell Biology/ULT freezer 3', 'Ada', -70),
    acknowledge(before(3.95 * DAY_MS), 'Pharmacology/Fridge 1', 'Olga', 'Thermostat was turned by mistake'),
    acknowledge(before(35 * HOUR_MS), 'Cell Biology/Freezer 2', 'Ada', 'Fan replaced, watching it'),
    acknowledge(before(26 * HOUR_MS), 'Biobank/ULT freezer 2', 'Ada', 'Compressor ordered, due next week'),
    mute(before(10 * HOUR_MS), 'Cell Biology/Fridge 3', 'Oscar', 'Empty, the door seal is on order'),
    downtime(before(150 * MINUTE_MS), 'Biobank/ULT freezer 4', 'Oscar', {
      from: before(125 * MINUTE_MS),
      until: until + 6 * HOUR_MS,
      reason: 'Moving to the new freezer room',
    }),
    acknowledge(
      before(70 * MINUTE_MS),
      'Cell Biology/Freezer 1',
      'Oscar',
      'On my way, contents moved to Freezer 2',
    ),
    downtime(before(60 * MINUTE_MS), 'Cell Biology/CO₂ incubator 1', 'Oscar', {
      from: until + DAY_MS,
      until: until + DAY_MS + 3 * HOUR_MS,
      reason: 'Decontamination run',
    }),
    downtime(before(55 * MINUTE_MS), 'Biobank/Cold room 1', 'Ada', {
      from: until + 3 * DAY_MS,
      until: until + 3 * DAY_MS + 8 * HOUR_MS,
      reason: 'Yearly inspection',
    }),
    recommend(before(10 * MINUTE_MS), 'Cell Biology/ULT freezer 3', 'Ada'),
  ];
}

/** A demonstration in which somebody is refused tells another story than it should, so that is a fault. */
export async function perform(
  act: Act,
  verbs: DemoVerbs,
  requester: Requester,
  services: Record<string, number>,
  now: Date,
): Promise<void> {
  const done = await act.run(verbs, requester, services[act.service] as ServiceId, now);
  if (!done.ok) throw new Error(`${act.by} was refused at ${act.service}: ${JSON.stringify(done.refusal)}`);
}
