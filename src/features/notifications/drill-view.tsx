import { isTrouble } from '../../domain/notifications/outcome.ts';
import { sayWell } from '../../domain/notifications/verdict.ts';
import { ForecastList } from '../../engine/pages/forecast.tsx';
import { Page } from '../../engine/pages/page.tsx';
import { Rung } from '../../engine/pages/rung.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import type { DeliveryModel } from '../../engine/told/told-model.ts';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { Live, LooksForNews } from '../../platform/html/live.tsx';
import { Notice } from '../../platform/html/notice.tsx';
import { Text, Time } from '../../platform/html/time.tsx';
import { UpLink } from '../../platform/html/up-link.tsx';
import type { ComparedModel } from './compared-drill.ts';
import type { DrillModel, ExpectedModel } from './drill-model.ts';
import { StepList } from './steps-view.tsx';
import { DeliveryList, KeptMailLink, VerdictNotice } from './told-view.tsx';

interface DrillPageProps {
  visitor: Visitor;
  serviceId: number;
  serviceName: string;
  /** null: it would reach nobody, for the reason of the obstacle. */
  expected: ExpectedModel | null;
  obstacle: string | null;
  drills: DrillModel[];
  fault: string | null;
  refreshSeconds: number | undefined;
}

export const DrillPage = ({
  visitor,
  serviceId,
  serviceName,
  expected,
  obstacle,
  drills,
  fault,
  refreshSeconds,
}: DrillPageProps) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <Page
      title={say('Alarm drill: {serviceName}', { serviceName })}
      visitor={visitor}
      current="/services"
      refreshSeconds={refreshSeconds}
      isLive
    >
      <UpLink path={`/services/${serviceId}`} label={serviceName} />
      <h1>{say('Alarm drill: {serviceName}', { serviceName })}</h1>
      <p>
        {sayWith(
          language,
          'Sends an alarm marked as a drill to the group of this service, the way a real one would go, and measures how long it takes until somebody acknowledges it by the link in the message. Mutes, downtimes, switched off messages and delays do not hold it back, and it never comes to the last resort. <a>Who would be notified of a real one now?</a>',
          { a: (inside) => <a href={`/on-call?service=${serviceId}#foretold`}>{inside}</a> },
        )}
      </p>
      {fault !== null && <Notice kind="error">{fault}</Notice>}
      {expected ? (
        <StartForm serviceId={serviceId} {...expected} />
      ) : (
        fault === null && <Notice kind="error">{obstacle}</Notice>
      )}
      <h2>{say('Drills so far')}</h2>
      <Live
        id="drills"
        path={`/services/${serviceId}/drill`}
        timeZone={visitor.timezone}
        renewInMs={refreshSeconds === undefined ? null : refreshSeconds * 1000}
      >
        <div data-part="drills">
          {drills.length === 0 && (
            <p>{say('None yet. One a month shows whether the messages still arrive.')}</p>
          )}
          {drills.map((drill) => (
            <Drill key={drill.id} {...drill} />
          ))}
          {refreshSeconds !== undefined && <LooksForNews refreshSeconds={refreshSeconds} />}
        </div>
      </Live>
    </Page>
  );
};

const StartForm = ({ serviceId, atOnce, later }: ExpectedModel & { serviceId: number }) => {
  const { say } = useLanguage();
  return (
    <form class="card" method="post" action={`/services/${serviceId}/drill`}>
      <h2>{say('If it starts now')}</h2>
      {atOnce.nobody && <p>{say('Nobody is notified at once.')}</p>}
      <ForecastList steps={atOnce.steps} nobody={null} />
      {later && (
        <>
          <label class="check">
            <input type="checkbox" name="climb" value="yes" required={atOnce.nobody !== null} />{' '}
            {say('Go on while nobody acknowledges, as a real alarm would:')}
          </label>
          <ForecastList steps={later.steps} nobody={null} />
        </>
      )}
      <button type="submit" class="button-primary">
        {say('Start a drill now')}
      </button>
    </form>
  );
};

/** Steps say who was told; why somebody was not is said below them. */
const hasFailed = ({ outcome }: DeliveryModel) => isTrouble(outcome);

const Drill = (drill: DrillModel) => {
  const language = useLanguage();
  const { say } = language;
  const { startedBy, startedAt, acknowledged, deliveries, verdict, steps, compared } = drill;
  return (
    <article class="card">
      <h3>{sayWith(language, '{time}, by {startedBy}', { time: <Time {...startedAt} />, startedBy })}</h3>
      {acknowledged ? (
        <p>
          {sayWith(language, '<strong>Acknowledged after {after}</strong> by {by}, {time}', {
            after: acknowledged.after,
            strong: (inside) => <strong>{inside}</strong>,
            by: acknowledged.by,
            time: <Time {...acknowledged.at} />,
          })}
        </p>
      ) : (
        <p>{say('Nobody has acknowledged it yet.')}</p>
      )}
      {compared ? (
        <>
          <ComparedNotice {...drill} compared={compared} />
          <ComparedList {...compared} />
        </>
      ) : (
        <>
          {verdict && (acknowledged === null || verdict.kind === 'bad') && (
            <VerdictNotice verdict={verdict} />
          )}
          <StepList steps={steps} />
          <DeliveryList deliveries={steps.length > 0 ? deliveries.filter(hasFailed) : deliveries} />
        </>
      )}
    </article>
  );
};

/** What was foretold and what it has shown, in one. */
const ComparedNotice = ({
  verdict,
  acknowledged,
  compared: { words, isOtherwise, isUnderWay },
}: DrillModel & { compared: ComparedModel }) => {
  const language = useLanguage();
  if (isOtherwise || verdict?.kind === 'bad')
    return (
      <Notice kind="error">
        {words} {verdict?.kind === 'bad' && verdict.words}
        {verdict?.kind === 'bad' && verdict.kept > 0 && <KeptMailLink />}
      </Notice>
    );
  if (verdict?.kind === 'well' && acknowledged === null && !isUnderWay)
    return (
      <Notice kind="done">
        {words} {sayWell(verdict, language)}
      </Notice>
    );
  return <p>{words}</p>;
};

const ComparedList = ({ steps }: ComparedModel) => {
  const { say } = useLanguage();
  return (
    <ol class="ladder" aria-label={say('Foreseen and notified')}>
      {steps.map(({ step, label, at, reason, ways }, index) => (
        <Rung key={index} step={step} when={label} note={<Time {...at} />} isEmpty={ways.length === 0}>
          {reason && (
            <p class="muted">
              <Text parts={reason} />
            </p>
          )}
          {ways.length > 0 && (
            <ul class="rows">
              {ways.map(({ name, difference, words, at: when, tone }, way) => (
                <li key={way} class={tone === 'trouble' ? 'delivery delivery-trouble' : 'delivery'}>
                  <span>{name}</span>
                  <span class={tone === 'muted' ? 'muted' : undefined}>
                    {difference !== null && <strong>{difference}. </strong>}
                    {words} {when && <Time {...when} />}
                  </span>
                </li>
              ))}
            </ul>
          )}
        </Rung>
      ))}
    </ol>
  );
};
