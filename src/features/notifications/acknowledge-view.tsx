import type { ComponentChildren } from 'preact';
import { message } from '../../domain/language/message.ts';
import { Page } from '../../engine/pages/page.tsx';
import { Place } from '../../engine/pages/place.tsx';
import { TakenActions, TakenGuidance, type TakenModel, TakeOver } from '../../engine/pages/taken-alarm.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { Notice } from '../../platform/html/notice.tsx';
import { type ShownTime, Time } from '../../platform/html/time.tsx';
import type { LinkOutcome } from './acknowledge-by-link.ts';
import { AlarmLines, type ShownAlarm } from './alarm-lines.tsx';

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
  alarm: ShownAlarm | null;
  /** `by` null: the visitor. */
  acknowledged: { by: string | null; at: ShownTime; comment: string | null } | null;
  canComment: boolean;
}

export const OutcomePage = (model: OutcomeModel) => {
  const language = useLanguage();
  const { say } = language;
  const { visitor, serviceId, serviceName, place, isDrill, drillTime, alarm, acknowledged } = model;
  return (
    <Page title={say(TITLES[model.outcome], { serviceName })} visitor={visitor}>
      <div class="narrow">
        <h1>{serviceName}</h1>
        <Place parts={place} />
        {model.taken && <TakeOver {...model.taken} />}
        <Verdict {...model} />
        {isDrill && <p>{say('This is a drill, not a real alarm.')}</p>}
        {drillTime !== null && (
          <p>{say('It took {drillTime} from the start of the drill.', { drillTime })}</p>
        )}
        {alarm && <AlarmLines {...alarm} />}
        {acknowledged?.comment && (
          <p>
            <q>{acknowledged.comment}</q>
          </p>
        )}
        {model.canComment && <CommentForm token={model.token} />}
        {model.taken && <TakenGuidance {...model.taken} />}
        {model.taken && <TakenActions {...model.taken} />}
        <WaysOn serviceId={serviceId} />
      </div>
    </Page>
  );
};

const WaysOn = ({ serviceId }: { serviceId: number }) => {
  const { say } = useLanguage();
  return (
    <p class="actions">
      <a class="button button-primary" href={`/services/${serviceId}`}>
        {say('Look at the service')}
      </a>
      <a class="button" href={`/services/${serviceId}/notifications`}>
        {say('Who was notified')}
      </a>
      <a class="button" href="/">
        {say('All alarms')}
      </a>
    </p>
  );
};

/** What was said, without acknowledging anything: the alarm may have become another one since. */
export const CommentPage = ({ visitor, comment, serviceId, serviceName }: CommentProps) => {
  const { say } = useLanguage();
  return (
    <Page title={say('{serviceName}: comment kept', { serviceName })} visitor={visitor}>
      <div class="narrow">
        <h1>{serviceName}</h1>
        <Notice kind="done">{say('Your comment is kept with the acknowledgement.')}</Notice>
        <p>
          <q>{comment}</q>
        </p>
        <WaysOn serviceId={serviceId} />
      </div>
    </Page>
  );
};

interface CommentProps {
  visitor: Visitor;
  comment: string;
  serviceId: number;
  serviceName: string;
}

const TITLES = {
  acknowledged: message('{serviceName}: acknowledged'),
  already_acknowledged: message('{serviceName}: already acknowledged'),
  over: message('{serviceName}: the alarm is over'),
  newer_alarm: message('{serviceName}: a newer alarm'),
  viewer_only: message('{serviceName}: not acknowledged'),
} as const satisfies Record<LinkOutcome['outcome'], string>;

const Verdict = (model: OutcomeModel) => {
  const language = useLanguage();
  const { say } = language;
  const { outcome, serviceId, isDrill } = model;
  const words: Record<LinkOutcome['outcome'], ComponentChildren> = {
    acknowledged: (
      <>
        <Acknowledged {...model} />
        {!isDrill && <> {say('No more reminders go out unless it gets worse.')}</>}
      </>
    ),
    already_acknowledged: (
      <>
        <Acknowledged {...model} />
        {model.taken?.offeredBy == null && <> {say('There is nothing left to do here.')}</>}
      </>
    ),
    over: say('This alarm is over: the service is back to normal, so there is nothing to acknowledge.'),
    newer_alarm: sayWith(
      language,
      'The alarm in your message is over, but a new one has begun since. It is <strong>not acknowledged</strong> by this link: use the newest message, or look at <a>the notifications since</a>.',
      {
        strong: (inside) => <strong>{inside}</strong>,
        a: (inside) => <a href={`/services/${serviceId}/notifications`}>{inside}</a>,
      },
    ),
    // For translators: whoever reads it must know that nobody takes care of the alarm yet
    viewer_only: say(
      'Not acknowledged. You may look, but acknowledging takes the role of operator or higher. Call a colleague who has it, or ask an administrator.',
    ),
  };
  const isFine = outcome !== 'newer_alarm' && outcome !== 'viewer_only';
  return <Notice kind={isFine ? 'done' : 'error'}>{words[outcome]}</Notice>;
};

const Acknowledged = ({ outcome, acknowledged }: Pick<OutcomeModel, 'outcome' | 'acknowledged'>) => {
  const language = useLanguage();
  if (!acknowledged) return null;
  const { by } = acknowledged;
  const time = <Time {...acknowledged.at} />;
  if (outcome === 'acknowledged')
    return by === null
      ? // For translators: {time} is when somebody said to take care of the alarm
        sayWith(language, 'Acknowledged by you, {time}.', { time })
      : sayWith(language, 'Acknowledged by {by}, {time}.', { by, time });
  return by === null
    ? sayWith(language, 'This alarm is already acknowledged by you, {time}.', { time })
    : sayWith(language, 'This alarm is already acknowledged by {by}, {time}.', { by, time });
};

const CommentForm = ({ token }: { token: string }) => {
  const { say } = useLanguage();
  return (
    <form method="post" action={`/acknowledge/${token}/comment`}>
      <div class="field">
        <label for="comment">{say('What is going on? (optional)')}</label>
        <input id="comment" name="comment" maxLength={2000} autocomplete="off" />
      </div>
      <button type="submit">{say('Add comment')}</button>
    </form>
  );
};

/** For a link that never was as for one of an organization that the visitor does not belong to. */
export const UnknownLinkPage = ({ visitor, token }: { visitor: Visitor; token: string }) => {
  const { say } = useLanguage();
  return (
    <Page title={say('Link not found')} visitor={visitor}>
      <div class="narrow">
        <h1>{say('Nothing was acknowledged')}</h1>
        <p>
          {say(
            'This link is not known, or it belongs to an organization that {name} is not a member of. Check that the whole link was copied.',
            { name: visitor.name },
          )}
        </p>
        <p>
          <a class="button" href={`/login?${new URLSearchParams({ next: `/acknowledge/${token}` })}`}>
            {say('Sign in as somebody else')}
          </a>
        </p>
      </div>
    </Page>
  );
};

/** A browser that loads pages ahead throws this away and asks again once the person really opens the link. */
export const NotYetPage = ({ visitor, token }: { visitor: Visitor; token: string }) => {
  const { say } = useLanguage();
  return (
    <Page title={say('Not acknowledged yet')} visitor={visitor}>
      <div class="narrow">
        <h1>{say('Not acknowledged yet')}</h1>
        <p>{say('Your browser loaded this page ahead of time, so nothing was changed.')}</p>
        <p>
          <a class="button button-primary" href={`/acknowledge/${token}`}>
            {say('Acknowledge now')}
          </a>
        </p>
      </div>
    </Page>
  );
};
