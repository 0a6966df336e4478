import { Page } from '../../engine/pages/page.tsx';
import { type SettingsFrame, SettingsPage } from '../../engine/pages/settings-page.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import type { ToldModel } from '../../engine/told/told-model.ts';
import { useLanguage } from '../../platform/html/language.tsx';
import { Live, LooksForNews } from '../../platform/html/live.tsx';
import { UpLink } from '../../platform/html/up-link.tsx';
import type { StepTaken } from './steps-taken.ts';
import { StepList } from './steps-view.tsx';
import { Told, ToldList, VerdictNotice } from './told-view.tsx';

interface ServiceToldProps {
  visitor: Visitor;
  serviceId: number;
  serviceName: string;
  told: ToldModel[];
  steps: StepTaken[];
  canAdminister: boolean;
  /** The last one on this page, if there are more before it. */
  olderThan: string | null;
}

export const ServiceToldPage = ({
  visitor,
  serviceId,
  serviceName,
  told,
  steps,
  canAdminister,
  olderThan,
}: ServiceToldProps) => {
  const { say } = useLanguage();
  return (
    <Page title={say('Notifications: {serviceName}', { serviceName })} visitor={visitor} current="/services">
      <UpLink path={`/services/${serviceId}`} label={serviceName} />
      <h1>{say('Notifications of {serviceName}', { serviceName })}</h1>
      {canAdminister && (
        <p>
          <a class="button" href={`/services/${serviceId}/drill`}>
            {say('Alarm drill')}
          </a>
        </p>
      )}
      {steps.length > 0 && (
        <section class="card" aria-labelledby="steps">
          <h2 id="steps">{say('Steps of the alarm so far')}</h2>
          <StepList steps={steps} />
        </section>
      )}
      <h2 class="after-card">{say('Messages')}</h2>
      <ToldList told={told} />
      {olderThan !== null && (
        <p>
          <a class="button" href={`/services/${serviceId}/notifications?before=${olderThan}`}>
            {say('Older')}
          </a>
        </p>
      )}
    </Page>
  );
};

interface TestOutcomeProps {
  frame: SettingsFrame;
  group: { id: number; name: string } | null;
  told: ToldModel;
  refreshSeconds: number | undefined;
}

export const TestOutcomePage = ({ frame, group, told, refreshSeconds }: TestOutcomeProps) => {
  const { say } = useLanguage();
  return (
    <SettingsPage
      title={say('Test message')}
      frame={frame}
      current="/settings/groups"
      {...(group && { up: { path: `/settings/groups/${group.id}`, label: group.name } })}
      refreshSeconds={refreshSeconds}
    >
      <Live
        id="outcome"
        path={`/settings/tests/${told.id}`}
        timeZone={frame.visitor.timezone}
        renewInMs={refreshSeconds === undefined ? null : refreshSeconds * 1000}
      >
        <div data-part="outcome">
          <VerdictNotice verdict={told.verdict} />
          <Told {...told} heading="h2" />
          {refreshSeconds !== undefined && <LooksForNews refreshSeconds={refreshSeconds} />}
        </div>
      </Live>
    </SettingsPage>
  );
};
