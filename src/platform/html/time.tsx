import { formatInstant, splitAtTimes } from '../../domain/instant.ts';
import type { Language } from '../../domain/language/speak.ts';
import { formatLocalTime } from '../../domain/local-time.ts';
import { sayMoment } from '../../domain/moment.ts';
import { describeSpan } from '../../domain/span.ts';
import { sayWith, useLanguage } from './language.tsx';

/** Whose clock it is, what it shows, and in which language they read. */
export interface Reader {
  timezone: string;
  now: Date;
  language: Language;
}

export interface ShownTime {
  /** UTC, for programs. */
  iso: string;
  /** In the reader's zone: as people say it, and in full. */
  label: string;
  title: string;
}

export const showTime = (at: Date, { timezone, now, language }: Reader): ShownTime => ({
  iso: formatInstant(at),
  label: sayMoment(at, timezone, now, language),
  title: formatLocalTime(at, timezone),
});

/** Where scripts run, what was today is yesterday once it is past midnight. */
export const Time = ({ iso, label, title }: ShownTime) => (
  <time datetime={iso} title={title} data-moment="">
    {label}
  </time>
);

export const Period = ({ from, until }: { from: ShownTime; until: ShownTime }) => (
  <>{sayWith(useLanguage(), '{from} to {until}', { from: <Time {...from} />, until: <Time {...until} /> })}</>
);

/** A text with times in it. */
export type ShownText = readonly (string | ShownTime)[];

/** A text that was written for programs, with its times as its reader knows them. */
export const showText = (text: string, reader: Reader): ShownText =>
  splitAtTimes(text).map((part) => (typeof part === 'string' ? part : showTime(part, reader)));

export const Text = ({ parts }: { parts: ShownText }) => (
  <>{parts.map((part) => (typeof part === 'string' ? part : <Time key={part.iso} {...part} />))}</>
);

/** How long something has lasted, in minutes; where scripts run it goes on counting. */
export const Span = ({ ms }: { ms: number }) => {
  const language = useLanguage();
  const wholeMinutes = Math.max(1, Math.floor(ms / 60_000));
  return <span data-span-ms={Math.max(0, ms)}>{describeSpan(wholeMinutes * 60_000, language)}</span>;
};
