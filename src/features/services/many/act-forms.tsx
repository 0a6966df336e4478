// What an act on many units has to know beside the units.

import { TEMPLATES } from '../../../domain/equipment/templates.ts';
import { listMuteSpans, USUAL_SPAN } from '../../../engine/acts/mute-by-page.ts';
import { listDurations, type ScheduleValues } from '../../../engine/pages/schedule-form.tsx';
import { Field } from '../../../platform/html/field.tsx';
import { useLanguage } from '../../../platform/html/language.tsx';
import { Select } from '../../../platform/html/select.tsx';
import { TimeField } from '../../../platform/html/time-field.tsx';

export interface FieldFault {
  field: string;
  text: string;
}

interface FieldsProps {
  typed: Record<string, string | undefined>;
  fault: FieldFault | null;
}

const errorIn = (fault: FieldFault | null, field: string) =>
  fault?.field === field ? fault.text : undefined;

export const MuteFields = ({ typed, fault }: FieldsProps) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <>
      <Select
        name="minutes"
        label={say('How long')}
        options={listMuteSpans(language)}
        chosen={typed.minutes ?? USUAL_SPAN}
      />
      <Field
        name="reason"
        label={say('Reason (needed for a mute without an end)')}
        error={errorIn(fault, 'reason')}
        input={{ value: typed.reason ?? '', autocomplete: 'off' }}
      />
    </>
  );
};

export const DowntimeFields = ({ values, fault }: { values: ScheduleValues; fault: FieldFault | null }) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <>
      <TimeField
        name="start_time"
        label={say('Starts')}
        error={errorIn(fault, 'start_time')}
        value={values.start_time}
        input={{ required: true }}
      />
      <Select
        name="duration"
        label={say('Lasts')}
        options={listDurations(language)}
        chosen={values.duration}
      />
      <TimeField
        name="end_time"
        label={say('Or ends (optional)')}
        hint={say('Counts instead of how long it lasts.')}
        error={errorIn(fault, 'end_time')}
        value={values.end_time}
      />
      <Field
        name="reason"
        label={say('Reason')}
        error={errorIn(fault, 'reason')}
        input={{ value: values.reason, required: true, autocomplete: 'off', placeholder: say('Defrost') }}
      />
    </>
  );
};

export interface Choice {
  value: string;
  label: string;
}

export const NOBODY = 'none';

export const GroupChoice = ({ groups, chosen }: { groups: readonly Choice[]; chosen: string }) => {
  const { say } = useLanguage();
  return (
    <Select
      name="group"
      label={say('Group')}
      chosen={chosen}
      options={[
        ['', say('Choose a group')],
        ...groups.map(({ value, label }) => [value, label] as const),
        [NOBODY, say('None: nobody is notified')],
      ]}
    />
  );
};

export const LimitsChoice = ({ units, chosen }: { units: readonly Choice[]; chosen: string }) => {
  const { say } = useLanguage();
  return (
    <Select
      name="limits"
      label={say('Limits')}
      hint={say('Those that labs usually set, or those of another unit.')}
      chosen={chosen}
      options={[
        ['', say('Choose limits')],
        ...Object.entries(TEMPLATES).map(([name, { label }]) => [`template-${name}`, say(label)] as const),
      ]}
      more={{
        label: say('As of another unit'),
        options: units.map(({ value, label }) => [`unit-${value}`, label] as const),
      }}
    />
  );
};
