// Who is told of a service and about what, by its settings and the group that is chosen: in words, for every page.
import { english } from '../language/english.ts';
import { inOneSentence, listNames } from '../list-names.ts';
import type { ServiceSettings } from './service-settings.ts';

/** What a service tells about, each by a flag of its own. */
const TOLD_ABOUT = {
  sendCritical: 'critical alarms',
  sendWarning: 'warnings',
  sendAcknowledgements: 'acknowledgements',
  sendRecoveries: 'recoveries',
  enableSystemNotifications: 'missing data',
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

export function sayTelling({ groupName, ...flags }: Telling): SaidTelling {
  if (groupName === null) return { tells: 'nobody', text: 'Told: nobody. No group is chosen.' };
  const told = TELLING_FLAGS.filter((flag) => flags[flag]);
  if (told.length === 0)
    return { tells: 'nothing', text: `Told: nothing. ${groupName} is chosen, with everything switched off.` };
  if (told.length === TELLING_FLAGS.length)
    return { tells: 'everything', text: `Told: ${groupName}, about everything.` };
  const words = told.map((flag) => TOLD_ABOUT[flag]);
  return { tells: 'some', text: `Told: ${groupName}, about ${inOneSentence(words, english)}.` };
}

/** Who hears nothing of what while a service is muted. What then still holds is told when the mute ends. */
export function sayMuting({ groupName, ...flags }: Telling, names: readonly string[]): string {
  const kept = TELLING_FLAGS.filter((flag) => flags[flag]).map((flag) => TOLD_ABOUT[flag]);
  if (groupName === null) return 'A mute keeps nothing from anybody: no group is chosen, so nobody is told.';
  if (kept.length === 0) return `A mute keeps nothing from anybody: ${groupName} is told nothing.`;
  const whom = names.length === 0 ? groupName : `${listNames(names, 'and', english)} (${groupName})`;
  const are = names.length > 1 ? 'are' : 'is';
  return `While it is muted, ${whom} ${are} not told about ${inOneSentence(kept, english)}. What then still holds is told when the mute ends.`;
}

const BY_SEVERITY = {
  critical: 'sendCritical',
  warning: 'sendWarning',
  stale: 'enableSystemNotifications',
} as const satisfies Record<string, TellingFlag>;

/** Why nobody is told of an alarm of this severity; null: by its settings somebody is. */
export function sayUntold(telling: Telling, severity: keyof typeof BY_SEVERITY): string | null {
  const { groupName } = telling;
  if (groupName === null) return 'no group is chosen';
  const flag = BY_SEVERITY[severity];
  if (telling[flag]) return null;
  return TELLING_FLAGS.some((other) => telling[other])
    ? `${groupName} is not told about ${TOLD_ABOUT[flag]}`
    : `${groupName} is told nothing`;
}
