import { Time } from '../../platform/html/time.tsx';
import type { StepTaken } from './steps-taken.ts';
import type { ToldModel } from './told-model.ts';
import { ToldList } from './told-view.tsx';

/** Where the group has a ladder: the steps, in the order in which they opened. */
export const StepList = ({ steps }: { steps: StepTaken[] }) =>
  steps.length === 0 ? null : (
    <ol class="ladder" aria-label="Steps taken">
      {steps.map(({ id, label, isLastResort, at, reason, told, arrived }) => (
        <li key={id} class={told === 0 ? 'rung rung-empty' : 'rung'}>
          <div class="rung-time">
            <strong>{label}</strong>
            <Time {...at} />
          </div>
          <div class="rung-people">
            <p>{isLastResort ? <strong class="error">{reason}</strong> : reason}</p>
            <p class="muted">{told === 0 ? 'Nobody was told' : `${told} told, ${arrived} arrived`}</p>
          </div>
        </li>
      ))}
    </ol>
  );

/** The panel of a service's page. */
export const ToldPanel = ({ steps, told }: { steps: StepTaken[]; told: ToldModel[] }) => (
  <>
    <StepList steps={steps} />
    <ToldList told={told} />
  </>
);
