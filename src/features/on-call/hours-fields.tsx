// The lines of lab hours in a form, and the buttons by which there are more or fewer of them.

import { type HoursWindow, MOST_WINDOWS, WEEKDAYS } from '../../domain/on-call/lab-hours.ts';
import { nameWeekday } from '../../domain/weekday-name.ts';
import type { Fault } from '../../engine/pages/settings-routes.ts';
import { useLanguage } from '../../platform/html/language.tsx';
import { ClockField } from '../../platform/html/time-field.tsx';
import { isTimed, nameAt } from './hours-form.ts';

interface HoursFieldsProps {
  lines: readonly HoursWindow[];
  fault: Fault | null;
  /** Somebody has just asked for one more. */
  isAdded: boolean;
}

export const HoursFields = ({ lines, fault, isAdded }: HoursFieldsProps) => {
  const { say } = useLanguage();
  // What is wrong is said at the line that it is wrong with.
  const dayless = lines.findIndex(({ days }) => days.length === 0);
  const untimed = lines.findIndex((line) => !isTimed(line));
  const errorAt = (field: string, line: number, wrong: number) =>
    fault?.field === field && line === Math.max(0, wrong) ? fault.text : undefined;
  return (
    <>
      {/* Enter saves, and takes no line away. */}
      <button type="submit" class="default-button" />
      {lines.map((window, line) => (
        <HoursLine
          key={line}
          line={line}
          window={window}
          isAlone={lines.length === 1}
          isNew={isAdded && line === lines.length - 1}
          dayError={errorAt('days', line, dayless)}
          clockError={errorAt('from', line, untimed)}
        />
      ))}
      {lines.length < MOST_WINDOWS && (
        <p>
          <button type="submit" name="add" value="yes" formnovalidate>
            {say('Add a line')}
          </button>
        </p>
      )}
    </>
  );
};

interface HoursLineProps {
  line: number;
  window: HoursWindow;
  isAlone: boolean;
  isNew: boolean;
  dayError: string | undefined;
  clockError: string | undefined;
}

const HoursLine = ({ line, window, isAlone, isNew, dayError, clockError }: HoursLineProps) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <fieldset>
      <legend>
        {isAlone ? say('Days and hours') : say('Days and hours {number}', { number: line + 1 })}
      </legend>
      <div class="days">
        {WEEKDAYS.map((day, index) => (
          <label key={day} class="check">
            <input
              type="checkbox"
              name={nameAt(day, line)}
              value="yes"
              checked={window.days.includes(index + 1)}
              autofocus={isNew && index === 0}
            />{' '}
            {nameWeekday(index + 1, language)}
          </label>
        ))}
        {dayError && <p class="error">{dayError}</p>}
      </div>
      <div class="form-line">
        <ClockField
          name={nameAt('from', line)}
          label={say('From')}
          error={clockError}
          value={window.from}
          input={{ required: true }}
        />
        <ClockField
          name={nameAt('to', line)}
          label={say('To')}
          value={window.to}
          input={{ required: true }}
        />
        {!isAlone && (
          <button
            type="submit"
            name="remove"
            value={line}
            formnovalidate
            aria-label={say('Remove line {number}', { number: line + 1 })}
          >
            {say('Remove')}
          </button>
        )}
      </div>
    </fieldset>
  );
};
