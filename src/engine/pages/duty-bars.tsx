// The next days as bars: who is on duty when, and where nobody is.

import type { Language } from '../../domain/language/speak.ts';
import { addDays, instantAt, localDay, weekdayOf } from '../../domain/on-call/local-instant.ts';
import { nameWeekday } from '../../domain/weekday-name.ts';
import { useLanguage } from '../../platform/html/language.tsx';
import { Period, type Reader, type ShownTime, showTime } from '../../platform/html/time.tsx';

const DAY_MS = 24 * 60 * 60_000;
export const SHOWN_MS = 7 * DAY_MS;

export interface DutyBar {
  /** null: nobody. */
  label: string | null;
  from: ShownTime;
  until: ShownTime;
  /** Of the days shown, from 0 to 100. */
  start: number;
  width: number;
  /** The same for the same people. */
  tone: number;
}

export interface Week {
  days: { start: number; weekday: string; date: number }[];
}

const TONES = 3;
/** Less than that of the days shown has no room for a name: on a phone, and anywhere. */
const SHORT = 12;
const LEAST = 3;

const shareOf = (at: Date, { now }: Reader) => ((at.getTime() - now.getTime()) / SHOWN_MS) * 100;

/** Where days begin on the reader's own wall clock. */
export function drawDays(reader: Reader): Week['days'] {
  const today = localDay(reader.now, reader.timezone);
  return (
    Array.from({ length: 8 }, (_, ahead) => addDays(today, ahead))
      .map((day) => ({
        start: shareOf(instantAt(day, '00:00', reader.timezone), reader),
        weekday: nameWeekday(weekdayOf(day), reader.language, 'short'),
        date: Number(day.slice(8)),
      }))
      // Nothing is written over the edge.
      .filter(({ start }) => start >= 0 && start < 94)
  );
}

/** Neighbours that say the same are one bar. */
export function drawBars(
  spans: readonly { startAt: Date; endAt: Date; label: string | null }[],
  reader: Reader,
): DutyBar[] {
  const merged: { startAt: Date; endAt: Date; label: string | null }[] = [];
  for (const span of spans) {
    const last = merged.at(-1);
    if (last && last.label === span.label) last.endAt = span.endAt;
    else merged.push({ ...span });
  }
  const tones = [...new Set(merged.flatMap(({ label }) => label ?? []))];
  return merged.map(({ startAt, endAt, label }) => ({
    label,
    from: showTime(startAt, reader),
    until: showTime(endAt, reader),
    start: shareOf(startAt, reader),
    width: shareOf(endAt, reader) - shareOf(startAt, reader),
    tone: label === null ? 0 : tones.indexOf(label) % TONES,
  }));
}

/** Each line with its name above it, all on the same scale. */
export const DutyBars = ({
  lines,
  days,
}: {
  lines: readonly { name: string; bars: readonly DutyBar[] }[];
  days: Week['days'];
}) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <div class="duty">
      {lines.map(({ name, bars }) => (
        <figure key={name} class="duty-line">
          <figcaption>{name}</figcaption>
          <svg
            class="duty-bars"
            role="img"
            aria-label={say('{name}: {bars}', { name, bars: describe(bars, language) })}
          >
            {bars.map(({ label, from, until, start, width, tone }) => (
              <svg
                key={from.iso}
                x={`${start}%`}
                width={`${width}%`}
                height="100%"
                class={`${label === null ? 'duty-nobody' : `duty-tone-${tone}`}${width < SHORT ? ' duty-short' : ''}`}
              >
                <title>
                  {say('{label}, {from} to {until}', {
                    label: label ?? say('Nobody'),
                    from: from.label,
                    until: until.label,
                  })}
                </title>
                <rect width="100%" height="100%" />
                {width >= LEAST && (
                  <text x="6" y="50%">
                    {label ?? say('Nobody')}
                  </text>
                )}
              </svg>
            ))}
            {days.map(({ start, date }) => (
              <line key={date} x1={`${start}%`} x2={`${start}%`} y1="0" y2="100%" />
            ))}
          </svg>
        </figure>
      ))}
      <svg class="duty-days" aria-hidden="true">
        {days.map(({ start, weekday, date }) => (
          <text key={date} x={`${start}%`} dx="2" y="1em">
            {weekday}
            <tspan class="only-wide"> {date}</tspan>
          </text>
        ))}
      </svg>
    </div>
  );
};

/** The same in words, for whoever cannot make out a narrow bar. */
export const DutyList = ({ lines }: { lines: readonly { name: string; bars: readonly DutyBar[] }[] }) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <details>
      <summary>{say('As a list')}</summary>
      {lines.map(({ name, bars }) => (
        <section key={name}>
          <h4>{name}</h4>
          <ul class="rows">
            {bars.map(({ label, from, until }) => (
              <li key={from.iso}>
                <span>{label ?? <strong class="error">{say('Nobody')}</strong>}</span>
                <span>
                  <Period from={from} until={until} />
                </span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </details>
  );
};

const describe = (bars: readonly DutyBar[], { say }: Language): string =>
  bars
    .map(({ label, from, until }) =>
      label === null
        ? say('nobody from {from} to {until}', { from: from.label, until: until.label })
        : say('{label} from {from} to {until}', { label, from: from.label, until: until.label }),
    )
    .join('; ');
