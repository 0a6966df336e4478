import type { During } from '../../domain/on-call/lab-hours.ts';
import { LAST_STEP, LONGEST_WAIT_MINUTES, STEP_KINDS } from '../../domain/on-call/ladder.ts';
import { Field } from '../../platform/html/field.tsx';
import { Select } from '../../platform/html/select.tsx';
import type { LadderModel, RungModel } from './ladder-model.ts';
import type { GroupModel } from './page-model.ts';
import type { GroupField } from './refusals.ts';
import { SmallForm } from './row-view.tsx';

interface LadderProps {
  home: string;
  group: GroupModel;
  ladder: LadderModel;
  typed: Record<string, string>;
  faultOf: (field: GroupField) => string | undefined;
}

const HOURS: Record<During, string> = {
  always: 'at any hour',
  lab_hours: 'in lab hours',
  off_hours: 'off hours',
};

export const Ladder = ({ home, group, ladder, typed, faultOf }: LadderProps) => (
  <section class="card ladder-card" aria-labelledby="ladder">
    <h2 id="ladder">Who is told when</h2>
    <p class="muted">
      While nobody acknowledges, one step opens after the other. A step that reaches nobody is passed at once;
      where none reaches anybody, administrators are told.
    </p>
    <ol class="ladder">
      {ladder.rungs.map((rung) => (
        <Rung key={rung.step} home={home} rung={rung} />
      ))}
    </ol>
    {faultOf('step') && <p class="error">{faultOf('step')}</p>}
    <div class="ladder-forms">
      <PlaceForm home={home} group={group} ladder={ladder} typed={typed} faultOf={faultOf} />
      {ladder.rungs.length <= LAST_STEP && <StepForm home={home} ladder={ladder} />}
    </div>
  </section>
);

const Rung = ({ home, rung }: { home: string; rung: RungModel }) => {
  const { step, afterMinutes, kinds, stand, now } = rung;
  return (
    <li class={now.length === 0 ? 'rung rung-empty' : 'rung'}>
      <div class="rung-time">
        <strong>{step === 0 ? 'At once' : describeMinutes(afterMinutes)}</strong>
        <span class="muted">{step === 0 ? 'everything' : kinds.join(', ')}</span>
      </div>
      <div class="rung-people">
        <p>
          {now.length > 0 ? (
            <>
              Now: <strong>{now.join(', ')}</strong>
            </>
          ) : (
            <span class="muted">Now: nobody</span>
          )}
        </p>
        {stand.length > 0 && (
          <ul class="rows">
            {stand.map(({ who, name, during }) => (
              <li key={`${who} ${during}`}>
                <div>
                  {name} <span class="muted">{HOURS[during]}</span>
                </div>
                <SmallForm
                  action={`${home}/unplace`}
                  fields={{ who, step: String(step), during }}
                  verb="Take off"
                  whom={`${name} from step ${step}`}
                />
              </li>
            ))}
          </ul>
        )}
        {step > 0 && stand.length === 0 && (
          <SmallForm
            action={`${home}/remove-step`}
            fields={{ step: String(step) }}
            verb="Remove this step"
            whom={`number ${step}`}
          />
        )}
      </div>
    </li>
  );
};

const describeMinutes = (minutes: number): string => {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const parts = [hours > 0 && `${hours} h`, rest > 0 && `${rest} min`].filter(Boolean);
  return `After ${parts.join(' ')}`;
};

const PlaceForm = ({ home, group, ladder, typed, faultOf }: LadderProps) => (
  <form method="post" action={`${home}/place`}>
    <h3>Put somebody on a step</h3>
    <Select
      id="place-step"
      name="step"
      label="Step"
      options={ladder.rungs.map(({ step, afterMinutes }) => [
        step,
        step === 0 ? 'At once' : describeMinutes(afterMinutes),
      ])}
      chosen={typed.step}
    />
    <Select
      id="place-who"
      name="who"
      label="Who"
      options={[
        ['', 'An address, written below'],
        ...ladder.rotas.map(({ id, name }) => [`rota ${id}`, `Rota ${name}`] as const),
        ...group.members.map(({ id, name }) => [`account ${id}`, name] as const),
        ...group.webhooks.map(
          ({ id, kindLabel, address }) => [`webhook ${id}`, `${kindLabel} ${address}`] as const,
        ),
      ]}
      chosen={typed.who}
      error={faultOf('who')}
    />
    <Field
      id="place-email"
      name="email"
      label="Or an email address"
      input={{ type: 'email', value: '', autocomplete: 'off' }}
    />
    <Select
      id="place-during"
      name="during"
      label="When"
      options={Object.entries(HOURS)}
      chosen={typed.during}
      hint={
        ladder.hasHours
          ? undefined
          : 'Nobody has said yet when the lab hours are: everybody counts at any hour.'
      }
    />
    <button type="submit">Put on the ladder</button>
  </form>
);

const StepForm = ({ home, ladder }: { home: string; ladder: LadderModel }) => {
  const last = ladder.rungs.at(-1)?.afterMinutes ?? 0;
  return (
    <form method="post" action={`${home}/set-step`}>
      <h3>Add a step</h3>
      <Field
        name="after_minutes"
        label="Minutes after the first step"
        input={{
          type: 'number',
          min: last + 1,
          max: LONGEST_WAIT_MINUTES,
          value: String(last + 15),
          required: true,
        }}
      />
      <fieldset>
        <legend>For</legend>
        {STEP_KINDS.map((kind) => (
          <label key={kind} class="check">
            <input type="checkbox" name={kind} value="yes" checked={kind === 'critical'} />{' '}
            {kind === 'system' ? 'services of which nothing comes' : `${kind} alarms`}
          </label>
        ))}
      </fieldset>
      <button type="submit">Add step</button>
    </form>
  );
};
