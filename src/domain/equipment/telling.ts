// Who is told of a service and about what, by its settings and the group that is chosen: in words, for every page.
import { message } from '../language/message.ts';
import type { Language } from '../language/speak.ts';
import { inOneSentence, listNames } from '../list-names.ts';
import type { ServiceSettings } from './service-settings.ts';

/** What a service tells about, each by a flag of its own. */
const TOLD_ABOUT = {
  // For translators: what somebody is told about, in a list such as “Told: Cold team, about critical alarms and warnings.”
  sendCritical: message('critical alarms'),
  sendWarning: message('warnings'),
  sendAcknowledgements: message('acknowledgements'),
  sendRecoveries: message('recoveries'),
  enableSystemNotifications: message('missing data'),
} as const satisfies Partial<Record<keyof ServiceSettings, string>>;

type TellingFlag = keyof typeof TOLD_ABOUT;
const TELLING_FLAGS = Object.keys(TOLD_ABOUT) as TellingFlag[];

export interface Telling extends Pick<ServiceSettings, TellingFlag> {
  /** null: no group is chosen. */
  groupName: string | null;
}

export interface SaidTelling {
  tells: 'nobody' | 'nothing' | 'some' | 'everything';
  text: string;
}

const listEvents = (flags: readonly TellingFlag[], language: Language): string =>
  inOneSentence(
    flags.map((flag) => language.say(TOLD_ABOUT[flag])),
    language,
  );

export function sayTelling({ groupName, ...flags }: Telling, language: Language): SaidTelling {
  const { say } = language;
  if (groupName === null) return { tells: 'nobody', text: say('Notified: nobody. No group is chosen.') };
  const told = TELLING_FLAGS.filter((flag) => flags[flag]);
  // For translators: {group} is the name of a group of people
  if (told.length === 0)
    return {
      tells: 'nothing',
      text: say('Notified of nothing. {group} is chosen, with everything switched off.', {
        group: groupName,
      }),
    };
  if (told.length === TELLING_FLAGS.length)
    return { tells: 'everything', text: say('Notified: {group}, about everything.', { group: groupName }) };
  return {
    tells: 'some',
    text: say('Notified: {group}, about {events}.', { group: groupName, events: listEvents(told, language) }),
  };
}

/** Who hears nothing of what while a service is muted. What then still holds is told when the mute ends. */
export function sayMuting(
  { groupName, ...flags }: Telling,
  names: readonly string[],
  language: Language,
): string {
  const { say } = language;
  const kept = TELLING_FLAGS.filter((flag) => flags[flag]);
  if (groupName === null)
    return say('A mute keeps nothing from anybody: no group is chosen, so nobody is notified.');
  if (kept.length === 0)
    return say('A mute keeps nothing from anybody: {group} is notified of nothing.', { group: groupName });
  const facts = { group: groupName, events: listEvents(kept, language) };
  return names.length === 0
    ? say(
        'While it is muted, {group} is not notified about {events}. They are notified of what then still holds when the mute ends.',
        facts,
      )
    : say(
        'While it is muted, {names} ({group}) {count, plural, one {is} other {are}} not notified about {events}. They are notified of what then still holds when the mute ends.',
        { ...facts, count: names.length, names: listNames(names, 'and', language) },
      );
}

const BY_SEVERITY = {
  critical: 'sendCritical',
  warning: 'sendWarning',
  stale: 'enableSystemNotifications',
} as const satisfies Record<string, TellingFlag>;

/** Why nobody is told of an alarm of this severity; null: by its settings somebody is. */
export function sayUntold(
  telling: Telling,
  severity: keyof typeof BY_SEVERITY,
  { say }: Language,
): string | null {
  const { groupName } = telling;
  // For translators: why nobody is told, behind a colon as in “Nobody was told: no group is chosen.”
  if (groupName === null) return say('no group is chosen');
  const flag = BY_SEVERITY[severity];
  if (telling[flag]) return null;
  return TELLING_FLAGS.some((other) => telling[other])
    ? say('{group} is not notified about {events}', { group: groupName, events: say(TOLD_ABOUT[flag]) })
    : say('{group} is notified of nothing', { group: groupName });
}
