// All that decides what is told of one service. Read from the database, or made up where something is foretold; decide.ts
// alone judges it.
import type { ServiceSettings } from '../equipment/service-settings.ts';
import type { Severity } from '../judging/severity.ts';
import type { Recipient } from '../on-call/recipient.ts';
import type { Ladder } from './ladder.ts';
import type { Reason } from './reason.ts';
import type { AlarmSeverity, Beginning, Subject } from './subject.ts';
import type { WarningTold } from './unsteady.ts';

export interface Situation {
  isArchived: boolean;
  severity: Severity;
  /** When the severity began; null while normal. */
  since: Date | null;
  episodeId: string | null;
  /** Of the band that fired. */
  delayMinutes: number;
  /** null: data comes in. */
  stale: { id: string; noticedAt: Date } | null;
  settings: NotificationSettings;
  group: Group | null;
  mutedBy: string | null;
  /** Those that have not ended yet. */
  downtimes: readonly Window[];
  /** Of the last mute or downtime; repeats do not count what passed before. */
  suppressionEndedAt: Date | null;
  /** Those that stand. */
  acknowledgements: readonly { severity: AlarmSeverity; by: string }[];
  /** All that its readings come through is stale and told of itself; null: not so. */
  staleGateway: string | null;
  /** Warnings that began within the last hour, and who was told of each. */
  warningsTold: readonly WarningTold[];
  climbed: Climbed;
  toldBefore: ToldBefore;
  /** Oldest first. */
  waiting: readonly Waiting[];
}

/** Of a downtime. */
export interface Window {
  startAt: Date;
  endAt: Date;
  by: string;
}

export interface OpenedStep {
  step: number;
  at: Date;
  reason: Reason;
}

/** How far what holds now has climbed the ladder of its group. */
export interface Climbed {
  opened: readonly (OpenedStep & { subject: Beginning })[];
  /** When an acknowledgement of this alarm last ended while it went on, by its severity. */
  acknowledgementEnds: readonly { severity: AlarmSeverity; at: Date }[];
  /** The last time that somebody who was told said not to go. */
  passedOn: PassedOn | null;
}

export interface PassedOn {
  severity: AlarmSeverity;
  at: Date;
  by: string;
  /** No further step opened by it: everybody else is told again. */
  isToAll: boolean;
  /** To whoever cannot go, as `nameRecipient` names them. */
  ways: readonly string[];
}

export type NotificationSettings = Omit<ServiceSettings, 'staleAfterMinutes' | 'notificationGroupId'>;

export interface Group {
  id: number;
  name: string;
  ladder: Ladder;
}

/** What people know already, of those who can still be reached. What was dropped on its way was not told. */
export interface ToldBefore {
  alarm: ToldTopic;
  stale: ToldTopic;
  /** Beginnings that did not arrive and will not any more, also to those who are not reached by now. */
  failed: readonly Failed[];
}

export interface ToldTopic {
  /** The last episode, or stale period, that anybody was told of. */
  id: string | null;
  /** It was decided that nobody hears of its end. */
  isClosed: boolean;
  told: readonly Told[];
}

/** The last thing one recipient was told, or is about to be. */
export interface Told extends Recipient {
  subject: Subject;
  groupId: number;
  at: Date;
  /** It has not arrived yet. */
  isUnderWay: boolean;
  /** Of this alarm or stale period something arrived, or may have. */
  hasHeard: boolean;
  /** It is still tried, but its receiver said that it takes none. */
  isRefused: boolean;
  /** Of the ladder at which it was told. */
  step: number;
}

export interface Failed extends Recipient {
  /** Of the episode or the stale period. */
  topicId: string;
  subject: Beginning;
  step: number;
  at: Date;
  /** Its provider took it and could not deliver it: that may cost money every time. */
  isLost: boolean;
}

/** What happened and waits to be told or not. */
export interface Waiting {
  id: string;
  subject: Subject;
  episodeId: string | null;
  /** Of an acknowledgement. */
  severity: 'critical' | 'warning' | 'stale' | 'normal';
}
