import { Rung } from '../../engine/pages/rung.tsx';
import type { ToldModel } from '../../engine/told/told-model.ts';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { Time } from '../../platform/html/time.tsx';
import type { StepTaken } from './steps-taken.ts';
import { DeliveryList, ToldList } from './told-view.tsx';

/** Where the group has a ladder: the steps in the order in which they opened, each with whom it told and what came of it. */
export const StepList = ({ steps }: { steps: StepTaken[] }) => {
  const language = useLanguage();
  const { say } = language;
  return steps.length === 0 ? null : (
    <ol class="ladder" aria-label={say('Steps taken')}>
      {steps.map(({ id, step, label, isLastResort, at, after, reason, receipts }) => (
        <Rung
          key={id}
          step={step}
          when={label}
          note={
            after === null ? (
              <Time {...at} />
            ) : (
              sayWith(language, '{time}, after {after}', { time: <Time {...at} />, after })
            )
          }
          isEmpty={receipts.length === 0}
        >
          <p>{isLastResort ? <strong class="error">{reason}</strong> : reason}</p>
          {receipts.length === 0 ? (
            <p class="muted">{say('Nobody was notified')}</p>
          ) : (
            <DeliveryList deliveries={receipts} />
          )}
        </Rung>
      ))}
    </ol>
  );
};

/** The panel of a service's page. */
export const ToldPanel = ({ steps, told }: { steps: StepTaken[]; told: ToldModel[] }) => (
  <>
    <StepList steps={steps} />
    <ToldList told={told} />
  </>
);
