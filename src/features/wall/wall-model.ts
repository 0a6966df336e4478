// From the services of an organization to what a screen in the lab shows: what is wrong as tiles, the rest as dots.

import type { UnitState } from '../../domain/equipment/unit-state.ts';
import { findMissing } from '../../domain/equipment/watching.ts';
import type { Language } from '../../domain/language/speak.ts';
import { describeSpan } from '../../domain/span.ts';
import type { AlarmFacts } from '../../domain/words/alarm-facts.ts';
import type { PlanModel } from '../../engine/floor-plans/plan-view.tsx';
import { type ShownFacts, showFacts } from '../../engine/pages/alarm-facts.tsx';
import { type Reader, type ShownTime, showTime } from '../../platform/html/time.tsx';
import type { Wall, WatchedService } from './queries.ts';

/** Nobody in front of it can tell whether somebody is notified: muted is a mark of an alarm alone. */
export type WallState = Exclude<UnitState, 'muted'>;

export interface Tile {
  id: number;
  state: 'critical' | 'warning' | 'stale';
  name: string;
  locationName: string | null;
  /** What is measured, with its unit; a stale service has none. */
  value: string | null;
  channel: string | null;
  /** Limit, since when it is beyond, and the worst so far. */
  details: ShownFacts['details'];
  lasted: string;
  since: ShownTime;
  marks: string[];
}

export interface WallModel {
  organizationName: string;
  /** null: all of them. */
  locationName: string | null;
  /** How much room each tile gets. */
  density: 'few' | 'some' | 'many';
  tiles: Tile[];
  /** Alarms beyond those with a tile. */
  more: number;
  counts: Record<WallState, number>;
  services: number;
  dots: { id: number; name: string; state: WallState }[];
  /** Nothing reports: what is shown may be long past. */
  isAllStale: boolean;
  /** null: what it shows has none. */
  plan: PlanModel | null;
  lastTelemetry: { at: ShownTime; ago: string } | null;
  now: { ms: number; zone: string; clock: string; day: string; shown: ShownTime };
}

const MOST_TILES = 18;
const MOST_DOTS = 400;
const ORDER: WallState[] = ['critical', 'warning', 'stale', 'downtime', 'unwatched', 'normal'];

export const stateOf = ({ isInDowntime, severity, staleSince, ...watching }: WatchedService): WallState => {
  if (isInDowntime) return 'downtime';
  if (severity !== 'normal') return severity;
  if (staleSince) return 'stale';
  return findMissing(watching).length > 0 ? 'unwatched' : 'normal';
};

const isAlarm = (state: WallState): state is Tile['state'] =>
  state === 'critical' || state === 'warning' || state === 'stale';

const beganAt = ({ since, staleSince }: WatchedService): Date => since ?? staleSince ?? new Date(0);

/** The worst first. */
const listWrong = (services: readonly WatchedService[]) =>
  services
    .flatMap((service) => {
      const state = stateOf(service);
      return isAlarm(state) ? [{ service, state }] : [];
    })
    .sort((one, other) => ORDER.indexOf(one.state) - ORDER.indexOf(other.state) || newestFirst(one, other));

/** Of which more is said than that they are wrong. */
export const listTiled = (services: readonly WatchedService[]) =>
  listWrong(services)
    .slice(0, MOST_TILES)
    .map(({ service }) => service.id);

export function toWall(
  {
    organizationName,
    locationName,
    timezone,
    language,
  }: Pick<Wall, 'organizationName' | 'locationName' | 'timezone'> & Pick<Reader, 'language'>,
  services: readonly WatchedService[],
  plan: PlanModel | null,
  facts: ReadonlyMap<number, AlarmFacts>,
  now: Date,
): WallModel {
  const reader = { timezone, now, language };
  const states = services.map((service) => ({ service, state: stateOf(service) }));
  const wrong = listWrong(services);
  const tiles = wrong
    .slice(0, MOST_TILES)
    .map(({ service, state }) => toTile(service, state, facts.get(service.id) ?? null, reader));
  const counts = Object.fromEntries(
    ORDER.map((state) => [state, states.filter((one) => one.state === state).length]),
  ) as Record<WallState, number>;
  const lastAt = services.reduce<Date | null>(
    (last, { lastTelemetryAt: at }) => (at && (!last || at > last) ? at : last),
    null,
  );
  return {
    organizationName,
    locationName,
    density: tiles.length <= 4 ? 'few' : tiles.length <= 9 ? 'some' : 'many',
    tiles,
    more: wrong.length - tiles.length,
    counts,
    services: services.length,
    dots:
      states.length > MOST_DOTS
        ? []
        : states.map(({ service: { id, name }, state }) => ({ id, name, state })),
    plan,
    isAllStale: services.length > 0 && services.every(({ staleSince }) => staleSince !== null),
    lastTelemetry: lastAt && { at: showTime(lastAt, reader), ago: describeAgo(lastAt, now, language) },
    now: showNow(reader),
  };
}

const newestFirst = (one: { service: WatchedService }, other: { service: WatchedService }) =>
  beganAt(other.service).getTime() - beganAt(one.service).getTime();

function toTile(
  service: WatchedService,
  state: Tile['state'],
  facts: AlarmFacts | null,
  reader: Reader,
): Tile {
  const { id, name, locationName, isAcknowledged, isMuted, staleSince } = service;
  const { language } = reader;
  const { say } = language;
  const began = beganAt(service);
  const marks = [
    isAcknowledged && state !== 'stale' && say('Acknowledged'),
    isMuted && say('Muted'),
    staleSince !== null && state !== 'stale' && say('No new data'),
  ].filter((mark) => mark !== false);
  const shown = state === 'stale' ? null : showFacts(facts, reader);
  return {
    id,
    state,
    name,
    locationName,
    value: shown?.now ?? null,
    channel: shown && (facts?.name ?? null),
    // How long it has lasted stands below.
    details: (shown?.details ?? []).filter(({ title }) => title !== say('Alarm since')),
    lasted: describeMinutes(reader.now.getTime() - began.getTime(), language),
    since: showTime(began, reader),
    marks,
  };
}

const describeMinutes = (ms: number, language: Language) =>
  describeSpan(Math.max(1, Math.floor(ms / 60_000)) * 60_000, language);

const describeAgo = (at: Date, now: Date, language: Language) =>
  now.getTime() - at.getTime() < 60_000
    ? language.say('less than a minute ago')
    : language.say('{span} ago', { span: describeMinutes(now.getTime() - at.getTime(), language) });

function showNow(reader: Reader): WallModel['now'] {
  const { now, timezone: zone, language } = reader;
  const write = (locale: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { timeZone: zone, ...options }).format(now);
  const { tag } = language;
  return {
    ms: now.getTime(),
    zone,
    clock: write('en-GB', { hour: '2-digit', minute: '2-digit' }),
    day: write(tag === 'en' ? 'en-GB' : tag, { weekday: 'long', day: 'numeric', month: 'long' }),
    shown: showTime(now, reader),
  };
}
