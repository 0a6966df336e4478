import { isTrouble } from '../../domain/notifications/outcome.ts';
import type { Verdict } from '../../domain/notifications/verdict.ts';
import { Page } from '../../engine/pages/page.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import { Live } from '../../platform/html/live.tsx';
import { Notice } from '../../platform/html/notice.tsx';
import { type ShownTime, Time } from '../../platform/html/time.tsx';
import { UpLink } from '../../platform/html/up-link.tsx';
import type { StepTaken } from './steps-taken.ts';
import { StepList } from './steps-view.tsx';
import type { DeliveryModel } from './told-model.ts';
import { DeliveryList, VerdictNotice } from './told-view.tsx';

export interface DrillModel {
  id: number;
  startedBy: string;
  startedAt: ShownTime;
  /** Who acknowledged, how long after the start. */
  acknowledged: { by: string; at: ShownTime; after: string } | null;
  deliveries: DeliveryModel[];
  /** Left out where what it said is forgotten. */
  verdict: Verdict | undefined;
  /** Where it climbs the ladder. */
  steps: StepTaken[];
}

interface DrillPageProps {
  visitor: Visitor;
  serviceId: number;
  serviceName: string;
  drills: DrillModel[];
  fault: string | null;
  refreshSeconds: number | undefined;
}

export const DrillPage = ({
  visitor,
  serviceId,
  serviceName,
  drills,
  fault,
  refreshSeconds,
}: DrillPageProps) => (
  <Page
    title={`Alarm drill: ${serviceName}`}
    visitor={visitor}
    current="/services"
    refreshSeconds={refreshSeconds}
    isLive
  >
    <UpLink path={`/services/${serviceId}`} label={serviceName} />
    <h1>Alarm drill: {serviceName}</h1>
    <p>
      Sends an alarm marked as a drill to the group of this service, the way a real one would go, and measures
      how long it takes until somebody acknowledges it by the link in the message. Mutes and downtimes do not
      hold it back.
    </p>
    {fault !== null && <Notice kind="error">{fault}</Notice>}
    <form method="post" action={`/services/${serviceId}/drill`}>
      <label class="check">
        <input type="checkbox" name="climb" value="yes" /> Climb the ladder of the group while nobody
        acknowledges
      </label>
      <button type="submit" class="button-primary">
        Start a drill now
      </button>
    </form>
    <h2>Drills so far</h2>
    <Live
      id="drills"
      path={`/services/${serviceId}/drill`}
      timeZone={visitor.timezone}
      renewInMs={refreshSeconds === undefined ? null : refreshSeconds * 1000}
    >
      <div data-part="drills">
        {drills.length === 0 && <p>None yet. One a month shows whether the messages still arrive.</p>}
        {drills.map((drill) => (
          <Drill key={drill.id} {...drill} />
        ))}
        {refreshSeconds !== undefined && (
          <p class="muted">This page looks for news every {refreshSeconds} seconds.</p>
        )}
      </div>
    </Live>
  </Page>
);

/** Steps say who was told; why somebody was not is said below them. */
const hasFailed = ({ outcome }: DeliveryModel) => isTrouble(outcome);

const Drill = ({ startedBy, startedAt, acknowledged, deliveries, verdict, steps }: DrillModel) => (
  <article class="card">
    <h3>
      <Time {...startedAt} />, by {startedBy}
    </h3>
    {acknowledged ? (
      <p>
        <strong>Acknowledged after {acknowledged.after}</strong> by {acknowledged.by},{' '}
        <Time {...acknowledged.at} />
      </p>
    ) : (
      <p>Nobody has acknowledged it yet.</p>
    )}
    {verdict && (acknowledged === null || verdict.kind === 'bad') && <VerdictNotice verdict={verdict} />}
    <StepList steps={steps} />
    <DeliveryList deliveries={steps.length > 0 ? deliveries.filter(hasFailed) : deliveries} />
  </article>
);
