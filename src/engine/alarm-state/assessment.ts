import type { Instant } from '../../domain/instant.ts';
import type { BandName } from '../../domain/judging/band.ts';
import type { ChannelState } from '../../domain/judging/judge.ts';
import type { Severity } from '../../domain/judging/severity.ts';
import type { AlarmEvent } from '../../domain/notifications/alarm-event.ts';
import type { CalmChannel, WatchedService } from './watched-service.ts';

export interface AlarmWrite {
  severity: Severity;
  severitySince: Instant | null;
  channel: string | null;
  band: BandName | null;
  value: number | null;
  limit: number | null;
  message: string | null;
  episodeId: string | null;
  staleSince: Instant | null;
}

/** What has to be written after a service was judged. */
export interface Assessment {
  watched: WatchedService;
  moved: Moved;
  /** null: nothing about the alarm changed. */
  alarm: AlarmWrite | null;
  /** When time alone may change something next. Infinity: never; null: as before. */
  nextDueAt: Instant | null;
  /** Of readings that came ahead of the clock, the latest time. */
  aheadUntil?: Instant | undefined;
  /** Their episodes are given by `giveEpisodes`. */
  events: readonly AlarmEvent[];
}

declare const numbered: unique symbol;

/** With the episodes of its events: only `giveEpisodes` makes one, and only such are written and remembered. */
export type Numbered = Assessment & { readonly [numbered]: true };

/**
 * Nearly all readings only bring known channels a new time and value, in the order of the calm channels. Otherwise all
 * channels as they are now.
 */
type Moved =
  | { calm: readonly CalmChannel[]; ats: readonly (Instant | null)[]; values: readonly (number | null)[] }
  | { channels: ReadonlyMap<string, ChannelState> };

/** More than times and values of channels that were there: what stands in the journal need not be written. */
export const isChanged = ({ moved, alarm, nextDueAt }: Assessment): boolean =>
  'channels' in moved || alarm !== null || nextDueAt !== null;
