// What is told of a service, with everything a transport needs to say it: no transport looks anything up.
import type { Guidance } from '../guidance/guidance.ts';
import type { ServiceId } from '../ids.ts';
import type { AlarmFacts } from '../words/alarm-facts.ts';
import type { StateWords } from '../words/state-words.ts';
import type { Subject } from './subject.ts';

export interface Notice {
  /** Of the notification: stable over retries, so that receivers can drop doubles. */
  notificationId: string;
  subject: Subject;
  /** Not a real alarm: said so wherever it is shown. */
  mark: 'test' | 'drill' | null;
  /** The alarm was told before and still holds. */
  isRepeat: boolean;
  organizationName: string;
  /** Its readers hear from several: it is named wherever the service is. */
  isOneOfSeveral: boolean;
  groupName: string;
  serviceId: ServiceId;
  serviceName: string;
  locationName: string | null;
  /** null for what belongs to none, such as a stale period. */
  episodeId: string | null;
  /** How the service stands as this is told. */
  severity: 'critical' | 'warning' | 'stale' | 'normal';
  /** One line, as the interface has it. */
  message: string;
  /** The same for people: a true minus, and states in words. */
  said: string;
  channel: string | null;
  channelLabel: string | null;
  unit: string | null;
  /** Of a state: what its values are called. */
  words: StateWords | null;
  value: number | null;
  limit: number | null;
  /** When the severity began, or the data went stale. */
  since: Date | null;
  /** When it happened: raised, recovered, acknowledged. */
  at: Date;
  acknowledgedBy: string | null;
  comment: string | null;
  serviceUrl: string;
  /** The list of all alarms. */
  alarmsUrl: string;
  /** null where there is nothing to acknowledge. */
  acknowledgeUrl: string | null;
  /** How the alarm stands as this is written; null: it is over, or of another one. */
  facts: AlarmFacts | null;
  /** What to do, where something is wrong and somebody said so. */
  guidance: Guidance | null;
  /** How long its contents can wait and where they can go, a sentence each. */
  rescue: readonly string[];
  /** The last hours of the channel, for a small picture. */
  curve: Curve | null;
}

export interface Curve {
  from: Date;
  to: Date;
  /** Epoch milliseconds and values, ascending. */
  points: readonly (readonly [at: number, value: number])[];
  limits: readonly { severity: 'critical' | 'warning'; limit: number }[];
}
