// A line at the terminal that is drawn anew as work goes on.
import type { Clock } from './clock.ts';

/** Where a bar can be drawn: standard error of a terminal. */
export interface Bar {
  columns?: number;
  write(text: string): unknown;
}

export interface ProgressBar {
  /** `share`: null when nobody knows how much there is. */
  draw(share: number | null, text: () => string): void;
  clear(): void;
}

const REDRAW_MS = 100;
const BAR_WIDTH = 24;
const CLEAR_LINE = '\r\u001b[K';

export function openProgressBar(bar: Bar, clock: Clock): ProgressBar {
  let drawnAt = 0;
  let isDrawn = false;
  return {
    draw(share, text) {
      const now = clock().getTime();
      if (now - drawnAt < REDRAW_MS) return;
      drawnAt = now;
      const line = `${share === null ? '' : drawShare(share)}${text()}`;
      bar.write(CLEAR_LINE + line.slice(0, (bar.columns || 80) - 1));
      isDrawn = true;
    },
    clear() {
      if (isDrawn) bar.write(CLEAR_LINE);
      isDrawn = false;
    },
  };
}

function drawShare(share: number): string {
  const filled = Math.round(share * BAR_WIDTH);
  return `[${'#'.repeat(filled)}${'-'.repeat(BAR_WIDTH - filled)}] `;
}

/** `0:06`, `1:02:03` */
export function formatSpan(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  const two = (number: number) => String(number).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}
