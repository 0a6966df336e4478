import { formatInstant } from '../../domain/instant.ts';
import { formatLocalTime } from '../../domain/local-time.ts';
import { describeSpan } from '../../domain/span.ts';

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

export const Time = ({ iso, label }: ShownTime) => (
  <time datetime={iso} title={iso}>
    {label}
  </time>
);

/** How long something has lasted, in minutes; where scripts run it goes on counting. */
export const Span = ({ ms }: { ms: number }) => {
  const wholeMinutes = Math.max(1, Math.floor(ms / 60_000));
  return <span data-span-ms={Math.max(0, ms)}>{describeSpan(wholeMinutes * 60_000)}</span>;
};
