// How an import comes along: a bar at a terminal, else a line every few seconds.
import type { Clock } from '../../platform/clock.ts';
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

/** Where a bar can be drawn: standard error of a terminal. */
export interface Bar {
  columns?: number;
  write(text: string): unknown;
}

export interface Progress {
  update(bytes: number, readings: number): void;
  /** A line above the bar. */
  say(line: string): void;
  end(): void;
}

const REDRAW_MS = 100;
const LINE_MS = 5_000;
const BAR_WIDTH = 24;
const CLEAR_LINE = '\r\u001b[K';

export function openProgress(
  { clock, out, bar }: { clock: Clock; out: Output; bar: Bar | null },
  { firstByte, size }: { firstByte: number; size: number | null },
): Progress {
  const startedAt = clock().getTime();
  let shownAt = bar ? 0 : startedAt;
  let isDrawn = false;

  const clear = () => {
    if (isDrawn) bar?.write(CLEAR_LINE);
    isDrawn = false;
  };
  return {
    update(bytes, readings) {
      const now = clock().getTime();
      if (now - shownAt < (bar ? REDRAW_MS : LINE_MS)) return;
      shownAt = now;
      const snapshot = { bytes, size, readings, firstByte, seconds: (now - startedAt) / 1000 };
      if (!bar) return out.stderr(describeProgress(snapshot));
      const text = `${drawBar(snapshot)}${describeProgress(snapshot)}`;
      bar.write(CLEAR_LINE + text.slice(0, (bar.columns ?? 80) - 1));
      isDrawn = true;
    },
    say(line) {
      clear();
      out.stderr(line);
    },
    end: clear,
  };
}

const shareOf = ({ bytes, size }: Snapshot) => (size ? Math.min(1, bytes / size) : 0);

function drawBar(snapshot: Snapshot): string {
  if (snapshot.size === null) return '';
  const filled = Math.round(shareOf(snapshot) * BAR_WIDTH);
  return `[${'#'.repeat(filled)}${'-'.repeat(BAR_WIDTH - filled)}] `;
}

/** `42 %, 84000 readings, 21000 readings/s, 0:06 left` */
export function describeProgress(snapshot: Snapshot): string {
  const { bytes, size, readings, seconds, firstByte } = snapshot;
  const parts = [`${readings} readings`, `${seconds > 0 ? Math.round(readings / seconds) : 0} readings/s`];
  if (size === null) return parts.join(', ');
  const bytesPerSecond = seconds > 0 ? (bytes - firstByte) / seconds : 0;
  if (bytesPerSecond > 0) parts.push(`${formatSpan((size - bytes) / bytesPerSecond)} left`);
  return [`${Math.floor(shareOf(snapshot) * 100)} %`, ...parts].join(', ');
}

function formatSpan(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  const two = (number: number) => String(number).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}
