import type { ComponentChildren } from 'preact';
import { FactList, NewestValue, type ShownFacts } from '../../engine/pages/alarm-facts.tsx';
import { Page } from '../../engine/pages/page.tsx';
import { Place } from '../../engine/pages/place.tsx';
import { TakenActions, type TakenModel, TakeOver } from '../../engine/pages/taken-alarm.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import { Notice } from '../../platform/html/notice.tsx';
import { type ShownTime, Time } from '../../platform/html/time.tsx';
import type { LinkOutcome } from './acknowledge-by-link.ts';

export interface OutcomeModel {
  visitor: Visitor;
  token: string;
  outcome: LinkOutcome['outcome'];
  taken: TakenModel | null;
  serviceId: number;
  serviceName: string;
  place: string[];
  isDrill: boolean;
  /** How long the drill took. */
  drillTime: string | null;
  alarm: {
    severity: 'critical' | 'warning';
    severityLabel: string;
    message: string;
    since: ShownTime | null;
    facts: ShownFacts | null;
  } | null;
  acknowledged: { by: string; at: ShownTime; comment: string | null } | null;
  canComment: boolean;
}

export const OutcomePage = (model: OutcomeModel) => {
  const { visitor, serviceId, serviceName, place, isDrill, drillTime, alarm, acknowledged } = model;
  return (
    <Page title={`${serviceName}: ${TITLES[model.outcome]}`} visitor={visitor}>
      <div class="narrow">
        <h1>{serviceName}</h1>
        <Place parts={place} />
        {model.taken && <TakeOver {...model.taken} />}
        <Verdict {...model} />
        {isDrill && <p>This is a drill, not a real alarm.</p>}
        {drillTime !== null && <p>It took {drillTime} from the start of the drill.</p>}
        {alarm?.facts && (
          <p>
            <NewestValue {...alarm.facts} />
          </p>
        )}
        {alarm && (
          <p>
            <span class={`severity severity-${alarm.severity}`}>{alarm.severityLabel}</span> {alarm.message}
            {alarm.since && (
              <>
                , since <Time {...alarm.since} />
              </>
            )}
          </p>
        )}
        {alarm?.facts && <FactList {...alarm.facts} />}
        {acknowledged?.comment && (
          <p>
            <q>{acknowledged.comment}</q>
          </p>
        )}
        {model.canComment && <CommentForm token={model.token} />}
        {model.taken && <TakenActions {...model.taken} />}
        <WaysOn serviceId={serviceId} />
      </div>
    </Page>
  );
};

const WaysOn = ({ serviceId }: { serviceId: number }) => (
  <p class="actions">
    <a class="button button-primary" href={`/services/${serviceId}`}>
      Look at the service
    </a>
    <a class="button" href={`/services/${serviceId}/notifications`}>
      Who was told
    </a>
    <a class="button" href="/">
      All alarms
    </a>
  </p>
);

/** What was said, without acknowledging anything: the alarm may have become another one since. */
export const CommentPage = ({ visitor, comment, serviceId, serviceName }: CommentProps) => (
  <Page title={`${serviceName}: comment kept`} visitor={visitor}>
    <div class="narrow">
      <h1>{serviceName}</h1>
      <Notice kind="done">Your comment is kept with the acknowledgement.</Notice>
      <p>
        <q>{comment}</q>
      </p>
      <WaysOn serviceId={serviceId} />
    </div>
  </Page>
);

interface CommentProps {
  visitor: Visitor;
  comment: string;
  serviceId: number;
  serviceName: string;
}

const TITLES: Record<LinkOutcome['outcome'], string> = {
  acknowledged: 'acknowledged',
  already_acknowledged: 'already acknowledged',
  over: 'the alarm is over',
  newer_alarm: 'a newer alarm',
  viewer_only: 'not acknowledged',
};

const Verdict = (model: OutcomeModel) => {
  const { outcome, acknowledged, serviceId, isDrill } = model;
  const who = acknowledged && (
    <>
      by {acknowledged.by}, <Time {...acknowledged.at} />
    </>
  );
  const words: Record<LinkOutcome['outcome'], ComponentChildren> = {
    acknowledged: (
      <>
        Acknowledged {who}.{!isDrill && ' No more reminders go out unless it gets worse.'}
      </>
    ),
    already_acknowledged: (
      <>
        This alarm is already acknowledged {who}.
        {model.taken?.offeredBy == null && ' There is nothing left to do here.'}
      </>
    ),
    over: 'This alarm is over: the service is back to normal, so there is nothing to acknowledge.',
    newer_alarm: (
      <>
        The alarm in your message is over, but a new one has begun since. It is{' '}
        <strong>not acknowledged</strong> by this link: use the newest message, or look at{' '}
        <a href={`/services/${serviceId}/notifications`}>what was told since</a>.
      </>
    ),
    viewer_only: (
      <>
        Not acknowledged. You may look, but acknowledging takes the role of operator or higher. Call a
        colleague who has it, or ask an administrator.
      </>
    ),
  };
  const isFine = outcome !== 'newer_alarm' && outcome !== 'viewer_only';
  return <Notice kind={isFine ? 'done' : 'error'}>{words[outcome]}</Notice>;
};

const CommentForm = ({ token }: { token: string }) => (
  <form method="post" action={`/acknowledge/${token}/comment`}>
    <div class="field">
      <label for="comment">What is going on? (optional)</label>
      <input id="comment" name="comment" maxLength={2000} autocomplete="off" />
    </div>
    <button type="submit">Add comment</button>
  </form>
);

/** For a link that never was as for one of an organization that the visitor does not belong to. */
export const UnknownLinkPage = ({ visitor, token }: { visitor: Visitor; token: string }) => (
  <Page title="Link not found" visitor={visitor}>
    <div class="narrow">
      <h1>Nothing was acknowledged</h1>
      <p>
        This link is not known, or it belongs to an organization that {visitor.name} is not a member of. Check
        that the whole link was copied.
      </p>
      <p>
        <a class="button" href={`/login?${new URLSearchParams({ next: `/acknowledge/${token}` })}`}>
          Sign in as somebody else
        </a>
      </p>
    </div>
  </Page>
);

/** A browser that loads pages ahead throws this away and asks again once the person really opens the link. */
export const NotYetPage = ({ visitor, token }: { visitor: Visitor; token: string }) => (
  <Page title="Not acknowledged yet" visitor={visitor}>
    <div class="narrow">
      <h1>Not acknowledged yet</h1>
      <p>Your browser loaded this page ahead of time, so nothing was changed.</p>
      <p>
        <a class="button button-primary" href={`/acknowledge/${token}`}>
          Acknowledge now
        </a>
      </p>
    </div>
  </Page>
);
