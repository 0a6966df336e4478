import type { ComponentChildren } from 'preact';
import { LONGEST_NAME } from '../../domain/names.ts';
import {
  LONGEST_ACKNOWLEDGED_MINUTES,
  SHORTEST_ACKNOWLEDGED_MINUTES,
} from '../../domain/notifications/ladder.ts';
import { sayMinutes } from '../../domain/words/say-minutes.ts';
import { AskLink } from '../../engine/pages/ask.tsx';
import { canChooseLanguage, LanguageField } from '../../engine/pages/language-field.tsx';
import { type SettingsFrame, SettingsPage } from '../../engine/pages/settings-page.tsx';
import { Field } from '../../platform/html/field.tsx';
import { useLanguage } from '../../platform/html/language.tsx';
import { type FormFault, GROUPS } from './form-fault.ts';
import { Ladder } from './ladder-view.tsx';
import type { GroupModel } from './page-model.ts';
import type { GroupField } from './refusals.ts';
import { Relays } from './relay-view.tsx';
import { Row } from './row-view.tsx';
import { NewSecret, Webhook, WebhookForm } from './webhook-view.tsx';

interface GroupProps {
  frame: SettingsFrame;
  group: GroupModel;
  fault: FormFault | null;
  newSecret: string | null;
}

export const GroupPage = ({ frame, group, fault, newSecret }: GroupProps) => {
  const language = useLanguage();
  const { say } = language;
  const home = `${GROUPS}/${group.id}`;
  const faultOf = (field: GroupField) => (fault?.field === field ? fault.text : undefined);
  const typed = fault?.typed ?? {};
  return (
    <SettingsPage
      title={group.name}
      frame={frame}
      current={GROUPS}
      up={{ path: GROUPS, label: say('Groups') }}
    >
      {newSecret !== null && <NewSecret secret={newSecret} home={home} />}

      <div class="cards">
        {group.ladder && (
          <Ladder home={home} group={group} ladder={group.ladder} typed={typed} faultOf={faultOf} />
        )}

        <Part title={say('Try it')}>
          <p>
            {say(
              'Sends a message marked as a test to everybody in this group, and shows what becomes of it.',
            )}
          </p>
          <form method="post" action={`${home}/test`}>
            <button type="submit" class="button-primary">
              {say('Send a test message')}
            </button>
          </form>
        </Part>

        <Part title={say('People')}>
          {group.people.length === 0 && <p>{say('Nobody yet.')}</p>}
          <ul class="rows">
            {group.people.map(({ id, name, email, problem }) => (
              <Row
                key={id}
                action={`${home}/remove-member`}
                fields={{ account_id: String(id) }}
                verb={say('Remove')}
                label={say('Remove {name}', { name })}
              >
                {name} <span class="muted">{email}</span> {problem !== null && <strong>{problem}</strong>}
              </Row>
            ))}
          </ul>
          {group.others.length > 0 && (
            <form method="post" action={`${home}/add-member`}>
              <div class="field">
                <label for="account_id">
                  {say('Add a member of {organization}', { organization: group.organizationName })}
                </label>
                <select id="account_id" name="account_id" required>
                  {group.others.map(({ id, name, email }) => (
                    <option key={id} value={id}>
                      {name} ({email})
                    </option>
                  ))}
                </select>
                {faultOf('account_id') && <p class="error">{faultOf('account_id')}</p>}
              </div>
              <button type="submit">{say('Add person')}</button>
            </form>
          )}
        </Part>

        <Part title={say('Email addresses')}>
          {group.emails.length === 0 && <p>{say('None.')}</p>}
          <ul class="rows">
            {group.emails.map((email) => (
              <Row
                key={email}
                action={`${home}/remove-email`}
                fields={{ email }}
                verb={say('Remove')}
                label={say('Remove {name}', { name: email })}
              >
                {email}
              </Row>
            ))}
          </ul>
          <form method="post" action={`${home}/add-email`}>
            <Field
              name="email"
              label={say('Add an address')}
              hint={say('Such as a shared mailbox or a gateway to text messages.')}
              error={faultOf('email')}
              input={{ type: 'email', value: typed.email ?? '', required: true, autocomplete: 'off' }}
            />
            <button type="submit">{say('Add address')}</button>
          </form>
        </Part>

        <Part title={say('Webhooks')}>
          {group.webhooks.length === 0 && <p>{say('None.')}</p>}
          <ul class="rows">
            {group.webhooks.map((webhook) => (
              <Webhook key={webhook.id} webhook={webhook} home={home} />
            ))}
          </ul>
          <WebhookForm home={home} typed={typed} faultOf={faultOf} />
        </Part>

        <Part title={say('Siren or lamp')}>
          <Relays home={home} relays={group.relays} typed={typed} faultOf={faultOf} />
        </Part>

        <Part title={say('Acknowledgements')}>
          <p>
            {group.acknowledgedMinutes === null
              ? say('They stand until somebody takes them back.')
              : say('They stand for {span} while the alarm goes on.', {
                  span: sayMinutes(group.acknowledgedMinutes, language),
                })}
          </p>
          <form method="post" action={`${home}/set-expiry`}>
            <Field
              name="acknowledged_minutes"
              label={say('Acknowledgements expire after (minutes)')}
              hint={say(
                'Such as 240 for four hours, at most a week. Then the ladder begins anew. Empty: until somebody takes them back.',
              )}
              error={faultOf('acknowledged_minutes')}
              input={{
                type: 'number',
                min: SHORTEST_ACKNOWLEDGED_MINUTES,
                max: LONGEST_ACKNOWLEDGED_MINUTES,
                value: typed.acknowledged_minutes ?? String(group.acknowledgedMinutes ?? ''),
              }}
            />
            {/* For translators: a button that saves a number of minutes */}
            <button type="submit">{say('Set')}</button>
          </form>
        </Part>

        {canChooseLanguage() && (
          <Part title={say('Language')}>
            <form method="post" action={`${home}/set-language`}>
              <LanguageField
                label={say('Language of the group')}
                none={say('As the organization')}
                chosen={typed.language ?? group.language}
                hint={say('Of those in it who have no account.')}
                error={faultOf('language')}
              />
              <button type="submit">{say('Set')}</button>
            </form>
          </Part>
        )}

        <Part title={say('Equipment that notifies this group')}>
          {group.services.length === 0 ? <p>{say('None.')}</p> : <Services services={group.services} />}
        </Part>

        <Part title={say('Name')}>
          <form method="post" action={`${home}/rename`}>
            <Field
              name="name"
              label={say('Name of the group')}
              error={faultOf('name')}
              input={{
                value: typed.name ?? group.name,
                required: true,
                maxLength: LONGEST_NAME,
                autocomplete: 'off',
              }}
            />
            <button type="submit">{say('Rename')}</button>
          </form>
          <p>
            <AskLink to={`${home}/delete`}>{say('Delete this group …')}</AskLink>
          </p>
        </Part>
      </div>
    </SettingsPage>
  );
};

const Part = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <section class="card">
    <h2>{title}</h2>
    {children}
  </section>
);

const Services = ({ services }: Pick<GroupModel, 'services'>) => {
  const { say } = useLanguage();
  return (
    <ul>
      {services.map(({ id, name, isArchived }) => (
        <li key={id}>
          {isArchived ? (
            say('{name} (archived)', { name })
          ) : (
            <a class="lone-link" href={`/services/${id}/notifications`}>
              {name}
            </a>
          )}
        </li>
      ))}
    </ul>
  );
};
