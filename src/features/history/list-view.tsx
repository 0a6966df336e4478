import { Page } from '../../engine/pages/page.tsx';
import { Place } from '../../engine/pages/place.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { Cell, ColumnHeads, TableScroll } from '../../platform/html/table-scroll.tsx';
import { Time } from '../../platform/html/time.tsx';
import { EpisodeFilter, type FilterModel } from './filter-view.tsx';
import type { EpisodeModel } from './list-model.ts';
import { HISTORY, INSIGHT } from './paths.ts';
import { episodesPath, isNarrowed } from './read-search.ts';

interface HistoryProps {
  visitor: Visitor;
  filter: FilterModel;
  episodes: EpisodeModel[];
  /** Where older ones are; null: these are the oldest. */
  olderPath: string | null;
  isFirstPage: boolean;
}

export const HistoryPage = ({ visitor, filter, episodes, olderPath, isFirstPage }: HistoryProps) => {
  const { say } = useLanguage();
  const { typed, faults, unitName } = filter;
  return (
    <Page title={say('History')} visitor={visitor} current={HISTORY}>
      <div class="page-head">
        <h1>{unitName === null ? say('History') : say('History of {name}', { name: unitName })}</h1>
        <a class="button" href={episodesPath(INSIGHT, typed)}>
          {say('Insight')}
        </a>
      </div>
      <EpisodeFilter visitor={visitor} path={HISTORY} filter={filter} />
      {episodes.length === 0 ? (
        <NothingHappened visitor={visitor} isNarrowed={isNarrowed(typed) || !isFirstPage} />
      ) : (
        <EpisodeTable episodes={episodes} />
      )}
      <nav class="actions" aria-label={say('Pages of the list')}>
        {!isFirstPage && (
          <a class="button" href={episodesPath(HISTORY, typed)}>
            {say('Newest')}
          </a>
        )}
        {olderPath !== null && (
          <a class="button" href={olderPath} rel="next">
            {say('Older')}
          </a>
        )}
        {faults.length === 0 && episodes.length > 0 && (
          <a class="button" href={episodesPath(`${HISTORY}.csv`, typed)}>
            {say('Download as CSV')}
          </a>
        )}
      </nav>
    </Page>
  );
};

const NothingHappened = ({ visitor, ...given }: { visitor: Visitor; isNarrowed: boolean }) => {
  const language = useLanguage();
  const { say } = language;
  if (visitor.memberships.length === 0)
    return (
      <p>
        {say(
          'You belong to no organization yet, so there is nothing to see. Ask an administrator of your lab to invite you.',
        )}
      </p>
    );
  return given.isNarrowed ? (
    <p>
      {sayWith(language, 'No alarm fits. Try less, or <a>show the whole history</a>.', {
        a: (inside) => <a href={HISTORY}>{inside}</a>,
      })}
    </p>
  ) : (
    <p>{say('There has been no alarm yet. Each one will stand here once it begins, and stay.')}</p>
  );
};

const EpisodeTable = ({ episodes }: { episodes: EpisodeModel[] }) => {
  const { say, sayAs } = useLanguage();
  return (
    <TableScroll label={say('Alarms')}>
      <table class="episodes stacked">
        <ColumnHeads
          columns={[
            sayAs('a piece of equipment', 'Unit'),
            say('Severity'),
            say('Began'),
            say('Lasted'),
            say('Worst value'),
            say('Acknowledged'),
            say('Notified'),
          ]}
        />
        <tbody>
          {episodes.map((episode) => (
            <EpisodeRow key={episode.id} {...episode} />
          ))}
        </tbody>
      </table>
    </TableScroll>
  );
};

const EpisodeRow = (episode: EpisodeModel) => {
  const language = useLanguage();
  const { say } = language;
  const { id, name, place, severity, about, began, ended, lasted, worst, told } = episode;
  return (
    <tr>
      <th scope="row">
        <a class="row-link" href={`${HISTORY}/${id}`}>
          {name}
        </a>
        <Place parts={place} />
      </th>
      <Cell column={say('Severity')}>
        <span class={`severity severity-${severity}`}>
          {severity === 'critical' ? say('Critical') : say('Warning')}
        </span>
        {about !== null && <div class="muted row-note">{about}</div>}
      </Cell>
      <Cell column={say('Began')}>
        <Time {...began} />
      </Cell>
      <Cell column={say('Lasted')}>
        {ended ? (
          <>
            {lasted}
            <div class="muted row-note">
              {sayWith(language, 'until {time}', { time: <Time {...ended} /> })}
            </div>
          </>
        ) : (
          <strong>{say('{span} so far', { span: lasted })}</strong>
        )}
      </Cell>
      <Cell column={say('Worst value')} class="figure">
        {worst}
      </Cell>
      <Cell column={say('Acknowledged')} class="prose">
        <Taken {...episode} />
      </Cell>
      <Cell column={say('Notified')}>
        <span class={told.isNobody ? 'untold' : undefined}>{told.words}</span>
      </Cell>
    </tr>
  );
};

const Taken = ({ acknowledged, comments }: EpisodeModel) => {
  const { say } = useLanguage();
  if (!acknowledged) return <span class="muted">{say('Nobody')}</span>;
  const { by, after } = acknowledged;
  return (
    <>
      {/* For translators: {by} is the name of a person, {after} a span of time */}
      {say('{by}, after {after}', { by, after })}
      {comments.map((comment, index) => (
        <div key={index} class="row-note">
          <q>{comment}</q>
        </div>
      ))}
    </>
  );
};
