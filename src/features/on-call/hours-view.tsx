import { LONGEST_NAME } from '../../domain/names.ts';
import type { Holiday, StoredHours } from '../../engine/on-call/lab-hours.ts';
import { PostForm } from '../../engine/pages/post-form.tsx';
import { type SettingsFrame, SettingsPage } from '../../engine/pages/settings-page.tsx';
import type { Fault } from '../../engine/pages/settings-routes.ts';
import { ZoneField, ZoneList } from '../../engine/pages/zone-field.tsx';
import { Field } from '../../platform/html/field.tsx';
import { DAY_NAMES, HoursFields } from './hours-fields.tsx';

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
  const faultOf = (field: string) => (fault?.field === field ? fault.text : undefined);
  const typed = fault?.typed ?? {};
  return (
    <SettingsPage title="Lab hours" frame={frame} current={HOURS}>
      <p>When people are in the lab. Hours choose whom an alarm reaches, never whether there is one.</p>
      <ZoneList />
      <section class="card">
        <h2>Hours</h2>
        {hours ? (
          <>
            <p class="muted">In {hours.timeZone}.</p>
            <ul>
              {hours.weekly.map(({ days, from, to }) => (
                <li key={`${days} ${from}`}>
                  {days.map((day) => DAY_NAMES[day - 1]).join(', ')}: {from} to {to}
                </li>
              ))}
            </ul>
            <PostForm organization={frame.organization} action={`${HOURS}/clear`}>
              <button type="submit">Remove the hours</button>
            </PostForm>
          </>
        ) : (
          <p>Not set: everybody counts at any hour.</p>
        )}
        <PostForm organization={frame.organization} action={`${HOURS}/set`}>
          <HoursFields
            lines={draft.weekly}
            fault={fault?.word === 'set' ? fault : null}
            isAdded={draft.isAdded}
          />
          <ZoneField name="timezone" value={draft.timeZone} error={faultOf('timezone')} />
          <p class="muted">
            An end that is not later runs past midnight.
            {hours && ' What you set takes the place of the hours above.'}
          </p>
          <button type="submit" class="button-primary">
            Set lab hours
          </button>
        </PostForm>
      </section>
      <section class="card">
        <h2>Holidays</h2>
        {holidays.length === 0 && <p>None yet. On a holiday nobody is in the lab: off hours last all day.</p>}
        <ul class="rows">
          {holidays.map(({ day, name }) => (
            <li key={day}>
              <div>
                {day} {name}
              </div>
              <PostForm organization={frame.organization} action={`${HOURS}/remove-holiday`} hidden={{ day }}>
                <button type="submit" aria-label={`Remove ${name}`}>
                  Remove
                </button>
              </PostForm>
            </li>
          ))}
        </ul>
        <PostForm organization={frame.organization} action={`${HOURS}/add-holiday`}>
          <Field
            name="day"
            label="Day"
            error={faultOf('day')}
            input={{ type: 'date', value: typed.day ?? '', required: true }}
          />
          <Field
            name="name"
            label="Name"
            error={faultOf('name')}
            input={{
              value: typed.name ?? '',
              required: true,
              maxLength: LONGEST_NAME,
              autocomplete: 'off',
            }}
          />
          <button type="submit">Add holiday</button>
        </PostForm>
      </section>
    </SettingsPage>
  );
};
