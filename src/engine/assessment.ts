import type { Instant } from '../domain/judge.ts';
import type { AlarmEvent, AlarmWrite, ChannelWrite } from './alarm-store.ts';

/** What has to be written after a service was judged. */
export interface Assessment {
  channels: ChannelWrite[];
  /** null: nothing about the alarm changed. */
  alarm: AlarmWrite | null;
  /** When time alone may change something next. */
  nextDueAt: Instant | null;
  /** Episode ids are still to be given, see `numberEpisodes`. */
  events: AlarmEvent[];
}
