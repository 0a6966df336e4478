import { formatInstant } from '../../domain/instant.ts';
import { formatLocalTime } from '../../domain/local-time.ts';

export interface ShownTime {
  /** UTC, for programs. */
  iso: string;
  /** In the reader's zone. */
  label: string;
}

export const showTime = (at: Date, timeZone: string): ShownTime => ({
  iso: formatInstant(at),
  label: formatLocalTime(at, timeZone),
});

export const Time = ({ iso, label }: ShownTime) => <time datetime={iso}>{label}</time>;
