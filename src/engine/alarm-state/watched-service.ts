import type { ServiceId } from '../../domain/ids.ts';
import type { Instant } from '../../domain/instant.ts';
import type { ChannelState } from '../../domain/judging/judge.ts';
import type { Severity } from '../../domain/judging/severity.ts';
import type { ServiceConfig } from './service-config.ts';

/** The alarm of a service as it stands in its row. */
export interface StoredAlarm {
  serviceId: ServiceId;
  configVersion: number;
  severity: Severity;
  severitySince: Instant | null;
  channel: string | null;
  episodeId: string | null;
  staleSince: Instant | null;
  /** -Infinity: due at once. */
  nextDueAt: Instant | null;
  /** Readings that came ahead of the clock have times up to this one: what is not later may be the double of one. */
  aheadUntil: Instant | null;
}

/** A channel as a quiet service knows it: a newer value from `low` to `high` changes nothing but its state's time and value. */
export interface CalmChannel {
  name: string;
  id: number;
  low: number;
  high: number;
  /** Some temperatures stand for a probe that does not measure. */
  isCelsius: boolean;
  /** After so long it is noticed that it fell silent; null: it is not. */
  listenedMs: number | null;
  state: ChannelState;
}

/**
 * All that has to be known of a service to judge its next reading: what is committed, no more and no less. Changed in place (`engine/alarm-state/catalogue.ts` only), because tens of thousands change every second.
 */
export interface WatchedService {
  config: ServiceConfig;
  alarm: StoredAlarm;
  channels: ReadonlyMap<string, ChannelState>;
  /** The channels again, in the order of the row; null: not quiet; undefined: not asked since it last changed. */
  calm: CalmChannel[] | null | undefined;
}
