interface SelectProps {
  /** Of the field on the page; the form field's name unless given. */
  id?: string;
  name: string;
  label: string;
  /** Value and words of each choice. */
  options: readonly (readonly [value: string | number, label: string])[];
  /** Further ones under a heading. */
  more?: { label: string; options: SelectProps['options'] } | undefined;
  chosen?: string | number | null | undefined;
  hint?: string | undefined;
  error?: string | undefined;
}

/** A choice with its label, and with hint and error tied to it. */
export const Select = ({ id, name, label, options, more, chosen, hint, error }: SelectProps) => {
  const fieldId = id ?? name;
  const described = [error && `${fieldId}-error`, hint && `${fieldId}-hint`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={fieldId}>{label}</label>
      <select
        id={fieldId}
        name={name}
        aria-invalid={error ? 'true' : undefined}
        aria-describedby={described || undefined}
      >
        <Options options={options} chosen={chosen} />
        {more && more.options.length > 0 && (
          <optgroup label={more.label}>
            <Options options={more.options} chosen={chosen} />
          </optgroup>
        )}
      </select>
      {error && (
        <p class="error" id={`${fieldId}-error`}>
          {error}
        </p>
      )}
      {hint && (
        <p class="hint" id={`${fieldId}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
};

const Options = ({ options, chosen }: Pick<SelectProps, 'options' | 'chosen'>) => (
  <>
    {options.map(([value, words]) => (
      <option key={value} value={value} selected={String(value) === String(chosen ?? '')}>
        {words}
      </option>
    ))}
  </>
);
