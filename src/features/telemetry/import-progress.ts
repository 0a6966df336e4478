// How an import comes along: a bar at a terminal, else a line every few seconds.
import type { Clock } from '../../platform/clock.ts';
import { type Bar, formatSpan, openProgressBar } from '../../platform/progress-bar.ts';
import type { Output } from '../../platform/terminal.ts';

export interface Snapshot {
  bytes: number;
  /** null: nobody knows how much standard input holds. */
  size: number | null;
  readings: number;
  /** Since this run began, and what it began with. */
  seconds: number;
  firstByte: number;
}

export interface Progress {
  update(bytes: number, readings: number): void;
  /** A line above the bar. */
  say(line: string): void;
  end(): void;
}

const LINE_MS = 5_000;

export function openProgress(
  { clock, out, bar }: { clock: Clock; out: Output; bar: Bar | null },
  { firstByte, size }: { firstByte: number; size: number | null },
): Progress {
  const startedAt = clock().getTime();
  const drawing = bar && openProgressBar(bar, clock);
  let saidAt = startedAt;
  return {
    update(bytes, readings) {
      const now = clock().getTime();
      const snapshot = { bytes, size, readings, firstByte, seconds: (now - startedAt) / 1000 };
      if (drawing)
        return drawing.draw(size === null ? null : shareOf(snapshot), () => describeProgress(snapshot));
      if (now - saidAt < LINE_MS) return;
      saidAt = now;
      out.stderr(describeProgress(snapshot));
    },
    say(line) {
      drawing?.clear();
      out.stderr(line);
    },
    end: () => drawing?.clear(),
  };
}

const shareOf = ({ bytes, size }: Snapshot) => (size ? Math.min(1, bytes / size) : 0);

/** `42 %, 84000 readings, 21000 readings/s, 0:06 left` */
export function describeProgress(snapshot: Snapshot): string {
  const { bytes, size, readings, seconds, firstByte } = snapshot;
  const parts = [`${readings} readings`, `${seconds > 0 ? Math.round(readings / seconds) : 0} readings/s`];
  if (size === null) return parts.join(', ');
  const bytesPerSecond = seconds > 0 ? (bytes - firstByte) / seconds : 0;
  if (bytesPerSecond > 0) parts.push(`${formatSpan((size - bytes) / bytesPerSecond)} left`);
  return [`${Math.floor(shareOf(snapshot) * 100)} %`, ...parts].join(', ');
}
