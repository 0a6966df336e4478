import { LONGEST_NAME } from '../../../domain/names.ts';
import { guidancePath } from '../../../engine/pages/guidance-parts.tsx';
import { settingsPath } from '../../../engine/pages/settings-path.ts';
import { Field } from '../../../platform/html/field.tsx';
import { sayWith, useLanguage } from '../../../platform/html/language.tsx';
import { VerbForm } from '../shown-service/page-form.tsx';
import type { ServicePageModel } from './page-model.ts';

export const SettingsSection = ({ service, can }: ServicePageModel) => {
  const language = useLanguage();
  const { say } = language;
  const { id, name, organizationId } = service;
  return (
    <>
      {can.administer && (
        <section class="card" aria-labelledby="name-title">
          <h2 id="name-title">{say('Name')}</h2>
          <VerbForm serviceId={id} verb="rename">
            <Field
              id="new-name"
              name="name"
              label={say('Name of the unit')}
              hint={say('Acknowledgements and limits stay as they are.')}
              input={{ value: name, maxLength: LONGEST_NAME, autocomplete: 'off', required: true }}
            />
            <button type="submit">{say('Save name')}</button>
          </VerbForm>
        </section>
      )}
      <section class="card" aria-labelledby="more-settings-title">
        <h2 id="more-settings-title">{say('More settings')}</h2>
        <ul>
          {can.administer && (
            <>
              <li>
                <a href={settingsPath(`/settings/services/${id}`, { id: organizationId })}>
                  {say('Place, devices, archive')}
                </a>
              </li>
              <li>
                <a href={settingsPath('/settings/channels', { id: organizationId }, { service: String(id) })}>
                  {say('Labels, units and kinds of its channels')}
                </a>
              </li>
              <li>
                <a href={`/services/${id}/clearing`}>{say('When an alarm ends')}</a>
              </li>
              <li>
                <a href={guidancePath(id)}>{say('What to do at this unit')}</a>
              </li>
            </>
          )}
          <li>
            {sayWith(language, '<a>Print a sticker</a> with a QR code that leads here', {
              a: (inside) => <a href={`/services/${id}/sticker`}>{inside}</a>,
            })}
          </li>
        </ul>
      </section>
    </>
  );
};
