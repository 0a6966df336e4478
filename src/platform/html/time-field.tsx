import type { InputHTMLAttributes } from 'preact';
import { Field } from './field.tsx';

interface TimeFieldProps {
  id?: string;
  name: string;
  label: string;
  value: string | undefined;
  hint?: string | undefined;
  error?: string | undefined;
  input?: InputHTMLAttributes;
}

/**
 * A day and a time as they are typed: by the 24-hour clock, whatever a browser's own field would make of it. Both spellings are read,
 * `2026-11-15 02:00` and the one of such a field.
 */
export const TimeField = ({ value, input, ...field }: TimeFieldProps) => (
  <Field
    {...field}
    input={{
      value: value?.replace('T', ' '),
      placeholder: '2026-11-15 02:00',
      autocomplete: 'off',
      spellcheck: false,
      maxLength: 40,
      class: 'typed-time',
      ...input,
    }}
  />
);
