import { inARow } from '../../domain/list-names.ts';
import { LONGEST_NAME } from '../../domain/names.ts';
import { nameWeekday } from '../../domain/weekday-name.ts';
import type { Holiday, StoredHours } from '../../engine/on-call/lab-hours.ts';
import { AskLink } from '../../engine/pages/ask.tsx';
import { PostForm } from '../../engine/pages/post-form.tsx';
import { type SettingsFrame, SettingsPage } from '../../engine/pages/settings-page.tsx';
import { settingsPath } from '../../engine/pages/settings-path.ts';
import type { Fault } from '../../engine/pages/settings-routes.ts';
import { ZoneField, ZoneList } from '../../engine/pages/zone-field.tsx';
import { Field } from '../../platform/html/field.tsx';
import { useLanguage } from '../../platform/html/language.tsx';
import { HoursFields } from './hours-fields.tsx';

export const HOURS = '/settings/lab-hours';

interface HoursProps {
  frame: SettingsFrame;
  hours: StoredHours | null;
  holidays: Holiday[];
  /** What the form shows. */
  draft: StoredHours & { isAdded: boolean };
  fault: Fault | null;
}

export const HoursPage = ({ frame, hours, holidays, draft, fault }: HoursProps) => {
  const language = useLanguage();
  const { say } = language;
  const faultOf = (field: string) => (fault?.field === field ? fault.text : undefined);
  const typed = fault?.typed ?? {};
  return (
    <SettingsPage title={say('Lab hours')} frame={frame} current={HOURS}>
      <p>
        {say('When people are in the lab. Hours choose whom an alarm reaches, never whether there is one.')}
      </p>
      <ZoneList />
      <section class="card">
        <h2>{say('Hours')}</h2>
        {hours ? (
          <>
            <p class="muted">{say('In {timeZone}.', { timeZone: hours.timeZone })}</p>
            <ul>
              {hours.weekly.map(({ days, from, to }) => (
                <li key={`${days} ${from}`}>
                  {say('{days}: {from} to {to}', {
                    days: inARow(
                      days.map((day) => nameWeekday(day, language)),
                      language,
                    ),
                    from,
                    to,
                  })}
                </li>
              ))}
            </ul>
            <AskLink to={settingsPath(`${HOURS}/clear`, frame.organization)} isQuiet>
              {say('Remove the hours')}
            </AskLink>
          </>
        ) : (
          <p>{say('Not set: everybody counts at any hour.')}</p>
        )}
        <PostForm organization={frame.organization} action={`${HOURS}/set`}>
          <HoursFields
            lines={draft.weekly}
            fault={fault?.word === 'set' ? fault : null}
            isAdded={draft.isAdded}
          />
          <ZoneField name="timezone" value={draft.timeZone} error={faultOf('timezone')} />
          <p class="muted">
            {hours
              ? say(
                  'An end that is not later runs past midnight. What you set takes the place of the hours above.',
                )
              : say('An end that is not later runs past midnight.')}
          </p>
          <button type="submit" class="button-primary">
            {say('Set lab hours')}
          </button>
        </PostForm>
      </section>
      <section class="card">
        <h2>{say('Holidays')}</h2>
        {holidays.length === 0 && (
          <p>{say('None yet. On a holiday nobody is in the lab: off hours last all day.')}</p>
        )}
        <ul class="rows">
          {holidays.map(({ day, name }) => (
            <li key={day}>
              <div>
                {day} {name}
              </div>
              <PostForm organization={frame.organization} action={`${HOURS}/remove-holiday`} hidden={{ day }}>
                <button type="submit" aria-label={say('Remove {name}', { name })}>
                  {say('Remove')}
                </button>
              </PostForm>
            </li>
          ))}
        </ul>
        <PostForm organization={frame.organization} action={`${HOURS}/add-holiday`}>
          <Field
            name="day"
            label={say('Day')}
            error={faultOf('day')}
            input={{ type: 'date', value: typed.day ?? '', required: true }}
          />
          <Field
            name="name"
            label={say('Name')}
            error={faultOf('name')}
            input={{
              value: typed.name ?? '',
              required: true,
              maxLength: LONGEST_NAME,
              autocomplete: 'off',
            }}
          />
          <button type="submit">{say('Add holiday')}</button>
        </PostForm>
      </section>
    </SettingsPage>
  );
};
