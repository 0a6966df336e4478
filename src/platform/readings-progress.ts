// How an import or an export comes along: a bar at a terminal, else a line every few seconds.
import type { Clock } from './clock.ts';
import { type Bar, formatSpan, openProgressBar } from './progress-bar.ts';
import type { Output } from './terminal.ts';

export interface Snapshot {
  /** In whatever unit `all` has. */
  done: number;
  /** null: nobody knows how much standard input holds. */
  all: number | null;
  readings: number;
  /** Since this run began, and what it began with. */
  seconds: number;
  first: number;
}

export interface Progress {
  update(done: number, readings: number): void;
  /** A line above the bar. */
  say(line: string): void;
  end(): void;
}

const LINE_MS = 5_000;

export function openProgress(
  { clock, out, bar }: { clock: Clock; out: Output; bar: Bar | null },
  { first, all }: { first: number; all: number | null },
): Progress {
  const startedAt = clock().getTime();
  const drawing = bar && openProgressBar(bar, clock);
  let saidAt = startedAt;
  return {
    update(done, readings) {
      const now = clock().getTime();
      const snapshot = { done, all, readings, first, seconds: (now - startedAt) / 1000 };
      if (drawing)
        return drawing.draw(all === null ? null : shareOf(snapshot), () => describeProgress(snapshot));
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

const shareOf = ({ done, all }: Snapshot) => (all ? Math.min(1, done / all) : 0);

/** `42 %, 84000 readings, 21000 readings/s, 0:06 left` */
export function describeProgress(snapshot: Snapshot): string {
  const { done, all, readings, seconds, first } = snapshot;
  const parts = [`${readings} readings`, `${seconds > 0 ? Math.round(readings / seconds) : 0} readings/s`];
  if (all === null) return parts.join(', ');
  const perSecond = seconds > 0 ? (done - first) / seconds : 0;
  if (perSecond > 0) parts.push(`${formatSpan((all - done) / perSecond)} left`);
  return [`${Math.floor(shareOf(snapshot) * 100)} %`, ...parts].join(', ');
}
