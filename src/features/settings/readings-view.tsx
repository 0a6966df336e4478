import type { YearAhead } from '../../domain/readings/foresee-year.ts';
import { LONGEST_RETENTION_YEARS, type MostDays } from '../../domain/readings/retention.ts';
import { sayCount } from '../../domain/words/say-count.ts';
import { PostForm } from '../../engine/pages/post-form.tsx';
import { type SettingsFrame, SettingsPage } from '../../engine/pages/settings-page.tsx';
import type { Fault } from '../../engine/pages/settings-routes.ts';
import { formatBytes } from '../../platform/format-bytes.ts';
import { Field } from '../../platform/html/field.tsx';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
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

export const ReadingsPage = ({ frame, stored, year, years, mostDays, fault }: ReadingsProps) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <SettingsPage title={say('Readings')} frame={frame} current={READINGS}>
      <section class="card">
        <h2>{say('What is stored')}</h2>
        <StoredReadings {...stored} />
        {year && (
          <p>
            {sayWith(
              language,
              'At the pace of the last days a year adds <strong>{count, plural, other {{readings} readings}}</strong>, about <strong>{bytes}</strong>.',
              {
                count: year.readings,
                readings: sayCount(year.readings, language),
                strong: (inside) => <strong>{inside}</strong>,
                bytes: formatBytes(year.bytes, language),
              },
            )}
            {years > 1 && (
              <>
                {' '}
                {say('Kept for {years, plural, other {# years}}, that comes to about {bytes}.', {
                  years,
                  bytes: formatBytes(year.bytes * years, language),
                })}
              </>
            )}
          </p>
        )}
        {stored.counted && (
          <p class="muted">
            {sayWith(
              language,
              'Counted {time}. It is counted again every hour, months long past about once a day.',
              { time: <Time {...stored.counted} /> },
            )}
          </p>
        )}
      </section>
      <section class="card">
        <h2>{say('How long readings are kept')}</h2>
        <PostForm organization={frame.organization} action={`${READINGS}/retention`}>
          <Field
            name="years"
            label={say('Years')}
            hint={say(
              '1 to {most}. What is older is deleted for good, a whole month at a time, and is refused when it comes in.',
              { most: LONGEST_RETENTION_YEARS },
            )}
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
            {say('Save')}
          </button>
        </PostForm>
        {mostDays !== null && (
          <p class="muted">
            {say(
              'Whatever is set here, this installation keeps no reading for longer than {count, plural, one {# day} other {# days}}.',
              { count: mostDays },
            )}
          </p>
        )}
      </section>
    </SettingsPage>
  );
};

const StoredReadings = ({ readings, bytes, since, counted }: Stored) => {
  const language = useLanguage();
  const { say } = language;
  if (!counted) return <p>{say('Not counted yet. Look again in an hour.')}</p>;
  if (!since) return <p>{say('Nothing yet, or less than an hour of it.')}</p>;
  return (
    <p>
      {sayWith(
        language,
        '<strong>{count, plural, other {{shown} readings}}</strong> since {time}. They take about <strong>{bytes}</strong>.',
        {
          count: readings,
          shown: sayCount(readings, language),
          strong: (inside) => <strong>{inside}</strong>,
          time: <Time {...since} />,
          bytes: formatBytes(bytes, language),
        },
      )}
    </p>
  );
};

const Confirmation = ({ years }: { years: string }) => {
  const { say } = useLanguage();
  return (
    <>
      <label>
        <input type="checkbox" name="confirmed" value={years} />{' '}
        {say('Delete what is older than {count, plural, one {# year} other {# years}}', {
          count: Number(years),
        })}
      </label>
      <p class="hint">
        {say('It begins within the hour, two months of readings each hour. Nobody can bring them back.')}
      </p>
    </>
  );
};
