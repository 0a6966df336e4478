import { Page, type Visitor } from '../../platform/html/page.tsx';
import type { ToldModel } from './told-model.ts';
import { Told, ToldList } from './told-view.tsx';

interface ServiceToldProps {
  visitor: Visitor;
  serviceId: number;
  serviceName: string;
  told: ToldModel[];
  canAdminister: boolean;
  /** The last one on this page, if there are more before it. */
  olderThan: string | null;
}

export const ServiceToldPage = ({
  visitor,
  serviceId,
  serviceName,
  told,
  canAdminister,
  olderThan,
}: ServiceToldProps) => (
  <Page title={`Notifications: ${serviceName}`} visitor={visitor}>
    <h1>What was told of {serviceName}</h1>
    {canAdminister && (
      <p>
        <a class="button" href={`/services/${serviceId}/drill`}>
          Alarm drill
        </a>
      </p>
    )}
    <ToldList told={told} />
    {olderThan !== null && (
      <p>
        <a class="button" href={`/services/${serviceId}/notifications?before=${olderThan}`}>
          Older
        </a>
      </p>
    )}
  </Page>
);

interface TestOutcomeProps {
  visitor: Visitor;
  group: { id: number; name: string } | null;
  told: ToldModel;
  refreshSeconds: number | undefined;
}

export const TestOutcomePage = ({ visitor, group, told, refreshSeconds }: TestOutcomeProps) => (
  <Page title="Test message" visitor={visitor} current="/settings/groups" refreshSeconds={refreshSeconds}>
    {group && (
      <p>
        <a href={`/settings/groups/${group.id}`}>{group.name}</a>
      </p>
    )}
    <h1>Test message</h1>
    <Told {...told} />
    {refreshSeconds === undefined ? (
      <p>Everything has its outcome.</p>
    ) : (
      <p class="muted">This page looks for news every {refreshSeconds} seconds.</p>
    )}
  </Page>
);
