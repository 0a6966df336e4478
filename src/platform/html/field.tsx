import type { InputHTMLAttributes } from 'preact';

interface FieldProps {
  /** Of the input on the page; the form field's name unless given. */
  id?: string;
  name: string;
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  input?: InputHTMLAttributes;
}

/** An input with its label, and with hint and error tied to it. */
export const Field = ({ id, name, label, hint, error, input }: FieldProps) => {
  const inputId = id ?? name;
  const described = [error && `${inputId}-error`, hint && `${inputId}-hint`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={inputId}>{label}</label>
      <input
        id={inputId}
        name={name}
        aria-invalid={error ? 'true' : undefined}
        aria-describedby={described || undefined}
        {...input}
      />
      {error && (
        <p class="error" id={`${inputId}-error`}>
          {error}
        </p>
      )}
      {hint && (
        <p class="hint" id={`${inputId}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
};
