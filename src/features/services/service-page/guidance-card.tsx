import { ALL_GUIDANCE_FIELDS } from '../../../domain/guidance/guidance.ts';
import { GuidanceFacts, guidancePath } from '../../../engine/pages/guidance-parts.tsx';
import { useLanguage } from '../../../platform/html/language.tsx';
import type { Standing } from './page-model.ts';

/** Nothing for whoever could not write it, where nobody has. */
export const GuidanceCard = ({ service, guidance, can }: Standing) => {
  const { say } = useLanguage();
  if (!guidance && !can.administer) return null;
  return (
    <section class="card" id="what-to-do" aria-labelledby="what-to-do-title" data-part="guidance">
      <h2 id="what-to-do-title">{say('What to do')}</h2>
      {guidance ? (
        <GuidanceFacts found={guidance} shows={ALL_GUIDANCE_FIELDS} />
      ) : (
        <p class="muted">{say('Nobody has written yet what to do here, what is inside and whom to call.')}</p>
      )}
      {can.administer && (
        <p>
          <a class="button" href={guidancePath(service.id)}>
            {guidance ? say('Change what to do') : say('Write what to do')}
          </a>{' '}
          <a class="button" href={`/services/${service.id}/rescue`}>
            {say('Rescue plan')}
          </a>
        </p>
      )}
    </section>
  );
};
