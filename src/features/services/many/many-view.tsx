// Before an act on many units: what it will do to each, and to which it cannot and why.

import type { ComponentChildren } from 'preact';
import type { ServiceId } from '../../../domain/ids.ts';
import { MOST_UNITS_AT_ONCE } from '../../../engine/acts/many/many-act.ts';
import { type ManyActName, UNDO_MINUTES } from '../../../engine/acts/many/many-act-rows.ts';
import { Ask } from '../../../engine/pages/ask.tsx';
import { Page } from '../../../engine/pages/page.tsx';
import { Place } from '../../../engine/pages/place.tsx';
import type { Visitor } from '../../../engine/pages/visitor.ts';
import { useLanguage } from '../../../platform/html/language.tsx';
import { Notice } from '../../../platform/html/notice.tsx';
import { TableScroll } from '../../../platform/html/table-scroll.tsx';
import { manyPath } from '../list/boxes.ts';
import { sayAct } from '../list/many-words.ts';
import { type ServiceFilter, typedFilter, writeFilter } from '../list/service-filter.ts';
import type { ServiceState } from '../shown-service/service-state.ts';
import { StateBadges } from '../shown-service/state-view.tsx';

export interface PreviewRow {
  id: ServiceId;
  name: string;
  place: string[];
  state: ServiceState;
  /** What it will do, or why it cannot. */
  says: string[];
}

interface ManyPageModel {
  act: ManyActName;
  filter: ServiceFilter;
  /** null: something has to be chosen first. */
  reached: PreviewRow[] | null;
  refused: PreviewRow[];
  selected: PreviewRow[];
  /** The group that is chosen is none. */
  isToNobody: boolean;
  /** Their ids, for the form. */
  units: { selected: string; reached: string };
  isCut: boolean;
  hasUnknown: boolean;
  fault: string | null;
}

interface ManyPageProps extends ManyPageModel {
  visitor: Visitor;
  /** What somebody chooses before it can be shown, and what the act itself asks for. */
  choice: ComponentChildren;
  fields: ComponentChildren;
}

export const ManyPage = (props: ManyPageProps) => {
  const { visitor, act, filter, reached, refused, selected, units, choice, fault } = props;
  const language = useLanguage();
  const { say } = language;
  const count = (reached ?? selected).length;
  const name = sayAct(act, count, language);
  const title = act === 'archive' ? say('{act}?', { act: name }) : name;
  const back = writeFilter(filter);
  return (
    <Page title={title} visitor={visitor} current="/services">
      <h1>{title}</h1>
      {fault !== null && <Notice kind="error">{fault}</Notice>}
      {props.isCut && (
        <Notice kind="error">
          {say('Only the first {most} are selected: more at once are for the lab file.', {
            most: MOST_UNITS_AT_ONCE,
          })}
        </Notice>
      )}
      {props.hasUnknown && <Notice kind="error">{say('Some units are not there any more.')}</Notice>}
      {choice && (
        <form class="inline-fields" method="get" action={manyPath(act)}>
          <Hidden values={[...typedFilter(filter), ['units', units.selected]]} />
          {choice}
          <button type="submit" class={reached ? undefined : 'button-primary'}>
            {say('Show what changes')}
          </button>
        </form>
      )}
      {reached && reached.length > 0 && <ActForm {...props} name={name} back={back} />}
      {(count === 0 || reached === null) && (
        <p>
          {count === 0 && <>{say('There is nothing that could be done here.')} </>}
          <a href={back}>{say('Back to the list')}</a>
        </p>
      )}
      {reached === null && <Rows title={say('Selected')} rows={selected} />}
      {reached && reached.length > 0 && <Rows title={say('What it will do')} rows={reached} />}
      {refused.length > 0 && <Rows title={say('Where it cannot be done, and why')} rows={refused} />}
    </Page>
  );
};

const ActForm = ({
  act,
  filter,
  units,
  fields,
  isToNobody,
  name,
  back,
}: ManyPageProps & { name: string; back: string }) => {
  const { say } = useLanguage();
  const action = writeFilter(filter, manyPath(act));
  if (act === 'archive')
    return (
      <Ask
        question={{
          act: name,
          says: [
            say('From now on they take in no data, raise no alarm and have no page. Their history is kept.'),
            say('Alarms and acknowledgements end.'),
            say('Each can be restored in the settings.'),
          ],
          canUndo: true,
        }}
        losses={[]}
        action={action}
        form={{ units: units.reached }}
        back={back}
      />
    );
  return (
    <form class="many-form" method="post" action={action}>
      <input type="hidden" name="units" value={units.reached} />
      <div class="inline-fields">{fields}</div>
      {act === 'group' && isToNobody && (
        <Notice kind="error">{say('Nobody is notified of them any more.')}</Notice>
      )}
      {act === 'limits' && <p>{say('They are judged anew at once, and acknowledgements end.')}</p>}
      <p class="muted">{say('It can be undone for {minutes} minutes.', { minutes: UNDO_MINUTES })}</p>
      <div class="actions">
        <a class="button" href={back}>
          {say('Leave it as it is')}
        </a>
        <button type="submit" class="button-primary">
          {name}
        </button>
      </div>
    </form>
  );
};

const Hidden = ({ values }: { values: readonly (readonly [name: string, value: string])[] }) => (
  <>
    {values.map(([name, value]) => (
      <input key={name} type="hidden" name={name} value={value} />
    ))}
  </>
);

const Rows = ({ title, rows }: { title: string; rows: readonly PreviewRow[] }) => (
  <>
    <h2>{title}</h2>
    <TableScroll label={title}>
      <table class="services many-rows">
        <tbody>
          {rows.map(({ id, name, place, state, says }) => (
            <tr key={id}>
              <td>
                <StateBadges {...state} />
              </td>
              <th scope="row">
                <a class="row-link" href={`/services/${id}`}>
                  {name}
                </a>
                <Place parts={place} />
              </th>
              <td class="services-values">
                {says.map((line) => (
                  <div key={line}>{line}</div>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  </>
);

export const NothingSelected = ({ visitor, filter }: { visitor: Visitor; filter: ServiceFilter }) => {
  const { say } = useLanguage();
  const title = say('Nothing is selected');
  return (
    <Page title={title} visitor={visitor} current="/services">
      <h1>{title}</h1>
      <p>{say('Tick the boxes of some units, or the one for all that were found.')}</p>
      <p>
        <a class="button button-primary" href={writeFilter(filter)}>
          {say('Back to the list')}
        </a>
      </p>
    </Page>
  );
};
