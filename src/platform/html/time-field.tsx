// Times as they are typed: by the 24-hour clock, whatever a browser's own field would make of them. The spelling of such a field is read
// as well.
import type { InputHTMLAttributes } from 'preact';
import { Field } from './field.tsx';

interface TimeFieldProps {
  id?: string;
  name: string;
  label: string;
  value?: string | undefined;
  hint?: string | undefined;
  error?: string | undefined;
  input?: InputHTMLAttributes;
}

const TYPED = { autocomplete: 'off', spellcheck: false, maxLength: 40 } as const;

/** A day and a time. */
export const TimeField = ({ value, input, ...field }: TimeFieldProps) => (
  <Field
    {...field}
    input={{
      ...TYPED,
      class: 'typed-time',
      value: value?.replace(/^(\d{4}-\d\d-\d\d)T/, '$1 '),
      placeholder: '2026-11-15 02:00',
      ...input,
    }}
  />
);

/** A time of day. */
export const ClockField = ({ value, input, ...field }: TimeFieldProps) => (
  <Field {...field} input={{ ...TYPED, class: 'typed-clock', value, placeholder: '08:00', ...input }} />
);
