import { english } from '../../domain/language/english.ts';
import type { Clock } from '../../platform/clock.ts';
import { formatBytes } from '../../platform/format-bytes.ts';
import { type Bar, formatSpan, openProgressBar } from '../../platform/progress-bar.ts';

export interface Progress {
  /** `share`: null when nobody knows. */
  update(bytes: number, share: number | null): void;
  end(): void;
}

/** Only at a terminal; a script reads the summary. */
export function openProgress(bar: Bar | null, clock: Clock, label: string): Progress {
  const startedAt = clock().getTime();
  const drawing = bar && openProgressBar(bar, clock);
  return {
    update: (bytes, share) =>
      drawing?.draw(share, () => {
        const seconds = (clock().getTime() - startedAt) / 1000;
        return `${label} ${describeProgress(bytes, share, seconds)}`;
      }),
    end: () => drawing?.clear(),
  };
}

/** `42 %, 1.3 GB, 84.0 MB/s, 0:21 left` */
export function describeProgress(bytes: number, share: number | null, seconds: number): string {
  const parts = [formatBytes(bytes, english), `${formatBytes(seconds > 0 ? bytes / seconds : 0, english)}/s`];
  if (share === null) return parts.join(', ');
  if (share > 0) parts.push(`${formatSpan((seconds * (1 - share)) / share)} left`);
  return [`${Math.floor(share * 100)} %`, ...parts].join(', ');
}
