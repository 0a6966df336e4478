import type { ComponentChildren } from 'preact';
import { message } from '../../domain/language/message.ts';
import type { Language } from '../../domain/language/speak.ts';
import type { ActNotice } from '../../domain/words/act-words.ts';
import {
  FirstSteps,
  type FirstStepsModel,
  type MissingSteps,
  MissingStepsLine,
} from '../../engine/pages/first-steps.tsx';
import { NoMembership } from '../../engine/pages/no-membership.tsx';
import { Page } from '../../engine/pages/page.tsx';
import { Place } from '../../engine/pages/place.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { Live, LiveStatus } from '../../platform/html/live.tsx';
import { Notice } from '../../platform/html/notice.tsx';
import { type ShownTime, Span, Time } from '../../platform/html/time.tsx';
import { UpLink } from '../../platform/html/up-link.tsx';
import { type AlarmFilter, isFiltered, type Severity, writeAlarmFilter } from './alarm-filter.ts';
import { type FilterChoices, FilterForm, NoneMatches } from './filter-view.tsx';
import { FoldedAlarms } from './folded-view.tsx';
import type { AlarmRowModel } from './row-model.ts';
import { AlarmTable } from './views.tsx';

export interface BoardModel {
  alarms: AlarmRowModel[];
  /** With those that its filter leaves out. */
  total: number;
  filter: AlarmFilter;
  /** null: there is not much to choose from. */
  choices: FilterChoices | null;
  /** Of any severity. */
  counts: { severity: Severity; count: number }[];
  inDowntime: number;
  /** Services that cannot raise an alarm yet. */
  unwatched: number;
  /** Only when there is no alarm. */
  watch: { services: number; last: { at: ShownTime; agoMs: number } | null } | null;
  /** Only while nothing is watched. */
  firstSteps: FirstStepsModel | null;
  /** What is missing until a message has arrived. */
  missingSteps: MissingSteps | null;
  timeZone: string;
  /** When it was so, on the visitor's clock. */
  asOf: string;
  /** Until a downtime begins or ends next. */
  renewInMs: number | null;
}

export const AlarmsPage = ({
  visitor,
  news,
  board,
}: {
  visitor: Visitor;
  news: ActNotice | null;
  /** null: a member of no organization. */
  board: BoardModel | null;
}) => {
  const { say } = useLanguage();
  return (
    <Page title={say('Alarms')} visitor={visitor} current="/">
      <div class="page-head">
        <h1>{say('Alarms')}</h1>
        {board && (
          <>
            <LiveStatus asOf={board.asOf} />
            <button type="button" class="needs-script" data-sound="">
              {say('Sound is off')}
            </button>
          </>
        )}
      </div>
      {news && <Notice kind={news.kind}>{news.text}</Notice>}
      {board?.choices && <FilterForm filter={board.filter} {...board.choices} />}
      {board ? <Board {...board} /> : <NoMembership />}
    </Page>
  );
};

/** A device that nobody has adopted is not told of. */
const FIRST_STEPS_SECONDS = 5;

/** What a live page asks for again. */
export const Board = (board: BoardModel) => (
  <Live
    id="board"
    path={writeAlarmFilter(board.filter)}
    timeZone={board.timeZone}
    renewInMs={board.renewInMs}
    {...(board.firstSteps && { everySeconds: FIRST_STEPS_SECONDS })}
  >
    <div class="board-summary" data-part="summary">
      <Summary {...board} />
    </div>
    <div data-part="list">
      {board.alarms.length > 0 ? <FoldedAlarms {...board} /> : board.total > 0 && <NoneMatches />}
      {board.watch &&
        (board.firstSteps ? (
          <FirstSteps {...board.firstSteps} />
        ) : (
          <NoAlarms {...board} watch={board.watch} />
        ))}
    </div>
    <div data-part="missing">{board.missingSteps && <MissingStepsLine {...board.missingSteps} />}</div>
  </Live>
);

