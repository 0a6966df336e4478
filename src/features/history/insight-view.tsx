import { Page } from '../../engine/pages/page.tsx';
import { Place } from '../../engine/pages/place.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { Cell, ColumnHeads, TableScroll } from '../../platform/html/table-scroll.tsx';
import { Period, Time } from '../../platform/html/time.tsx';
import { Calendar } from './calendar-view.tsx';
import { EpisodeFilter, type FilterModel } from './filter-view.tsx';
import type { InsightModel, NoisyModel } from './insight-model.ts';
import { HISTORY, INSIGHT } from './paths.ts';
import { WeeksChart, WeeksTable } from './weeks-chart.tsx';

export const InsightPage = ({
  visitor,
  filter,
  insight,
}: {
  visitor: Visitor;
  filter: FilterModel;
  /** null: what was asked for could not be read. */
  insight: InsightModel | null;
}) => {
  const { say } = useLanguage();
  const { unitName } = filter;
  return (
    <Page title={say('Insight')} visitor={visitor} current={HISTORY}>
      <div class="page-head">
        <h1>{unitName === null ? say('Insight') : say('Insight into {name}', { name: unitName })}</h1>
        <div class="actions">
          <a class="button" href={insight?.listPath ?? HISTORY}>
            {say('List of alarms')}
          </a>
          {insight && (
            <a class="button" href={insight.csvPath}>
              {say('Weeks as CSV')}
            </a>
          )}
        </div>
      </div>
      <EpisodeFilter visitor={visitor} path={INSIGHT} filter={filter} />
      {insight && <Insight {...insight} />}
    </Page>
  );
};

const Insight = (insight: InsightModel) => {
  const language = useLanguage();
  const { say } = language;
  const { from, to, isShortened, all, weeks, noisy, calendar } = insight;
  return (
    <>
      <p>
        {to ? (
          <Period from={from} until={to} />
        ) : (
          sayWith(language, 'Since {time}', { time: <Time {...from} /> })
        )}
        {isShortened && ` ${say('A year at most is counted at once.')}`}
      </p>
      <Figures {...all} />
      <section class="card" aria-labelledby="weeks-title">
        <h2 id="weeks-title">{say('Alarms a week')}</h2>
        {all.alarms === 0 ? (
          <p>{say('No alarm began in this time.')}</p>
        ) : (
          <>
            <WeeksChart weeks={weeks} />
            <WeeksTable weeks={weeks} />
          </>
        )}
      </section>
      {noisy.length > 0 && (
        <section class="card" aria-labelledby="noisy-title">
          <h2 id="noisy-title">{say('Noisiest units')}</h2>
          <NoisyTable noisy={noisy} />
        </section>
      )}
      <section class="card" id="in-range" aria-labelledby="in-range-title">
        <h2 id="in-range-title">{say('Time in range')}</h2>
        <p class="muted">
          {say(
            'The time of all these units together in which they were in no alarm of any severity. While no data came in, an alarm went on as it was.',
          )}
        </p>
        <Calendar {...calendar} />
      </section>
    </>
  );
};

const Figures = ({
  alarms,
  before,
  acknowledged,
  over,
  toAcknowledge,
  toRecover,
  share,
}: InsightModel['all']) => {
  const { say } = useLanguage();
  return (
    <dl class="figures">
      <div class="card">
        <dt>{say('Alarms')}</dt>
        <dd>{alarms}</dd>
        <dd class="muted">{say('{before} in as much time before', { before })}</dd>
      </div>
      <div class="card">
        <dt>{say('Median time to acknowledge')}</dt>
        <dd>{toAcknowledge ?? '–'}</dd>
        <dd class="muted">
          {say(
            '{rest, plural, =0 {All were acknowledged} one {# was not acknowledged} other {# were not acknowledged}}',
            {
              rest: alarms - acknowledged,
            },
          )}
        </dd>
      </div>
      <div class="card">
        <dt>{say('Median time to recover')}</dt>
        <dd>{toRecover ?? '–'}</dd>
        <dd class="muted">
          {say('{rest, plural, =0 {All are over} one {# still holds} other {# still hold}}', {
            rest: alarms - over,
          })}
        </dd>
      </div>
      <div class="card">
        <dt>{say('Time in range')}</dt>
        <dd>{share ?? '–'}</dd>
        <dd class="muted">{say('of the time of all units')}</dd>
      </div>
    </dl>
  );
};

const NoisyTable = ({ noisy }: { noisy: readonly NoisyModel[] }) => {
  const { say, sayAs } = useLanguage();
  return (
    <TableScroll label={say('Table of the noisiest units')}>
      <table class="stacked">
        <ColumnHeads
          columns={[
            sayAs('a piece of equipment', 'Unit'),
            say('Alarms'),
            say('Of these critical'),
            say('In alarm'),
            say('Limits'),
          ]}
        />
        <tbody>
          {noisy.map(({ name, place, alarms, critical, inAlarm, historyPath, limitsPath }) => (
            <tr key={historyPath}>
              <th scope="row">
                <a class="row-link" href={historyPath}>
                  {name}
                </a>
                <Place parts={place} />
              </th>
              <Cell column={say('Alarms')}>{alarms}</Cell>
              <Cell column={say('Of these critical')}>{critical}</Cell>
              <Cell column={say('In alarm')}>{inAlarm}</Cell>
              <Cell column={say('Limits')}>
                {limitsPath === null ? '–' : <a href={limitsPath}>{say('Try other limits')}</a>}
              </Cell>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  );
};
