import { LONGEST_NAME } from '../../domain/names.ts';
import { PREFERRED } from '../../domain/rescue/preferred-refuges.ts';
import { RESCUE_FIELDS, type RescueField, TEMPERATURE_CLASSES } from '../../domain/rescue/rescue.ts';
import type { ActNotice } from '../../domain/words/act-words.ts';
import { Page } from '../../engine/pages/page.tsx';
import { DRILL } from '../../engine/pages/rescue-part.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import type { Holding } from '../../engine/rescue/reservation-rows.ts';
import { Field } from '../../platform/html/field.tsx';
import { useLanguage } from '../../platform/html/language.tsx';
import { Notice } from '../../platform/html/notice.tsx';
import { Suggestions } from '../../platform/html/suggestions.tsx';
import { UpLink } from '../../platform/html/up-link.tsx';
import { Holdings } from './holdings-view.tsx';
import type { Unit } from './queries.ts';
import { PREFERRED_FIELDS } from './typed-rescue.ts';

export const settingsPathOf = (serviceId: number): string => `/services/${serviceId}/rescue`;

interface SettingsProps {
  visitor: Visitor;
  service: Unit;
  values: Record<RescueField, string>;
  /** As somebody would type them, the first one first. */
  preferred: readonly string[];
  suggested: string[];
  canAdminister: boolean;
  canOperate: boolean;
  /** What others have reserved or moved here. */
  holdings: Holding[];
  news: ActNotice | null;
  /** `field` as the form names it. */
  fault: { field: string; text: string } | null;
}

export const RescueSettingsPage = (props: SettingsProps) => {
  const { visitor, service, values, canAdminister, canOperate, holdings, news, fault } = props;
  const { say } = useLanguage();
  const hints: Partial<Record<RescueField, string>> = {
    racks: say('So many have to be moved if it fails.'),
    freeRacks: say('What it can take in for others; nothing: it is no refuge.'),
    rescueOrder: say('1 is emptied first.'),
    dangerValue: say(
      'Such as −50. Alarms then say how long it takes there, where the readings make that clear.',
    ),
  };
  const numbers = (['racks', 'freeRacks', 'rescueOrder', 'dangerValue'] as const).map((field) => (
    <Field
      key={field}
      name={RESCUE_FIELDS[field].word}
      label={say(RESCUE_FIELDS[field].title)}
      hint={hints[field]}
      error={fault?.field === RESCUE_FIELDS[field].word ? fault.text : undefined}
      input={{
        value: values[field],
        autocomplete: 'off',
        inputMode: 'decimal',
        maxLength: 20,
        disabled: !canAdminister,
      }}
    />
  ));
  return (
    <Page title={say('Rescue plan: {text}', { text: service.name })} visitor={visitor} current="/services">
      <UpLink path={`/services/${service.id}`} label={service.name} />
      <h1>{say('Rescue plan')}</h1>
      {news && <Notice kind={news.kind}>{news.text}</Notice>}
      <div class="narrow">
        <Holdings
          visitor={visitor}
          title={say('What it takes in')}
          holdings={holdings}
          at="refuge"
          canOperate={canOperate}
        />
      </div>
      {fault && <Notice kind="error">{say('Nothing was saved. What is wrong is marked below.')}</Notice>}
      <form class="card narrow" method="post" action={settingsPathOf(service.id)}>
        <p>
          {say(
            'What has to be moved if this unit fails, and what it can take in if another one does. An alarm then names the nearest room that is known to be well.',
          )}
        </p>
        <div class="field">
          <label for="temperature_class">{say(RESCUE_FIELDS.temperatureClass.title)}</label>
          <select id="temperature_class" name="temperature_class" disabled={!canAdminister}>
            <option value="">{say('None')}</option>
            {Object.entries(TEMPERATURE_CLASSES).map(([name, label]) => (
              <option key={name} value={name} selected={name === values.temperatureClass}>
                {say(label)}
              </option>
            ))}
          </select>
        </div>
        {numbers}
        <Preferred {...props} />
        {canAdminister && (
          <button type="submit" class="button-primary">
            {say('Save')}
          </button>
        )}
      </form>
      <div class="narrow">
        {service.locationId !== null && (
          <p>
            <a href={`${DRILL}?organization=${service.organizationId}&location=${service.locationId}`}>
              {say('Who would go where if this place had no power')}
            </a>
          </p>
        )}
      </div>
    </Page>
  );
};

const SUGGESTED = 'refuges';

const Preferred = ({ preferred, suggested, canAdminister, fault }: SettingsProps) => {
  const { say } = useLanguage();
  return (
    <fieldset aria-describedby="preferred-hint">
      <legend>{say(PREFERRED.title)}</legend>
      <p class="hint" id="preferred-hint">
        {say(
          'They come before all others that are as cold, in this order, as long as they are well and have room. Names of units, or numbers such as #12.',
        )}
      </p>
      <Suggestions id={SUGGESTED} values={suggested} />
      {PREFERRED_FIELDS.map((field, place) => (
        <Field
          key={field}
          name={field}
          label={say('Choice {number}', { number: place + 1 })}
          error={fault?.field === field ? fault.text : undefined}
          input={{
            value: preferred[place] ?? '',
            list: SUGGESTED,
            autocomplete: 'off',
            maxLength: LONGEST_NAME + 20,
            disabled: !canAdminister,
          }}
        />
      ))}
    </fieldset>
  );
};
