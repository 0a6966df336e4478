import type { ServiceId } from '../ids.ts';
import type { BandName } from './band.ts';
import type { Instant } from './judge.ts';
import type { Severity } from './severity.ts';

/** What happened to the alarm of a service. */
export interface AlarmEvent {
  serviceId: ServiceId;
  episodeId: string | null;
  kind: 'raised' | 'changed' | 'recovered' | 'went_stale' | 'came_back';
  from: Severity;
  to: Severity;
  channel: string | null;
  band: BandName | null;
  value: number | null;
  limit: number | null;
  versionId: number | null;
  message: string | null;
  at: Instant;
}
