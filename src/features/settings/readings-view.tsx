import { english } from '../../domain/language/english.ts';
import type { YearAhead } from '../../domain/readings/foresee-year.ts';
import { LONGEST_RETENTION_YEARS, type MostDays } from '../../domain/readings/retention.ts';
import { sayCount } from '../../domain/words/say-count.ts';
import { PostForm } from '../../engine/pages/post-form.tsx';
import { type SettingsFrame, SettingsPage } from '../../engine/pages/settings-page.tsx';
import type { Fault } from '../../engine/pages/settings-routes.ts';
import { formatBytes } from '../../platform/format-bytes.ts';
import { Field } from '../../platform/html/field.tsx';
import { type ShownTime, Time } from '../../platform/html/time.tsx';

export const READINGS = '/settings/readings';

interface Stored {
  readings: number;
  bytes: number;
  since: ShownTime | null;
  /** null: it never was. */
  counted: ShownTime | null;
}

interface ReadingsProps {
  frame: SettingsFrame;
  stored: Stored;
  /** null: there is no pace yet. */
  year: YearAhead | null;
  years: number;
  mostDays: MostDays;
  fault: Fault | null;
}

export const ReadingsPage = ({ frame, stored, year, years, mostDays, fault }: ReadingsProps) => (
  <SettingsPage title="Readings" frame={frame} current={READINGS}>
    <section class="card">
      <h2>What is stored</h2>
      <StoredReadings {...stored} />
      {year && (
        <p>
          At the pace of the last days a year adds{' '}
          <strong>{sayCount(year.readings, english)} readings</strong>, about{' '}
          <strong>{formatBytes(year.bytes)}</strong>.
          {years > 1 && (
            <>
              {' '}
              Kept for {years} years, that comes to about {formatBytes(year.bytes * years)}.
            </>
          )}
        </p>
      )}
      {stored.counted && (
        <p class="muted">
          Counted <Time {...stored.counted} />. It is counted again every hour, months long past about once a
          day.
        </p>
      )}
    </section>
    <section class="card">
      <h2>How long readings are kept</h2>
      <PostForm organization={frame.organization} action={`${READINGS}/retention`}>
        <Field
          name="years"
          label="Years"
          hint={`1 to ${LONGEST_RETENTION_YEARS}. What is older is deleted for good, a whole month at a time, and is refused when it comes in.`}
          error={fault?.field === 'years' ? fault.text : undefined}
          input={{
            type: 'number',
            min: 1,
            max: LONGEST_RETENTION_YEARS,
            required: true,
            value: fault?.typed.years ?? String(years),
            inputMode: 'numeric',
          }}
        />
        {fault?.field === 'confirmed' && <Confirmation years={fault.typed.years?.trim() ?? ''} />}
        <button type="submit" class="button-primary">
          Save
        </button>
      </PostForm>
      {mostDays !== null && (
        <p class="muted">
          Whatever is set here, this installation keeps no reading for longer than {mostDays}{' '}
          {mostDays === 1 ? 'day' : 'days'}.
        </p>
      )}
    </section>
  </SettingsPage>
);

const StoredReadings = ({ readings, bytes, since, counted }: Stored) => {
  if (!counted) return <p>Not counted yet. Look again in an hour.</p>;
  if (!since) return <p>Nothing yet, or less than an hour of it.</p>;
  return (
    <p>
      <strong>{sayCount(readings, english)} readings</strong> since <Time {...since} />. They take about{' '}
      <strong>{formatBytes(bytes)}</strong>.
    </p>
  );
};

const Confirmation = ({ years }: { years: string }) => (
  <>
    <label>
      <input type="checkbox" name="confirmed" value={years} /> Delete what is older than {years}{' '}
      {years === '1' ? 'year' : 'years'}
    </label>
    <p class="hint">
      It begins within the hour, two months of readings each hour. Nobody can bring them back.
    </p>
  </>
);
