import { Page } from '../../../engine/pages/page.tsx';
import type { Visitor } from '../../../engine/pages/visitor.ts';
import { useLanguage } from '../../../platform/html/language.tsx';
import { RANGE_FAULTS, type RangeFault } from './chart-range.ts';

export const RangeFaultPage = ({
  visitor,
  serviceId,
  fault,
}: {
  visitor: Visitor;
  serviceId: number;
  fault: RangeFault;
}) => {
  const { say } = useLanguage();
  return (
    <Page title={say('This time could not be read')} visitor={visitor} current="/services">
      <h1>{say('This time could not be read')}</h1>
      <p>{say(RANGE_FAULTS[fault])}</p>
      <p>
        <a class="button" href={`/services/${serviceId}`}>
          {say('Back to the unit')}
        </a>
      </p>
    </Page>
  );
};
