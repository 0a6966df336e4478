// What is told of a service: one word for it everywhere, and one row for each. The columns are all that anybody may ask of
// a subject; a new one is a row here, and the compiler asks for the rest.
import { message } from '../language/message.ts';

export type Subject = 'critical' | 'warning' | 'recovery' | 'acknowledgement' | 'arrival' | 'stale' | 'back';

/** The setting of a service that lets it be told. */
export type Flag =
  | 'sendCritical'
  | 'sendWarning'
  | 'sendRecoveries'
  | 'sendAcknowledgements'
  | 'enableSystemNotifications';

interface SubjectRow {
  /** It says that something is wrong, and somebody has to know while it holds. */
  begins: boolean;
  /** What it is about: an alarm, by its episode, or data that stays away, by its stale period. */
  topic: 'alarm' | 'stale';
  /** How the service stands as it is told; null: as the alarm does. */
  severity: 'critical' | 'warning' | 'stale' | 'normal' | null;
  flag: Flag;
  /** What tells that it is over; null: nothing does. */
  endsWith: Subject | null;
  /** In capitals before the name of the service. */
  title: string;
  /** The same, told before and not over yet; null: it is told once. */
  still: string | null;
  /** On a page, as a noun. */
  name: string;
  /** With a number before it. */
  counted: string;
  /** What the time of it is called beside the time it began; null: it is that time. */
  happened: string | null;
  tone: 'critical' | 'warning' | 'stale' | 'normal' | 'calm';
  urgency: 'critical' | 'warning' | 'none';
}

export const SUBJECTS = {
  critical: {
    begins: true,
    topic: 'alarm',
    severity: 'critical',
    flag: 'sendCritical',
    endsWith: 'recovery',
    // For translators: in capitals, before the name of a freezer, on lock screens too
    title: message('CRITICAL'),
    still: message('STILL CRITICAL'),
    name: message('Critical alarm'),
    counted: message('{count, plural, one {# critical} other {# critical}}'),
    happened: null,
    tone: 'critical',
    urgency: 'critical',
  },
  warning: {
    begins: true,
    topic: 'alarm',
    severity: 'warning',
    flag: 'sendWarning',
    endsWith: 'recovery',
    title: message('WARNING'),
    still: message('STILL WARNING'),
    name: message('Warning'),
    counted: message('{count, plural, one {# warning} other {# warning}}'),
    happened: null,
    tone: 'warning',
    urgency: 'warning',
  },
  stale: {
    begins: true,
    topic: 'stale',
    severity: 'stale',
    flag: 'enableSystemNotifications',
    endsWith: 'back',
    title: message('NO DATA'),
    still: message('STILL NO DATA'),
    name: message('Missing data'),
    counted: message('{count, plural, one {# without data} other {# without data}}'),
    happened: null,
    tone: 'stale',
    urgency: 'warning',
  },
  acknowledgement: {
    begins: false,
    topic: 'alarm',
    severity: null,
    flag: 'sendAcknowledgements',
    endsWith: null,
    title: message('ACKNOWLEDGED'),
    still: null,
    name: message('Acknowledgement'),
    counted: message('{count, plural, one {# acknowledged} other {# acknowledged}}'),
    happened: message('Acknowledged'),
    tone: 'calm',
    urgency: 'none',
  },
  arrival: {
    begins: false,
    topic: 'alarm',
    severity: null,
    flag: 'sendAcknowledgements',
    endsWith: null,
    // For translators: somebody stands before the freezer; in capitals, before its name
    title: message('SOMEBODY IS THERE'),
    still: null,
    name: message('Somebody is there'),
    counted: message('{count, plural, one {# arrival} other {# arrivals}}'),
    // For translators: when somebody came to the freezer
    happened: message('Arrived'),
    tone: 'calm',
    urgency: 'none',
  },
  recovery: {
    begins: false,
    topic: 'alarm',
    severity: 'normal',
    flag: 'sendRecoveries',
    endsWith: null,
    title: message('RECOVERED'),
    still: null,
    name: message('Recovery'),
    counted: message('{count, plural, one {# recovered} other {# recovered}}'),
    happened: message('Recovered'),
    tone: 'normal',
    urgency: 'none',
  },
  back: {
    begins: false,
    topic: 'stale',
    severity: 'normal',
    flag: 'enableSystemNotifications',
    endsWith: null,
    title: message('DATA IS BACK'),
    still: null,
    name: message('Data that comes in again'),
    counted: message('{count, plural, one {# with data again} other {# with data again}}'),
    happened: message('Data again'),
    tone: 'normal',
    urgency: 'none',
  },
} as const satisfies Record<Subject, SubjectRow>;

export const SWITCHED_OFF = {
  sendCritical: message('Critical alarms are switched off for this unit'),
  sendWarning: message('Warnings are switched off for this unit'),
  sendRecoveries: message('Recoveries are switched off for this unit'),
  sendAcknowledgements: message('Acknowledgements are switched off for this unit'),
  enableSystemNotifications: message('Notifications of missing data are switched off for this unit'),
} as const satisfies Record<Flag, string>;

/** In the order in which people look at them: the worst first. */
export const ALL_SUBJECTS = Object.keys(SUBJECTS) as Subject[];

/** What somebody does about an alarm: it neither begins nor ends one. */
export type Deed = 'acknowledgement' | 'arrival';

export const isDeed = (subject: Subject): subject is Deed =>
  subject === 'acknowledgement' || subject === 'arrival';

type NamesWhere<Column extends keyof SubjectRow, Value> = {
  [Name in Subject]: (typeof SUBJECTS)[Name][Column] extends Value ? Name : never;
}[Subject];

/** Subjects that say that something is wrong. */
export type Beginning = NamesWhere<'begins', true>;

export const isBeginning = (subject: Subject): subject is Beginning => SUBJECTS[subject].begins;

/** The worst first. */
export const BEGINNINGS: readonly Beginning[] = ALL_SUBJECTS.filter(isBeginning);

export const isAbout = (subject: Subject, topic: SubjectRow['topic']): boolean =>
  SUBJECTS[subject].topic === topic;

/** What somebody can acknowledge: it says that something is wrong, and it is an alarm. */
export type AlarmSeverity = Beginning & NamesWhere<'topic', 'alarm'>;

export const canBeAcknowledged = (subject: Subject): subject is AlarmSeverity =>
  isBeginning(subject) && isAbout(subject, 'alarm');
