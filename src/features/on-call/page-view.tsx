import { STEP_KINDS } from '../../domain/on-call/ladder.ts';
import { DutyBars } from '../../engine/pages/duty-bars.tsx';
import { Page } from '../../engine/pages/page.tsx';
import { Rung } from '../../engine/pages/rung.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import { Field } from '../../platform/html/field.tsx';
import { Notice } from '../../platform/html/notice.tsx';
import { Select } from '../../platform/html/select.tsx';
import { Time } from '../../platform/html/time.tsx';
import type { ForetoldModel, RotaModel } from './page-model.ts';

export const ON_CALL = '/on-call';

interface OnCallProps {
  visitor: Visitor;
  rotas: RotaModel[];
  foretold: ForetoldModel;
  canAdminister: boolean;
  done: string | null;
  fault: string | null;
}

export const OnCallPage = ({ visitor, rotas, foretold, canAdminister, done, fault }: OnCallProps) => (
  <Page title="On call" visitor={visitor} current={ON_CALL}>
    <h1>On call</h1>
    {done !== null && <Notice kind="done">{done}</Notice>}
    {fault !== null && <Notice kind="error">{fault}</Notice>}
    {rotas.length === 0 && (
      <p>
        There is no rota yet: everybody in a group is told.{' '}
        {canAdminister ? <a href="/settings/rotas">Make a rota</a> : 'Administrators make one.'}
      </p>
    )}
    {rotas.map((rota) => (
      <Rota key={rota.id} rota={rota} isOneOfSeveral={visitor.memberships.length > 1} />
    ))}
    <Foretold {...foretold} />
  </Page>
);

const Rota = ({ rota, isOneOfSeveral }: { rota: RotaModel; isOneOfSeveral: boolean }) => (
  <section class="card" aria-labelledby={`rota-${rota.id}`}>
    <h2 id={`rota-${rota.id}`}>{isOneOfSeveral ? `${rota.organizationName}: ${rota.name}` : rota.name}</h2>
    <p>
      On call now: {rota.onCall ? <strong>{rota.onCall}</strong> : <strong class="error">nobody</strong>}
      {rota.receipt &&
        (rota.receipt.confirmed ? (
          <span class="muted">
            {' '}
            confirmed <Time {...rota.receipt.confirmed} />
          </span>
        ) : (
          <strong class="error"> has not confirmed the shift yet</strong>
        ))}
    </p>
    <DutyBars lines={[{ name: 'The next 7 days', bars: rota.bars }]} days={rota.days} />
    <details>
      <summary>As a list</summary>
      <ul class="rows">
        {rota.spans.map(({ name, isStandIn, from, until }) => (
          <li key={from.iso}>
            <span>
              {name ?? <strong class="error">Nobody</strong>}{' '}
              {isStandIn && <span class="muted">stands in</span>}
            </span>
            <span>
              <Time {...from} /> to <Time {...until} />
            </span>
          </li>
        ))}
      </ul>
    </details>
    {rota.standIns.length > 0 && <StandIns rota={rota} />}
    {rota.canTakeOver && (
      <form class="form-line" method="post" action={`${ON_CALL}/${rota.id}/take-over`}>
        <Field
          id={`take-${rota.id}`}
          name="end"
          label="Until, if not the whole shift"
          input={{ type: 'datetime-local' }}
        />
        <button type="submit" class="button-primary">
          I take over
        </button>
      </form>
    )}
    {rota.candidates.length > 0 && <Appoint rota={rota} />}
    {rota.shifts.length > 1 && <Swap rota={rota} />}
    {rota.feed !== null && (
      <p>
        <a href={rota.feed}>Calendar of {rota.name}</a>
      </p>
    )}
  </section>
);

const StandIns = ({ rota }: { rota: RotaModel }) => (
  <>
    <h3>Stand-ins</h3>
    <ul class="rows">
      {rota.standIns.map(({ id, name, insteadOf, from, until, isStray, canEnd }) => (
        <li key={id}>
          <div>
            {name} {insteadOf !== null && `instead of ${insteadOf}`}, <Time {...from} /> to{' '}
            <Time {...until} /> {isStray && <strong>misses the shift it was meant for</strong>}
          </div>
          {canEnd && (
            <form method="post" action={`${ON_CALL}/${rota.id}/end`}>
              <input type="hidden" name="stand_in_id" value={id} />
              <button type="submit" aria-label={`End the stand-in of ${name}`}>
                End
              </button>
            </form>
          )}
        </li>
      ))}
    </ul>
  </>
);

const Appoint = ({ rota }: { rota: RotaModel }) => (
  <details>
    <summary>Appoint a stand-in</summary>
    <form class="form-line" method="post" action={`${ON_CALL}/${rota.id}/appoint`}>
      <Select
        id={`appoint-${rota.id}`}
        name="account_id"
        label="Who"
        options={rota.candidates.map(({ id, name }) => [id, name])}
      />
      <Field
        id={`start-${rota.id}`}
        name="start"
        label="From"
        input={{ type: 'datetime-local', required: true }}
      />
      <Field id={`end-${rota.id}`} name="end" label="To" input={{ type: 'datetime-local', required: true }} />
      <Field
        id={`reason-${rota.id}`}
        name="reason"
        label="Why"
        input={{ autocomplete: 'off', maxLength: 500 }}
      />
      <button type="submit">Appoint</button>
    </form>
  </details>
);

const Swap = ({ rota }: { rota: RotaModel }) => {
  const options = rota.shifts.map(({ start, label }) => [start, label] as const);
  return (
    <details>
      <summary>Swap two shifts</summary>
      <form class="form-line" method="post" action={`${ON_CALL}/${rota.id}/swap`}>
        <Select id={`one-${rota.id}`} name="one" label="This shift" options={options} />
        <Select
          id={`other-${rota.id}`}
          name="other"
          label="For this one"
          options={options}
          chosen={rota.shifts[1]?.start}
        />
        <button type="submit">Swap</button>
      </form>
    </details>
  );
};

const Foretold = ({ services, chosen, kind, at, steps }: ForetoldModel) => (
  <section class="card" aria-labelledby="foretold">
    <h2 id="foretold">Who would be told?</h2>
    <form class="form-line" method="get" action={ON_CALL}>
      <Select
        name="service"
        label="Service"
        options={services.map(({ id, name }) => [id, name])}
        chosen={chosen?.id}
      />
      <Select name="kind" label="Of" options={STEP_KINDS.map((one) => [one, NAMES[one]])} chosen={kind} />
      <Field name="at" label="At" input={{ type: 'datetime-local', value: at }} />
      <button type="submit">Show</button>
    </form>
    {chosen && steps === null && <p>Nobody: {chosen.name} has no notification group.</p>}
    {steps && (
      <ol class="ladder" aria-label="Who would be told">
        {steps.map((step) => (
          <Rung
            key={step.label}
            step={step.step}
            when={step.label}
            note={<Time {...step.at} />}
            isEmpty={step.who.length === 0}
          >
            <p>
              {step.who.length === 0 ? (
                <strong class="error">Nobody</strong>
              ) : (
                <strong>{step.who.join(', ')}</strong>
              )}
            </p>
            <p class="muted">{step.reason}</p>
          </Rung>
        ))}
      </ol>
    )}
  </section>
);

const NAMES = { critical: 'a critical alarm', warning: 'a warning', system: 'data that stays away' };
