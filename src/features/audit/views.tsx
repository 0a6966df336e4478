import { Page } from '../../engine/pages/page.tsx';
import { OrganizationChoice } from '../../engine/pages/settings-page.tsx';
import { settingsPath } from '../../engine/pages/settings-path.ts';
import type { Visitor } from '../../engine/pages/visitor.ts';
import { Field } from '../../platform/html/field.tsx';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { Notice } from '../../platform/html/notice.tsx';
import { Select } from '../../platform/html/select.tsx';
import { Cell, ColumnHeads, TableScroll } from '../../platform/html/table-scroll.tsx';
import { TimeField } from '../../platform/html/time-field.tsx';
import { nameAction, type RecordModel } from './describe-record.tsx';
import type { TypedSearch } from './read-search.ts';

export const AUDIT = '/audit';

interface AuditProps {
  visitor: Visitor;
  organization: { id: number; name: string };
  organizations: { id: number; name: string }[];
  typed: TypedSearch;
  faults: ('from' | 'to')[];
  actions: string[];
  records: RecordModel[];
  /** Where older records are; null: these are the oldest. */
  olderPath: string | null;
  isFirstPage: boolean;
}

export const AuditPage = (props: AuditProps) => {
  const language = useLanguage();
  const { say, sayAs } = language;
  const { visitor, organization, organizations, typed, faults, actions, records, olderPath } = props;
  const isSearched = Object.values(typed).some((text) => text !== '');
  const words = Object.fromEntries(Object.entries(typed).filter(([, text]) => text !== ''));
  const timeError = (field: 'from' | 'to') =>
    faults.includes(field)
      ? say('Write it like 2026-11-15 04:00, or 2026-11-15 for the beginning of that day.')
      : undefined;
  return (
    <Page title={say('Audit log')} visitor={visitor} current={AUDIT}>
      <OrganizationChoice frame={{ organization, organizations }} path={AUDIT} />
      <h1>{say('Audit log')}</h1>
      <p>
        {say(
          'What happened in {name} and who did it, newest first, with the sign-ins of members who belong to no other organization. Nothing here can be changed or deleted.',
          { name: organization.name },
        )}
      </p>
      {faults.length > 0 && <Notice kind="error">{say('A time could not be read.')}</Notice>}
      <form class="inline-fields" method="get" action={AUDIT}>
        <input type="hidden" name="organization" value={organization.id} />
        <Field name="who" label={say('Who')} input={{ type: 'search', value: typed.who }} />
        <Select
          name="action"
          label={say('Act')}
          chosen={typed.action}
          options={[
            ['', sayAs('acts', 'All')],
            ...[...new Set([...actions, typed.action].filter(Boolean))].map(
              (action) => [action, nameAction(action, language)] as const,
            ),
          ]}
        />
        <Field
          name="service"
          label={sayAs('a piece of equipment', 'Unit')}
          input={{ type: 'search', value: typed.service }}
        />
        <TimeField name="from" label={say('From')} error={timeError('from')} value={typed.from} />
        <TimeField name="to" label={say('Until')} error={timeError('to')} value={typed.to} />
        <button type="submit" class="button-primary">
          {say('Search')}
        </button>
        {isSearched && (
          <a class="button" href={settingsPath(AUDIT, organization)}>
            {say('Show everything')}
          </a>
        )}
      </form>
      {records.length === 0 ? (
        <p>{isSearched ? say('Nothing fits this search.') : say('Nothing has happened yet.')}</p>
      ) : (
        <TableScroll label={say('Audit records')}>
          <table class="audit stacked">
            <ColumnHeads columns={[say('When'), say('What happened'), say('Detail'), say('From address')]} />
            <tbody>
              {records.map((record) => (
                <RecordRow key={record.id} {...record} />
              ))}
            </tbody>
          </table>
        </TableScroll>
      )}
      <nav class="actions" aria-label={say('More records')}>
        {!props.isFirstPage && (
          <a class="button" href={settingsPath(AUDIT, organization, words)}>
            {say('Newest')}
          </a>
        )}
        {olderPath !== null && (
          <a class="button" href={olderPath}>
            {say('Older')}
          </a>
        )}
        {faults.length === 0 && (
          <a class="button" href={settingsPath(`${AUDIT}.csv`, organization, words)}>
            {say('Download as CSV')}
          </a>
        )}
      </nav>
    </Page>
  );
};

const RecordRow = ({ at, sentence, who, unit, action, lines, address }: RecordModel) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <tr>
      <td class="when">
        <time datetime={at.iso}>{at.label}</time>
      </td>
      <td class="prose">
        {sentence}
        {who !== null && <div>{sayWith(language, 'By {who}', { who: <strong>{who}</strong> })}</div>}
        {unit && <div>{sayWith(language, 'At {unit}', { unit })}</div>}
        <div class="muted row-note">
          <code>{action}</code>
        </div>
      </td>
      <td class="prose">
        {lines.map(({ label, text }) => (
          <div key={`${label} ${text}`}>
            {sayWith(language, '<span>{label}:</span> {text}', {
              label,
              text,
              span: (inside) => <span class="muted">{inside}</span>,
            })}
          </div>
        ))}
      </td>
      <Cell column={say('From address')}>{address}</Cell>
    </tr>
  );
};
