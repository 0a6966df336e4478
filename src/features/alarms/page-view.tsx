import type { ComponentChildren } from 'preact';
import type { ActNotice } from '../../domain/words/act-words.ts';
import {
  FirstSteps,
  type FirstStepsModel,
  type MissingSteps,
  MissingStepsLine,
} from '../../engine/pages/first-steps.tsx';
import { Page } from '../../engine/pages/page.tsx';
import { Place } from '../../engine/pages/place.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import { Live, LiveStatus } from '../../platform/html/live.tsx';
import { Notice } from '../../platform/html/notice.tsx';
import { type ShownTime, Span, Time } from '../../platform/html/time.tsx';
import { UpLink } from '../../platform/html/up-link.tsx';
import type { AlarmRowModel } from './row-model.ts';
import { AlarmTable } from './views.tsx';

export interface BoardModel {
  alarms: AlarmRowModel[];
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
}) => (
  <Page title="Alarms" visitor={visitor} current="/">
    <div class="page-head">
      <h1>Alarms</h1>
      {board && (
        <>
          <LiveStatus asOf={board.asOf} />
          <button type="button" class="needs-script" data-sound="">
            Sound is off
          </button>
        </>
      )}
    </div>
    {news && <Notice kind={news.kind}>{news.text}</Notice>}
    {board ? (
      <Board {...board} />
    ) : (
      <p>You are not a member of any organization yet. Ask an administrator of your lab to add you.</p>
    )}
  </Page>
);

/** A device that nobody has adopted is not told of. */
const FIRST_STEPS_SECONDS = 5;

/** What a live page asks for again. */
export const Board = (board: BoardModel) => (
  <Live
    id="board"
    path="/"
    timeZone={board.timeZone}
    renewInMs={board.renewInMs}
    {...(board.firstSteps && { everySeconds: FIRST_STEPS_SECONDS })}
  >
    <div class="board-summary" data-part="summary">
      <Summary {...board} />
    </div>
    <div data-part="list">
      {board.alarms.length > 0 && <AlarmTable alarms={board.alarms} />}
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

const Summary = ({ alarms, inDowntime, unwatched }: BoardModel) => {
  const counts = (['critical', 'warning', 'stale'] as const)
    .map((severity) => [severity, alarms.filter((alarm) => alarm.severity === severity).length] as const)
    .filter(([, count]) => count > 0);
  return (
    <>
      {counts.map(([severity, count]) => (
        <span key={severity} class={`severity severity-${severity}`}>
          {count} {severity}
        </span>
      ))}
      {inDowntime > 0 && (
        <a class="lone-link" href="/downtimes">
          {inDowntime} {inDowntime === 1 ? 'service is' : 'services are'} in downtime
        </a>
      )}
      {unwatched > 0 && (
        <a class="lone-link" href="/services?state=unwatched">
          {unwatched} {unwatched === 1 ? 'service is' : 'services are'} not watched yet
        </a>
      )}
    </>
  );
};

type NoAlarmsProps = Pick<BoardModel, 'unwatched'> & { watch: NonNullable<BoardModel['watch']> };

const NoAlarms = ({ watch: { services, last }, unwatched }: NoAlarmsProps) => (
  <div class="card all-well">
    <h2>
      {unwatched === 0 ? (
        <span class="severity severity-normal">All is well</span>
      ) : (
        <span class="severity severity-unwatched">Not everything is watched yet</span>
      )}
    </h2>
    <p>No active alarms. {sayWatched(services, unwatched)}</p>
    {last ? (
      <p>
        Data last came in <Time {...last.at} />, <Span ms={last.agoMs} /> ago.
      </p>
    ) : (
      <p>No data has come in yet.</p>
    )}
  </div>
);

function sayWatched(services: number, unwatched: number): string {
  const watched = services - unwatched;
  const verb = services === 1 ? 'service is' : 'services are';
  return unwatched === 0 ? `${services} ${verb} watched.` : `${watched} of ${services} ${verb} watched.`;
}

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
}: PanelModel & { visitor: Visitor; alarm: AlarmRowModel | null }) => (
  <Page title={service.name} visitor={visitor} current="/">
    <UpLink path="/" label="All alarms" />
    <h1>{service.name}</h1>
    {alarm ? (
      <AlarmTable alarms={[withoutActs(alarm)]} />
    ) : (
      <>
        <Place parts={service.place} />
        <p>No active alarm.</p>
      </>
    )}
    <div class="panel">
      <h2>Mute {service.name}</h2>
      {mutePanel}
      <h2>Plan downtime</h2>
      {downtimePanel}
    </div>
  </Page>
);

const withoutActs = (alarm: AlarmRowModel): AlarmRowModel => ({
  ...alarm,
  canOperate: false,
  canAcknowledge: false,
  canUnacknowledge: false,
});
