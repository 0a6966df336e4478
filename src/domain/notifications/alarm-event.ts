import type { ServiceId } from '../ids.ts';
import type { Instant } from '../instant.ts';
import type { BandName } from '../judging/band.ts';
import type { Severity } from '../judging/severity.ts';
import type { Deed, Subject } from './subject.ts';

/** What happened to the alarm of a service. */
export interface AlarmEvent {
  serviceId: ServiceId;
  episodeId: string | null;
  subject: Exclude<Subject, Deed>;
  from: Severity;
  to: Severity;
  channel: string | null;
  band: BandName | null;
  value: number | null;
  limit: number | null;
  versionId: number | null;
  message: string | null;
  /** When the value went beyond the limit; null: nothing did, or it is not known. */
  overSince: Instant | null;
  at: Instant;
}

/** An episode lasts from here until its recovery. */
export const beginsEpisode = ({ from, to }: AlarmEvent): boolean => from === 'normal' && to !== 'normal';
