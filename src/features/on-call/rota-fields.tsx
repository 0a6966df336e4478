// The part of a form that says when a rota hands over, and who takes turns from then on.

import { LONGEST_SHIFT, MOST_HANDOVERS, MOST_MEMBERS } from '../../domain/on-call/rota-version.ts';
import type { Fault } from '../../engine/pages/settings-routes.ts';
import { ZoneField } from '../../engine/pages/zone-field.tsx';
import { Field } from '../../platform/html/field.tsx';
import { useLanguage } from '../../platform/html/language.tsx';
import { Select } from '../../platform/html/select.tsx';
import { ClockField } from '../../platform/html/time-field.tsx';
import { type HandoverDraft, memberName, nameAt } from './rota-form.ts';

interface RotaFieldsProps {
  /** Tells the fields of one form from those of another on the same page. */
  prefix: string;
  drafts: readonly HandoverDraft[];
  every: string;
  length: string;
  members: readonly { id: number; name: string }[];
  fault: Fault | null;
  /** Somebody has just asked for one more. */
  isAdded: boolean;
}

export const RotaFields = ({ prefix, drafts, every, length, members, fault, isAdded }: RotaFieldsProps) => {
  const { say } = useLanguage();
  const faultOf = (field: string) => (fault?.field === field ? fault.text : undefined);
  return (
    <>
      {/* Enter saves, and takes no handover away. */}
      <button type="submit" class="default-button" />
      {drafts.map((draft, line) => (
        <HandoverFields
          key={line}
          prefix={prefix}
          line={line}
          draft={draft}
          isAlone={drafts.length === 1}
          isNew={isAdded && line === drafts.length - 1}
          members={members}
          faultOf={faultOf}
        />
      ))}
      {drafts.length < MOST_HANDOVERS && (
        <p>
          <button type="submit" name="add" value="yes" formnovalidate>
            {say('Add a handover')}
          </button>
        </p>
      )}
      <div class="form-line">
        <Field
          id={`${prefix}-length`}
          name="length"
          label={drafts.length === 1 ? say('A shift lasts') : say('Turns change after')}
          error={faultOf('length')}
          input={{ type: 'number', min: 1, max: LONGEST_SHIFT, value: length, required: true }}
        />
        <Select
          id={`${prefix}-every`}
          name="every"
          label={say('Days or weeks')}
          options={[
            ['week', say('weeks')],
            ['day', say('days')],
          ]}
          chosen={every}
        />
      </div>
    </>
  );
};

interface HandoverFieldsProps {
  prefix: string;
  line: number;
  draft: HandoverDraft;
  isAlone: boolean;
  isNew: boolean;
  members: readonly { id: number; name: string }[];
  faultOf: (field: string) => string | undefined;
}

const FEWEST_PLACES = 4;

const HandoverFields = ({ prefix, line, draft, isAlone, isNew, members, faultOf }: HandoverFieldsProps) => {
  const { say } = useLanguage();
  const id = nameAt(prefix, line);
  const chosen = draft.members.filter((one) => one !== '');
  const places = Math.min(MOST_MEMBERS, Math.max(FEWEST_PLACES, chosen.length + 1));
  // What is wrong is said once, at the first of them.
  const errorOf = (field: string) => (line === 0 ? faultOf(field) : undefined);
  return (
    <fieldset>
      <legend>{isAlone ? say('Handover') : say('Handover {number}', { number: line + 1 })}</legend>
      <div class="form-line">
        <ClockField
          id={`${id}-handover`}
          name={nameAt('handover', line)}
          label={say('Handover at')}
          error={errorOf('handover')}
          value={draft.at}
          input={{ required: true, autofocus: isNew }}
        />
        <ZoneField
          id={`${id}-timezone`}
          name={nameAt('timezone', line)}
          value={draft.timeZone}
          error={errorOf('timezone')}
        />
        {!isAlone && (
          <button
            type="submit"
            name="remove"
            value={line}
            formnovalidate
            aria-label={say('Remove handover {number}', { number: line + 1 })}
          >
            {say('Remove')}
          </button>
        )}
      </div>
      <div class="form-line">
        {Array.from({ length: places }, (_, place) => (
          <Select
            key={place}
            id={`${id}-member-${place}`}
            name={memberName(line, place)}
            // For translators: the place of somebody among those who take turns
            label={say('Turn {number}', { number: place + 1 })}
            options={[['', say('nobody')], ...members.map((one) => [one.id, one.name] as const)]}
            chosen={chosen[place]}
            error={place === 0 ? errorOf('members') : undefined}
          />
        ))}
      </div>
    </fieldset>
  );
};
