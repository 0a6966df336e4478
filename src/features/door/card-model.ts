// What a door card says, of what the organization lets be seen.
import { type DoorPart, fieldsOf } from '../../domain/door/door-card.ts';
import { findMissing } from '../../domain/equipment/watching.ts';
import type { FoundGuidance } from '../../domain/guidance/guidance.ts';
import { message } from '../../domain/language/message.ts';
import type { Language } from '../../domain/language/speak.ts';
import { describeSpan } from '../../domain/span.ts';
import { readAlarmFacts } from '../../engine/alarm-state/read-alarm-facts.ts';
import { readGuidanceOf } from '../../engine/guidance/guidance-rows.ts';
import { selectLabHours } from '../../engine/on-call/lab-hours.ts';
import { type ShownFacts, showFacts } from '../../engine/pages/alarm-facts.tsx';
import { type RefugeNoteModel, readRefugeNote } from '../../engine/pages/refuge-note.tsx';
import type { Door } from '../../engine/services/doors.ts';
import { selectNotified } from '../../engine/told/told-records.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { type StandingUnit, selectArrivalState, selectStandingUnit } from './queries.ts';

export const DOOR_STATES = {
  critical: message('Critical'),
  warning: message('Warning'),
  // For translators: no readings have come for too long
  stale: message('Stale'),
  unwatched: message('Not watched yet'),
  normal: message('Normal'),
} as const;

export interface CardModel {
  name: string;
  place: string[];
  state: keyof typeof DOOR_STATES;
  /** How long it has been so; null: it is no alarm. */
  lasted: string | null;
  facts: ShownFacts | null;
  zone: string;
  isMuted: boolean;
  isInDowntime: boolean;
  /** Of an alarm. */
  alarm: {
    notified: 'yes' | 'soon' | 'nobody';
    /** `by` null: the organization names nobody. */
    taken: { by: string | null; ago: string; comment: string | null } | null;
    arrived: { ago: string; state: 'waiting' | 'released' | 'held' | 'dropped' } | null;
  } | null;
  /** As far as it was chosen; null: none of it is said. */
  guidance: FoundGuidance | null;
  /** What it takes in for others; null: nothing. */
  refuge: RefugeNoteModel | null;
}

interface OpenDoor extends Door {
  parts: DoorPart[];
}

export async function readCard(
  db: ReadDatabase,
  door: OpenDoor,
  language: Language,
  now: Date,
): Promise<CardModel | null> {
  const { serviceId, name, assetName, locationName, parts } = door;
  const unit = await selectStandingUnit(db, serviceId, now);
  if (!unit) return null;
  const facts = await readAlarmFacts(db, [serviceId], language);
  const guidance = (await readGuidanceOf(db, [serviceId])).get(serviceId) ?? null;
  const zone = (await selectLabHours(db, door.organizationId))?.timeZone ?? 'UTC';
  const state = stateOf(unit);
  const since = unit.since ?? unit.staleSince;
  return {
    name,
    place: [assetName, locationName].filter((part): part is string => part !== null && part !== name),
    state,
    lasted: since && describeAgo(since, now, language),
    facts: showFacts(facts.get(serviceId), { timezone: zone, now, language }),
    zone,
    isMuted: unit.isMuted,
    isInDowntime: unit.isInDowntime,
    alarm: await readAlarm(db, door, unit, language, now),
    guidance: guidance && pickChosen(guidance, parts),
    refuge: await readRefugeNote(db, serviceId, { timezone: zone, now, language }),
  };
}

function stateOf({ severity, staleSince, ...watching }: StandingUnit): CardModel['state'] {
  if (severity !== 'normal') return severity;
  if (staleSince) return 'stale';
  return findMissing(watching).length > 0 ? 'unwatched' : 'normal';
}

async function readAlarm(
  db: ReadDatabase,
  { serviceId, parts }: OpenDoor,
  { episodeId, severity, takenBy, takenAt, comment }: StandingUnit,
  language: Language,
  now: Date,
): Promise<CardModel['alarm']> {
  if (severity === 'normal' || episodeId === null) return null;
  const notified = await selectNotified(db, serviceId, episodeId);
  const arrived = await selectArrivalState(db, serviceId, episodeId);
  const isNamed = parts.includes('names');
  return {
    notified: notified?.wasNotified ? 'yes' : notified?.isWaiting ? 'soon' : 'nobody',
    taken: takenAt && {
      by: isNamed ? takenBy : null,
      ago: describeAgo(takenAt, now, language),
      comment: isNamed ? comment : null,
    },
    arrived: arrived && { ago: describeAgo(arrived.at, now, language), state: arrived.state },
  };
}

/** Where each part was said is nothing to whoever stands there. */
function pickChosen(found: FoundGuidance, parts: readonly DoorPart[]): FoundGuidance | null {
  const chosen = fieldsOf(parts).filter((field) => found[field]);
  if (chosen.length === 0) return null;
  return Object.fromEntries(
    Object.entries(found).map(([field, part]) => [
      field,
      part && chosen.some((one) => one === field) ? { value: part.value, from: 'service' } : null,
    ]),
  ) as FoundGuidance;
}

const describeAgo = (at: Date, now: Date, language: Language): string =>
  describeSpan(Math.max(1, Math.floor((now.getTime() - at.getTime()) / 60_000)) * 60_000, language);
