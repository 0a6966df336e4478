import { Page } from '../../../engine/pages/page.tsx';
import type { Visitor } from '../../../engine/pages/visitor.ts';

export const RangeFaultPage = ({
  visitor,
  serviceId,
  text,
}: {
  visitor: Visitor;
  serviceId: number;
  text: string;
}) => (
  <Page title="This time could not be read" visitor={visitor} current="/services">
    <h1>This time could not be read</h1>
    <p>{text}</p>
    <p>
      <a class="button" href={`/services/${serviceId}`}>
        Back to the service
      </a>
    </p>
  </Page>
);
