import { GUIDANCE_FIELDS, type GuidanceField, VALUE_CLASSES } from '../../domain/guidance/guidance.ts';
import { Field } from '../../platform/html/field.tsx';
import { useLanguage } from '../../platform/html/language.tsx';
import { TextArea } from '../../platform/html/text-area.tsx';

interface GuidanceFieldsProps {
  values: Record<GuidanceField, string>;
  fault: { field: string; text: string } | null;
  /** What holds where a field is left blank. */
  hints?: Partial<Record<GuidanceField, string>>;
}

export const GuidanceFields = ({ values, fault, hints = {} }: GuidanceFieldsProps) => {
  const { say } = useLanguage();
  const given = (field: GuidanceField) => {
    const { word, title, most } = GUIDANCE_FIELDS[field];
    const error = fault?.field === word ? fault.text : undefined;
    return { name: word, label: say(title), error, most, inherited: hints[field] };
  };
  const [whatToDo, contents, owner, valueClass, phones] = [
    given('whatToDo'),
    given('contents'),
    given('owner'),
    given('valueClass'),
    given('phones'),
  ];
  return (
    <>
      <TextArea
        {...whatToDo}
        value={values.whatToDo}
        hint={
          whatToDo.inherited ??
          say('Short steps for somebody who is tired: 1. at the beginning of a line, - for a list, **bold**.')
        }
        area={{ rows: 8, maxLength: whatToDo.most }}
      />
      <TextArea
        {...phones}
        value={values.phones}
        hint={
          phones.inherited ??
          say('One on each line: whom to call and the number, such as Porter: +49 30 1234.')
        }
        area={{ rows: 3, maxLength: phones.most }}
      />
      <TextArea
        {...contents}
        value={values.contents}
        hint={contents.inherited}
        area={{ rows: 3, maxLength: contents.most }}
      />
      <Field
        {...owner}
        hint={owner.inherited}
        input={{ value: values.owner, maxLength: owner.most, autocomplete: 'off' }}
      />
      <div class="field">
        <label for="value_class">{valueClass.label}</label>
        <select
          id="value_class"
          name="value_class"
          aria-describedby={valueClass.inherited ? 'value_class-hint' : undefined}
          aria-invalid={valueClass.error ? 'true' : undefined}
        >
          <option value="">{say('None')}</option>
          {VALUE_CLASSES.map((known) => (
            <option key={known} value={known} selected={values.valueClass === known}>
              {known}
            </option>
          ))}
        </select>
        {valueClass.error && <p class="error">{valueClass.error}</p>}
        {valueClass.inherited && (
          <p class="hint" id="value_class-hint">
            {valueClass.inherited}
          </p>
        )}
      </div>
    </>
  );
};
