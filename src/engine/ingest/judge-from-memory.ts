// What is remembered of the services is taken for true, and their readings are judged by it. Asks nobody.
import { isAhead } from '../../domain/judging/clock-set-back.ts';
import type { Instant } from '../../domain/judging/judge.ts';
import { keepEarlierDue } from '../alarm-state/alarm-rows.ts';
import { assess } from '../alarm-state/assess.ts';
import type { Assessment } from '../alarm-state/assessment.ts';
import type { ReadingColumns } from '../readings/inbox.ts';
import { passCalmly, takeAll } from './pass-calmly.ts';
import {
  count,
  joinMoments,
  type Parcel,
  type SortedPosts,
  type SortedValue,
  sortValues,
} from './sort-readings.ts';

interface JudgedReadings {
  assessments: Assessment[];
  /** Newer than all there is of their channels, and counted. */
  fresh: ReadingColumns;
  /** Whether they are new is seen by storing them. */
  late: SortedValue[];
}

/** null: not without the lock. */
export function judgeFromMemory({ parcels, answers }: SortedPosts, now: Instant): JudgedReadings | null {
  const calm = parcels.map((parcel) => passCalmly(parcel, now));
  if (parcels.some((parcel, index) => !calm[index] && needsLock(parcel, now))) return null;

  const fresh: ReadingColumns = { serviceIds: [], channelIds: [], ats: [], values: [] };
  const late: SortedValue[] = [];
  const judgeParcel = (parcel: Parcel): Assessment => {
    const judged: SortedValue[] = [];
    for (const value of sortValues(parcel, now, answers)) (value.isLate ? late : judged).push(value);
    for (const { post, serviceId, channelId, at, value } of judged) {
      fresh.serviceIds.push(serviceId);
      fresh.channelIds.push(channelId);
      fresh.ats.push(at);
      fresh.values.push(value);
      count(answers[post], 'accepted');
    }
    return assess(parcel.watched, joinMoments(judged), now);
  };
  const assessments = parcels.map((parcel, index) => {
    const passed = calm[index];
    if (passed) takeAll(parcel, fresh, answers);
    return keepEarlierDue(passed ?? judgeParcel(parcel));
  });
  return { assessments, fresh, late };
}

/** Channels that are new or were dated by a clock that was ahead, and times that may meet their double. */
export const needsLock = ({ watched: { config, alarm, channels }, entries }: Parcel, now: Instant): boolean =>
  entries.some(
    ({ entry }) =>
      entry.at > now ||
      (alarm.aheadUntil !== null && entry.at <= alarm.aheadUntil) ||
      entry.values.some(
        ([name]) => !config.channels.has(name) || isAhead(channels.get(name)?.at ?? null, now),
      ),
  );
