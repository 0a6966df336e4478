// The titles, buttons and notices of acts on many units.
import { message } from '../../../domain/language/message.ts';
import type { Language } from '../../../domain/language/speak.ts';
import type { ManyActName } from '../../../engine/acts/many/many-act-rows.ts';

/** In the bar of the list. */
export const ACT_LABELS = {
  mute: message('Mute'),
  unmute: message('Unmute'),
  // For translators: a button that plans a downtime
  downtime: message('Downtime'),
  group: message('Group'),
  limits: message('Limits'),
  archive: message('Archive'),
} as const satisfies Record<ManyActName, string>;

const ACTS = {
  mute: message('Mute {count, plural, one {# unit} other {# units}}'),
  unmute: message('Unmute {count, plural, one {# unit} other {# units}}'),
  downtime: message('Schedule a downtime of {count, plural, one {# unit} other {# units}}'),
  group: message('Change the group of {count, plural, one {# unit} other {# units}}'),
  limits: message('Set the limits of {count, plural, one {# unit} other {# units}}'),
  archive: message('Archive {count, plural, one {# unit} other {# units}}'),
} as const satisfies Record<ManyActName, string>;

export const sayAct = (act: ManyActName, count: number, { say }: Language): string =>
  say(ACTS[act], { count });

const DONE = {
  mute: message('{count, plural, one {# unit is} other {# units are}} muted.'),
  unmute: message('{count, plural, one {# unit is} other {# units are}} unmuted.'),
  downtime: message('A downtime of {count, plural, one {# unit} other {# units}} is scheduled.'),
  group: message('{count, plural, one {# unit has} other {# units have}} another group.'),
  limits: message(
    '{count, plural, one {# unit has} other {# units have}} other limits, judged again at once.',
  ),
  archive: message(
    '{count, plural, one {# unit is} other {# units are}} archived. Settings, Services has them.',
  ),
  undo: message('Undone for {count, plural, one {# unit} other {# units}}.'),
} as const satisfies Record<ManyActName | 'undo', string>;

export type ManyDone = keyof typeof DONE | 'late';

export const isManyDone = (text: string | undefined): text is ManyDone =>
  text === 'late' || (text !== undefined && Object.hasOwn(DONE, text));

export const sayDoneMany = (done: ManyDone, count: number, left: number, { say }: Language): string =>
  [
    done === 'late' ? say('It cannot be undone any more.') : say(DONE[done], { count }),
    ...(left > 0
      ? [
          say(
            '{left, plural, one {# unit was} other {# units were}} left as {left, plural, one {it is} other {they are}}.',
            {
              left,
            },
          ),
        ]
      : []),
  ].join(' ');