const COUNTS = {
  critical: message('{count, plural, other {# critical}}'),
  warning: message('{count, plural, other {# warning}}'),
  stale: message('{count, plural, other {# stale}}'),
} as const;

const Summary = ({ counts, filter, inDowntime, unwatched }: BoardModel) => {
  const { say } = useLanguage();
  const isWhole = !isFiltered(filter);
  return (
    <>
      {counts
        .filter(({ severity, count }) => count > 0 || severity === filter.severity)
        .map(({ severity, count }) => {
          const isChosen = severity === filter.severity;
          return (
            <a
              key={severity}
              class={`severity severity-${severity} severity-link`}
              href={writeAlarmFilter({ ...filter, severity: isChosen ? null : severity })}
              aria-current={isChosen ? 'true' : undefined}
            >
              {say(COUNTS[severity], { count })}
            </a>
          );
        })}
      {!isWhole && (
        <a class="lone-link" href="/">
          {say('Show all alarms')}
        </a>
      )}
      {isWhole && inDowntime > 0 && (
        <a class="lone-link" href="/downtimes">
          {say('{count, plural, one {# service is} other {# services are}} in downtime', {
            count: inDowntime,
          })}
        </a>
      )}
      {isWhole && unwatched > 0 && (
        <a class="lone-link" href="/services?state=unwatched">
          {say('{count, plural, one {# service is} other {# services are}} not watched yet', {
            count: unwatched,
          })}
        </a>
      )}
    </>
  );
};

type NoAlarmsProps = Pick<BoardModel, 'unwatched'> & { watch: NonNullable<BoardModel['watch']> };

const NoAlarms = ({ watch: { services, last }, unwatched }: NoAlarmsProps) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <div class="card all-well">
      <h2>
        {unwatched === 0 ? (
          <span class="severity severity-normal">{say('All is well')}</span>
        ) : (
          <span class="severity severity-unwatched">{say('Not everything is watched yet')}</span>
        )}
      </h2>
      <p>{sayWatched(services, unwatched, language)}</p>
      {last ? (
        <p>
          {sayWith(language, 'Data last came in {time}, {span} ago.', {
            time: <Time {...last.at} />,
            span: <Span ms={last.agoMs} />,
          })}
        </p>
      ) : (
        <p>{say('No data has come in yet.')}</p>
      )}
    </div>
  );
};

const sayWatched = (services: number, unwatched: number, { say }: Language): string =>
  unwatched === 0
    ? say('No active alarms. {services, plural, one {# service is} other {# services are}} watched.', {
        services,
      })
    : say(
        'No active alarms. {watched} of {services, plural, one {# service is} other {# services are}} watched.',
        { watched: services - unwatched, services },
      );

interface PanelModel {
  service: { id: number; name: string; place: string[] };
  /** Each with its own buttons. */
  mutePanel: ComponentChildren;
  downtimePanel: ComponentChildren;
}

/** To mute is a step of its own: nothing is acknowledged here. */
export const PanelPage = ({
  visitor,
  alarm,
  service,
  mutePanel,
  downtimePanel,
}: PanelModel & { visitor: Visitor; alarm: AlarmRowModel | null }) => {
  const { say } = useLanguage();
  return (
    <Page title={service.name} visitor={visitor} current="/">
      <UpLink path="/" label={say('All alarms')} />
      <h1>{service.name}</h1>
      {alarm ? (
        <AlarmTable alarms={[withoutActs(alarm)]} />
      ) : (
        <>
          <Place parts={service.place} />
          <p>{say('No active alarm.')}</p>
        </>
      )}
      <div class="panel">
        <h2>{say('Mute {name}', { name: service.name })}</h2>
        {mutePanel}
        <h2>{say('Plan downtime')}</h2>
        {downtimePanel}
      </div>
    </Page>
  );
};

const withoutActs = (alarm: AlarmRowModel): AlarmRowModel => ({
  ...alarm,
  canOperate: false,
  canAcknowledge: false,
  canUnacknowledge: false,
});
