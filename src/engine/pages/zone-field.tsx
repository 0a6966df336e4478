// A time zone to choose: typing finds it in the list, also without a script.
import { isTimeZone } from '../../domain/time-zone.ts';
import { Field } from '../../platform/html/field.tsx';
import { useLanguage } from '../../platform/html/language.tsx';

const LIST = 'time-zones';

/** Once on a page, however many fields there are. */
export const ZoneList = () => (
  <datalist id={LIST}>
    {['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => (
      <option key={zone} value={zone} />
    ))}
  </datalist>
);

interface ZoneFieldProps {
  id?: string;
  name: string;
  label?: string;
  value: string;
  error?: string | undefined;
}

export const ZoneField = ({ name, label, value, error, ...rest }: ZoneFieldProps) => (
  <Field
    {...rest}
    name={name}
    label={label ?? useLanguage().say('Time zone')}
    error={error}
    input={{ value, required: true, list: LIST, autocomplete: 'off', spellcheck: false }}
  />
);

/** What such a field says; left out: `otherwise`; null: no zone. */
export function readZone(text: string | undefined, otherwise: string): string | null {
  const zone = text?.trim() || otherwise;
  return isTimeZone(zone) ? zone : null;
}
