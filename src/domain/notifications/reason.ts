// Why something was told, or not, or not yet: a code with its facts. It is stored as it is, compared by its code, and said
// to people by `sayReason` alone. Instants are kept as text, as JSON keeps them.
import { formatMinute } from '../instant.ts';
import { message } from '../language/message.ts';
import type { Language } from '../language/speak.ts';
import { type AlarmSeverity, type Flag, type Subject, SWITCHED_OFF } from './subject.ts';

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
  | { code: 'no_data' | 'data_again' | 'recovered' | 'somebody_acknowledged' | 'somebody_there' }
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

const SENTENCES = {
  archived: message('Archived'),
  no_group: message('No notification group'),
  nobody_to_tell: message('Nobody is in the group'),
  nobody_on_duty: message('Nobody is on duty'),
  held_unsteady: message('Unsteady: notified every 30 minutes at most'),
  no_data: message('No data comes in'),
  data_again: message('Data comes in again'),
  recovered: message('Recovered'),
  somebody_acknowledged: message('Acknowledged'),
  somebody_there: message('Somebody is there'),
  stale_again: message('Stale again'),
  beginning_on_its_way: message('The message it ends is still on its way'),
  no_longer_acknowledged: message('No longer acknowledged'),
  nothing_to_tell: message('Nothing to notify of'),
  another_alarm: message('In another alarm meanwhile'),
  stale_again_meanwhile: message('Stale again meanwhile'),
  never_told: message('Was never notified of what is over now'),
  no_longer_reached: message('No longer reached through the group'),
  group_gone: message('The group is gone'),
  passed: message('Nobody is on duty: passed at once'),
  no_step_reached_anybody: message('No step reached anybody'),
  every_message_failed: message('Every message failed'),
  test: message('Test'),
  drill: message('Drill'),
  handed_over: message('Handed over'),
  not_decided: message('Not decided yet'),
} as const satisfies Partial<Record<Code, string>>;

type Plain = keyof typeof SENTENCES;

const WORDS: { [One in Exclude<Code, Plain>]: (reason: Of<One>, language: Language) => string } = {
  flag_off: ({ flag }, { say }) => say(SWITCHED_OFF[flag]),
  muted: ({ by }, { say }) => say('Muted by {by}', { by }),
  in_downtime: ({ until, by }, { say }) =>
    say('In downtime until {time}, planned by {by}', { time: minuteOf(until), by }),
  acknowledged: ({ at, by }, { say }) =>
    at === 'this'
      ? say('Acknowledged at this severity by {by}', { by })
      : say('Acknowledged at a higher severity by {by}', { by }),
  behind_gateway: ({ gateway }, { say }) => say('Behind {gateway}, which is stale too', { gateway }),
  waits_for_delay: ({ minutes, of }, language) => {
    const span = countMinutes(minutes, language);
    return of === 'band'
      ? language.say("Waits {span}: the band's delay", { span })
      : language.say('Waits {span}: the delay of missing data', { span });
  },
  waits_for_duty: ({ until }, { say }) =>
    say('Waits until {time}: nobody is on duty', { time: minuteOf(until) }),
  unsteady: ({ count, withinMinutes }, { say }) =>
    say(
      'Unsteady, {count, plural, one {# warning} other {# warnings}} within {withinMinutes, plural, one {# minute} other {# minutes}}.',
      { count, withinMinutes },
    ),
  told_already: ({ everyMinutes }, language) =>
    everyMinutes > 0
      ? language.say('Notified already. Repeats every {span}', { span: countMinutes(everyMinutes, language) })
      : language.say('Notified already'),
  in_alarm: ({ severity }, { say }) =>
    say('In alarm: {severity, select, critical {critical} other {warning}}', { severity }),
  escalated: ({ from, to }, { say }) =>
    say(
      'Escalated from {from, select, critical {critical} other {warning}} to {to, select, critical {critical} other {warning}}',
      { from, to },
    ),
  eased: ({ from, to }, { say }) =>
    say(
      'Eased from {from, select, critical {critical} other {warning}} to {to, select, critical {critical} other {warning}}',
      { from, to },
    ),
  repeats: ({ everyMinutes }, language) =>
    language.say('Repeats every {span}', { span: countMinutes(everyMinutes, language) }),
  overtaken: ({ by }, { say }) =>
    say(
      'Overtaken: now {by, select, critical {critical} warning {warning} stale {stale} recovery {recovery} acknowledgement {acknowledgement} other {back}}',
      { by },
    ),
  end_before_told: ({ of }, { say }) =>
    of === 'alarm' ? say('Recovered before its notification') : say('Data came back before its notification'),
  end_before_anybody_knew: ({ of }, { say }) =>
    of === 'alarm'
      ? say('Recovered before anybody was notified')
      : say('Data came back before anybody was notified'),
  over_meanwhile: ({ of }, { say }) =>
    of === 'alarm' ? say('Recovered meanwhile') : say('Data came back meanwhile'),
  nobody_acknowledged: ({ minutes }, language) =>
    language.say('Nobody acknowledged within {span}', { span: countMinutes(minutes, language) }),
  cannot_go: ({ by }, { say }) => say('{by} cannot go', { by }),
  passed_on: ({ by, how }, { say }) =>
    say('{by} passed it on by {how, select, telephone {telephone} other {{how}}}', { by, how }),
  step_reached_nobody: ({ step }, { say }) => say('Step {step} reached nobody', { step }),
  step_failed: ({ step }, { say }) => say('Every message of step {step} failed', { step }),
  nothing_arrived: ({ minutes }, language) =>
    language.say('Nothing arrived within {span} of the last step', {
      span: countMinutes(minutes, language),
    }),
  drill_step: ({ step }, { say }) => say('Drill, step {step}', { step }),
  said: ({ text }) => text,
};

/** Times in it are UTC, as everywhere in stored sentences: pages show them in their reader's zone. */
export function sayReason(reason: Reason, language: Language): string {
  const { code } = reason;
  if (code in SENTENCES) return language.say(SENTENCES[code as Plain]);
  const words = WORDS[code as Exclude<Code, Plain>] as (reason: Reason, language: Language) => string;
  return words(reason, language);
}

const minuteOf = (instant: string): string => formatMinute(new Date(instant));

const countMinutes = (minutes: number, { say }: Language): string =>
  say('{minutes, plural, one {# minute} other {# minutes}}', { minutes: Number(minutes.toFixed(2)) });
