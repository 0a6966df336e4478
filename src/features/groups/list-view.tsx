import type { Language } from '../../domain/language/speak.ts';
import { LONGEST_NAME } from '../../domain/names.ts';
import { type SettingsFrame, SettingsPage } from '../../engine/pages/settings-page.tsx';
import { Field } from '../../platform/html/field.tsx';
import { useLanguage } from '../../platform/html/language.tsx';
import { type FormFault, GROUPS } from './form-fault.ts';
import type { ListedGroup } from './queries.ts';

interface ListProps {
  frame: SettingsFrame;
  groups: ListedGroup[];
  fault: FormFault | null;
}

export const GroupListPage = ({ frame, groups, fault }: ListProps) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <SettingsPage title={say('Groups')} frame={frame} current={GROUPS}>
      <p>{say('A group is who is notified about a service: people, plain email addresses and webhooks.')}</p>
      {groups.length === 0 ? (
        <p>
          {say(
            'No group yet: nobody is notified about anything. Make the first one below, then choose it for a service.',
          )}
        </p>
      ) : (
        <ul class="rows card">
          {groups.map((group) => (
            <li key={group.id}>
              <span class="row-link">
                <a href={`${GROUPS}/${group.id}`}>{group.name}</a>
              </span>
              <span class="muted">{describeSize(group, language)}</span>
            </li>
          ))}
        </ul>
      )}
      <section class="card">
        <h2>{say('New group')}</h2>
        <form method="post" action={GROUPS}>
          <input type="hidden" name="organization_id" value={frame.organization.id} />
          <Field
            name="name"
            label={say('Name')}
            error={fault?.text}
            input={{
              value: fault?.typed.name ?? '',
              required: true,
              maxLength: LONGEST_NAME,
              autocomplete: 'off',
            }}
          />
          <button type="submit" class="button-primary">
            {say('Create group')}
          </button>
        </form>
      </section>
    </SettingsPage>
  );
};

function describeSize({ people, emails, webhooks, services }: ListedGroup, { say }: Language): string {
  return say(
    '{people, plural, one {# person} other {# people}}, {emails, plural, one {# address} other {# addresses}}, {webhooks, plural, one {# webhook} other {# webhooks}} · {services, plural, one {# service} other {# services}}',
    { people, emails, webhooks, services },
  );
}
