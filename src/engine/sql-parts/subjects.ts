// What the table of subjects says, as conditions on a column `subject`.
import sql from 'sql-template-tag';
import {
  ALL_SUBJECTS,
  canBeAcknowledged,
  isAbout,
  isBeginning,
  isDeed,
} from '../../domain/notifications/subject.ts';

const isOne = (subjects: readonly string[]) => sql`subject = any(${`{${subjects.join()}}`}::text[])`;

/** Words that somebody has to know while they hold. The others tell the end of one of them. */
export const IS_BEGINNING = isOne(ALL_SUBJECTS.filter(isBeginning));

/** Beginnings that can be acknowledged. */
export const IS_ALARM = isOne(ALL_SUBJECTS.filter(canBeAcknowledged));

/** What somebody does about an alarm. */
export const IS_DEED = isOne(ALL_SUBJECTS.filter(isDeed));

/** Beginnings and ends of an alarm, not what somebody did about it. */
export const IS_ABOUT_ALARM = isOne(ALL_SUBJECTS.filter((one) => isAbout(one, 'alarm') && !isDeed(one)));

export const IS_ABOUT_STALE = isOne(ALL_SUBJECTS.filter((one) => isAbout(one, 'stale')));

/** Of `notification_group_step`: what a step opens for. */
export const STEP_SUBJECTS = sql`array_replace(kinds, 'system', 'stale')`;
