// Why something was told, or not, or not yet: a code with its facts. It is stored as it is, compared by its code, and said
// to people by `sayReason` alone. Instants are kept as text, as JSON keeps them.
import { formatMinute } from '../instant.ts';
import { type AlarmSeverity, FLAG_NAMES, type Flag, type Subject } from './subject.ts';

export type Reason =
  | { code: 'archived' | 'no_group' | 'nobody_to_tell' | 'nobody_on_duty' }
  | { code: 'flag_off'; flag: Flag }
  | { code: 'muted'; by: string }
  | { code: 'in_downtime'; until: string; by: string }
  | { code: 'acknowledged'; at: 'this' | 'higher'; by: string }
  | { code: 'behind_gateway'; gateway: string }
  | { code: 'waits_for_delay'; minutes: number; of: 'band' | 'stale' }
  | { code: 'waits_for_duty'; until: string }
  | { code: 'held_unsteady' }
  | { code: 'unsteady'; count: number; withinMinutes: number }
  | { code: 'told_already'; everyMinutes: number }
  | { code: 'in_alarm'; severity: AlarmSeverity }
  | { code: 'escalated' | 'eased'; from: AlarmSeverity; to: AlarmSeverity }
  | { code: 'repeats'; everyMinutes: number }
  | { code: 'no_data' | 'data_again' | 'recovered' | 'somebody_acknowledged' }
  | { code: 'overtaken'; by: Subject }
  | { code: 'end_before_told' | 'end_before_anybody_knew'; of: 'alarm' | 'stale' }
  | { code: 'stale_again' | 'beginning_on_its_way' | 'no_longer_acknowledged' | 'nothing_to_tell' }
  | { code: 'over_meanwhile'; of: 'alarm' | 'stale' }
  | { code: 'another_alarm' | 'stale_again_meanwhile' | 'never_told' | 'no_longer_reached' | 'group_gone' }
  | { code: 'passed' }
  | { code: 'nobody_acknowledged'; minutes: number }
  | { code: 'cannot_go'; by: string }
  | { code: 'passed_on'; by: string; how: string }
  | { code: 'step_reached_nobody' | 'step_failed'; step: number }
  | { code: 'no_step_reached_anybody' | 'every_message_failed' }
  | { code: 'nothing_arrived'; minutes: number }
  | { code: 'test' | 'drill' | 'handed_over' | 'not_decided' }
  | { code: 'drill_step'; step: number }
  /** A sentence from before there were codes. */
  | { code: 'said'; text: string };

type Code = Reason['code'];
type Of<One extends Code> = Extract<Reason, { code: One }>;

const WORDS: { [One in Code]: string | ((reason: Of<One>) => string) } = {
  archived: 'Archived',
  no_group: 'No notification group',
  nobody_to_tell: 'Nobody is in the group',
  nobody_on_duty: 'Nobody is on duty',
  flag_off: ({ flag }) => `${FLAG_NAMES[flag]} is off`,
  muted: ({ by }) => `Muted by ${by}`,
  in_downtime: ({ until, by }) => `In downtime until ${minuteOf(until)}, planned by ${by}`,
  acknowledged: ({ at, by }) =>
    `Acknowledged at ${at === 'this' ? 'this severity' : 'a higher severity'} by ${by}`,
  behind_gateway: ({ gateway }) => `Behind ${gateway}, which is stale too`,
  waits_for_delay: ({ minutes, of }) =>
    `Waits ${countMinutes(minutes)}: ${of === 'band' ? "the band's delay" : 'system_notification_delay_minutes'}`,
  waits_for_duty: ({ until }) => `Waits until ${minuteOf(until)}: nobody is on duty`,
  held_unsteady: 'Unsteady: told every 30 minutes at most',
  unsteady: ({ count, withinMinutes }) => `Unsteady, ${count} warnings within ${withinMinutes} minutes.`,
  told_already: ({ everyMinutes }) =>
    everyMinutes > 0 ? `Told already. Repeats every ${countMinutes(everyMinutes)}` : 'Told already',
  in_alarm: ({ severity }) => `In alarm: ${severity}`,
  escalated: ({ from, to }) => `Escalated from ${from} to ${to}`,
  eased: ({ from, to }) => `Eased from ${from} to ${to}`,
  repeats: ({ everyMinutes }) => `Repeats every ${countMinutes(everyMinutes)}`,
  no_data: 'No data comes in',
  data_again: 'Data comes in again',
  recovered: 'Recovered',
  somebody_acknowledged: 'Acknowledged',
  overtaken: ({ by }) => `Overtaken: now ${by}`,
  end_before_told: ({ of }) =>
    of === 'alarm' ? 'Recovered before it was told' : 'Data came back before it was told',
  end_before_anybody_knew: ({ of }) =>
    of === 'alarm' ? 'Recovered before anybody was told' : 'Data came back before anybody was told',
  stale_again: 'Stale again',
  beginning_on_its_way: 'The message it ends is still on its way',
  no_longer_acknowledged: 'No longer acknowledged',
  nothing_to_tell: 'Nothing to tell',
  over_meanwhile: ({ of }) => (of === 'alarm' ? 'Recovered meanwhile' : 'Data came back meanwhile'),
  another_alarm: 'In another alarm meanwhile',
  stale_again_meanwhile: 'Stale again meanwhile',
  never_told: 'Was never told what is over now',
  no_longer_reached: 'No longer reached through the group',
  group_gone: 'The group is gone',
  passed: 'Nobody is on duty: passed at once',
  nobody_acknowledged: ({ minutes }) => `Nobody acknowledged within ${countMinutes(minutes)}`,
  cannot_go: ({ by }) => `${by} cannot go`,
  passed_on: ({ by, how }) => `${by} passed it on by ${how}`,
  step_reached_nobody: ({ step }) => `Step ${step} reached nobody`,
  step_failed: ({ step }) => `Every message of step ${step} failed`,
  no_step_reached_anybody: 'No step reached anybody',
  every_message_failed: 'Every message failed',
  nothing_arrived: ({ minutes }) => `Nothing arrived within ${countMinutes(minutes)} of the last step`,
  test: 'Test',
  drill: 'Drill',
  handed_over: 'Handed over',
  not_decided: 'Not decided yet',
  drill_step: ({ step }) => `Drill, step ${step}`,
  said: ({ text }) => text,
};

/** Times in it are UTC, as everywhere in stored sentences: pages show them in their reader's zone. */
export function sayReason(reason: Reason): string {
  const words = WORDS[reason.code] as string | ((reason: Reason) => string);
  return typeof words === 'string' ? words : words(reason);
}

const minuteOf = (instant: string): string => formatMinute(new Date(instant));

const countMinutes = (minutes: number): string =>
  minutes === 1 ? '1 minute' : `${Number(minutes.toFixed(2))} minutes`;
