import type { TextareaHTMLAttributes } from 'preact';

interface TextAreaProps {
  name: string;
  label: string;
  value: string;
  hint?: string | undefined;
  error?: string | undefined;
  area?: TextareaHTMLAttributes;
}

/** Several lines with their label, and with hint and error tied to them. */
export const TextArea = ({ name, label, value, hint, error, area }: TextAreaProps) => {
  const described = [error && `${name}-error`, hint && `${name}-hint`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <textarea
        id={name}
        name={name}
        spellcheck={false}
        autocomplete="off"
        aria-invalid={error ? 'true' : undefined}
        aria-describedby={described || undefined}
        {...area}
      >
        {value}
      </textarea>
      {error && (
        <p class="error" id={`${name}-error`}>
          {error}
        </p>
      )}
      {hint && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
};
