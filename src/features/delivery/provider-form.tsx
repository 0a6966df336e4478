import type { InputHTMLAttributes } from 'preact';
import { sayOne } from '../../domain/language/sayable.ts';
import type { SetProvider, SetUpField } from '../../engine/providers/record/provider.ts';
import { Field } from '../../platform/html/field.tsx';
import { useLanguage } from '../../platform/html/language.tsx';
import { plain, Save, secretHint, secretInput } from './mail-forms.tsx';
import { DELIVERY, type FormState } from './setting-card.tsx';

interface ProviderFormProps {
  name: SetProvider['name'];
  fields: readonly SetUpField[];
  state: FormState;
}

export const ProviderForm = ({ name, fields, state }: ProviderFormProps) => {
  const language = useLanguage();
  return (
    <form method="post" action={`${DELIVERY}/${name}`}>
      {fields.map((field) => (
        <Field
          key={field.name}
          id={`${name}-${field.name}`}
          name={field.name}
          label={sayOne(field.label, language)}
          hint={
            (field.secret && secretHint(state.hasSecret(field.name), language)) ??
            sayOne(field.hint, language)
          }
          error={state.errorOf(field.name)}
          input={field.secret ? secretInput : inputOf(field, state)}
        />
      ))}
      <Save />
    </form>
  );
};

const inputOf = (
  { name, isUrl, isRequired = false }: SetUpField,
  { typed }: FormState,
): InputHTMLAttributes => {
  const input = { ...plain, required: isRequired, value: typed[name] ?? '' };
  return isUrl ? { ...input, type: 'url' } : input;
};
