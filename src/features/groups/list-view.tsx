import { Field } from '../../platform/html/field.tsx';
import { Notice } from '../../platform/html/notice.tsx';
import { Page, type Visitor } from '../../platform/html/page.tsx';
import { type FormFault, GROUPS } from './form-fault.ts';
import type { ListedOrganization } from './queries.ts';

interface ListProps {
  visitor: Visitor;
  organizations: ListedOrganization[];
  done: string | null;
  fault: (FormFault & { organizationId: number }) | null;
}

export const GroupListPage = ({ visitor, organizations, done, fault }: ListProps) => (
  <Page title="Groups" visitor={visitor} current={GROUPS}>
    <h1>Groups</h1>
    <p>A group is who is told about a service: people, plain email addresses and webhooks.</p>
    {done !== null && <Notice kind="done">{done}</Notice>}
    {organizations.map(({ id, name, groups }) => {
      const ownFault = fault?.organizationId === id ? fault : null;
      return (
        <section key={id} class="card" aria-labelledby={`organization-${id}`}>
          <h2 id={`organization-${id}`}>{name}</h2>
          {groups.length === 0 ? (
            <p>No group yet: nobody is told about anything.</p>
          ) : (
            <ul class="rows">
              {groups.map((group) => (
                <li key={group.id}>
                  <a href={`${GROUPS}/${group.id}`}>{group.name}</a>
                  <span class="muted">{describeSize(group)}</span>
                </li>
              ))}
            </ul>
          )}
          <form method="post" action={GROUPS}>
            <input type="hidden" name="organization_id" value={id} />
            <Field
              id={`name-${id}`}
              name="name"
              label="New group"
              error={ownFault?.text}
              input={{
                value: ownFault?.typed.name ?? '',
                required: true,
                maxLength: 200,
                autocomplete: 'off',
              }}
            />
            <button type="submit">Create group</button>
          </form>
        </section>
      );
    })}
  </Page>
);

function describeSize({ people, emails, webhooks, services }: ListedOrganization['groups'][number]): string {
  const counted = [
    count(people, 'person', 'people'),
    count(emails, 'address', 'addresses'),
    count(webhooks, 'webhook'),
  ];
  return `${counted.join(', ')} · ${count(services, 'service')}`;
}

const count = (number: number, one: string, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;
