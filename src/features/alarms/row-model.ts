// From an alarm to what its row shows.

import type { Requester } from '../../domain/accounts/requester.ts';
import { message } from '../../domain/language/message.ts';
import type { RescueTurn } from '../../domain/rescue/turns.ts';
import type { AlarmFacts } from '../../domain/words/alarm-facts.ts';
import { sayToPeople } from '../../domain/words/alarm-message.ts';
import { listPlace, nameWithPlace } from '../../domain/words/place.ts';
import type { AcknowledgedSeverity } from '../../engine/alarm-state/acknowledgements.ts';
import { readAlarmFacts } from '../../engine/alarm-state/read-alarm-facts.ts';
import { readGuidanceOf } from '../../engine/guidance/guidance-rows.ts';
import { type ShownFacts, showFacts } from '../../engine/pages/alarm-facts.tsx';
import { readUntold, type UntoldModel } from '../../engine/pages/untold.tsx';
import { readTurns } from '../../engine/rescue/read-turns.ts';
import { sayTurn } from '../../engine/rescue/rescue-words.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import {
  type Reader,
  type ShownText,
  type ShownTime,
  showText,
  showTime,
} from '../../platform/html/time.tsx';
import { eachInTurn, inSlices } from '../../platform/in-slices.ts';
import type { ActiveAlarm } from './active-alarm.ts';

export interface AlarmRowModel {
  serviceId: number;
  serviceName: string;
  organizationId: number;
  /** null: it stands nowhere. */
  locationId: number | null;
  locationName: string | null;
  /** Of many that are only stale: through which the device came, as far as that is known. */
  sourceName: string | null;
  /** Name and place in one line, for who cannot see the row. */
  fullName: string;
  place: string[];
  severity: ActiveAlarm['severity'];
  severityLabel: string;
  /** null: it is about no value. */
  facts: ShownFacts | null;
  /** A value alarm whose service has also stopped reporting, and since when. */
  staleSince: ShownTime | null;
  message: ShownText;
  since: ShownTime;
  lastedMs: number;
  acknowledgement: {
    severity: AcknowledgedSeverity;
    by: string;
    at: ShownTime;
    comment: string | null;
  } | null;
  mute: { by: string; at: ShownTime; reason: string | null } | null;
  /** Nobody is told of it, and why. */
  untold: UntoldModel | null;
  /** As Markdown; null: nobody said so. */
  whatToDo: string | null;
  /** In the order of rescue of its room; null: it waits with nobody. */
  turn: string | null;
  /** Critical, and nobody has taken it on yet. */
  isUnheard: boolean;
  canOperate: boolean;
  canAcknowledge: boolean;
  canUnacknowledge: boolean;
}

export const SEVERITY_LABELS = {
  critical: message('Critical'),
  warning: message('Warning'),
  stale: message('Stale'),
} as const;

/** What its row shows besides the alarm. */
interface Beside {
  facts: AlarmFacts | null;
  untold: UntoldModel | null;
  whatToDo: string | null;
  turn: RescueTurn | null;
}

function toRow(alarm: ActiveAlarm, reader: Reader, { facts, untold, whatToDo, turn }: Beside): AlarmRowModel {
  const {
    serviceId,
    serviceName,
    organizationId,
    locationId,
    locationName,
    severity,
    told,
    staleSince,
    acknowledgement,
    mute,
  } = alarm;
  const isValueAlarm = severity !== 'stale';
  const shown = isValueAlarm ? showFacts(facts, reader) : null;
  return {
    serviceId,
    serviceName,
    organizationId,
    locationId,
    locationName,
    sourceName: null,
    fullName: nameWithPlace(serviceName, alarm),
    place: listPlace(alarm),
    severity,
    severityLabel: reader.language.say(SEVERITY_LABELS[severity]),
    facts: shown,
    staleSince: isValueAlarm && staleSince ? showTime(staleSince, reader) : null,
    message: shown
      ? [shown.said]
      : showText(sayToPeople(alarm.message, told.channel, told.value, reader.language), reader),
    since: showTime(alarm.triggeredAt, reader),
    lastedMs: reader.now.getTime() - alarm.triggeredAt.getTime(),
    acknowledgement: acknowledgement && { ...acknowledgement, at: showTime(acknowledgement.at, reader) },
    mute: mute && { ...mute, at: showTime(mute.at, reader) },
    untold,
    whatToDo,
    turn: sayTurn(turn, reader.language),
    isUnheard: severity === 'critical' && !alarm.isAcknowledgedAtSeverity,
    canOperate: alarm.canOperate,
    canAcknowledge: alarm.canOperate && isValueAlarm && !alarm.isAcknowledgedAtSeverity,
    canUnacknowledge: alarm.canOperate && acknowledgement !== null,
  };
}

/** Of a list of alarms, in a fixed number of statements. */
export async function toRows(
  db: ReadDatabase,
  alarms: readonly ActiveAlarm[],
  requester: Pick<Requester, 'memberships'>,
  reader: Reader,
): Promise<AlarmRowModel[]> {
  const serviceIds = alarms.map(({ serviceId }) => serviceId);
  const facts = await readAlarmFacts(db, serviceIds, reader.language);
  const untold = await readUntold(db, { ...requester, language: reader.language }, alarms);
  const guidance = await readGuidanceOf(db, serviceIds);
  const turns = await readTurns(db, serviceIds, reader.now);
  return inSlices(
    eachInTurn(alarms, (alarm) =>
      toRow(alarm, reader, {
        facts: facts.get(alarm.serviceId) ?? null,
        untold: untold.get(alarm.serviceId) ?? null,
        whatToDo: guidance.get(alarm.serviceId)?.whatToDo?.value ?? null,
        turn: turns.get(alarm.serviceId) ?? null,
      }),
    ),
  );
}
