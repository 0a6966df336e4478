import { BEGINNINGS } from '../../domain/notifications/subject.ts';
import { DutyBars } from '../../engine/pages/duty-bars.tsx';
import { ForecastList } from '../../engine/pages/forecast.tsx';
import { Page } from '../../engine/pages/page.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import { Field } from '../../platform/html/field.tsx';
import { Notice } from '../../platform/html/notice.tsx';
import { Select } from '../../platform/html/select.tsx';
import { Time } from '../../platform/html/time.tsx';
import type { FormFields } from '../../platform/http/form-body.ts';
import type { ForetoldModel, RotaModel } from './page-model.ts';

export const ON_CALL = '/on-call';

/** Of the form that was refused: which one, what was typed, and what is wrong with it. */
export interface StandInFault {
  rotaId: number;
  word: string;
  field: string;
  text: string;
  typed: FormFields;
}

interface OnCallProps {
  visitor: Visitor;
  rotas: RotaModel[];
  foretold: ForetoldModel;
  canAdminister: boolean;
  done: string | null;
  fault: StandInFault | null;
}

export const OnCallPage = ({ visitor, rotas, foretold, canAdminister, done, fault }: OnCallProps) => (
  <Page title="On call" visitor={visitor} current={ON_CALL}>
    <h1>On call</h1>
    {done !== null && <Notice kind="done">{done}</Notice>}
    {fault !== null && <Notice kind="error">{fault.text}</Notice>}
    {rotas.length === 0 && (
      <p>
        There is no rota yet: everybody in a group is told.{' '}
        {canAdminister ? <a href="/settings/rotas">Make a rota</a> : 'Administrators make one.'}
      </p>
    )}
    {rotas.map((rota) => (
      <Rota
        key={rota.id}
        rota={rota}
        isOneOfSeveral={visitor.memberships.length > 1}
        fault={fault?.rotaId === rota.id ? fault : null}
      />
    ))}
    <Foretold {...foretold} />
  </Page>
);

interface RotaProps {
  rota: RotaModel;
  fault: StandInFault | null;
}

const Rota = ({ rota, isOneOfSeveral, fault }: RotaProps & { isOneOfSeveral: boolean }) => (
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
          <strong class="error">, who has not confirmed the shift yet</strong>
        ))}
      {rota.until && (
        <span class="muted">
          {' '}
          until <Time {...rota.until} />, then {rota.next ?? 'nobody'}
        </span>
      )}
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
    {rota.canTakeOver && <TakeOver rota={rota} fault={faultIn('take-over', fault)} />}
    {rota.candidates.length > 0 && <Appoint rota={rota} fault={faultIn('appoint', fault)} />}
    {rota.shifts.length > 1 && <Swap rota={rota} fault={faultIn('swap', fault)} />}
    {rota.feed !== null && (
      <p>
        <a class="lone-link" href={rota.feed}>
          Calendar of {rota.name}
        </a>
      </p>
    )}
  </section>
);

const faultIn = (word: string, fault: StandInFault | null) => (fault?.word === word ? fault : null);

const errorAt = (field: string, fault: StandInFault | null) =>
  fault?.field === field ? fault.text : undefined;

const TakeOver = ({ rota, fault }: RotaProps) => (
  <form class="form-line" method="post" action={`${ON_CALL}/${rota.id}/take-over`}>
    <Field
      id={`take-${rota.id}`}
      name="end"
      label="Until (may be left empty)"
      hint="Empty: until the shift is over."
      error={errorAt('end', fault)}
      input={{ type: 'datetime-local', value: fault?.typed.end }}
    />
    <button type="submit" class="button-primary">
      I take over
    </button>
  </form>
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

const Appoint = ({ rota, fault }: RotaProps) => (
  <details open={fault !== null}>
    <summary>Appoint a stand-in</summary>
    <form class="form-line" method="post" action={`${ON_CALL}/${rota.id}/appoint`}>
      <Select
        id={`appoint-${rota.id}`}
        name="account_id"
        label="Who"
        options={rota.candidates.map(({ id, name }) => [id, name])}
        chosen={fault?.typed.account_id}
        error={errorAt('account_id', fault)}
      />
      <Field
        id={`start-${rota.id}`}
        name="start"
        label="From"
        input={{ type: 'datetime-local', value: fault?.typed.start, required: true }}
      />
      <Field
        id={`end-${rota.id}`}
        name="end"
        label="To"
        error={errorAt('end', fault)}
        input={{ type: 'datetime-local', value: fault?.typed.end, required: true }}
      />
      <Field
        id={`reason-${rota.id}`}
        name="reason"
        label="Why (may be left empty)"
        input={{ value: fault?.typed.reason, autocomplete: 'off', maxLength: 500 }}
      />
      <button type="submit">Appoint</button>
    </form>
  </details>
);

const Swap = ({ rota, fault }: RotaProps) => {
  const options = rota.shifts.map(({ start, label }) => [start, label] as const);
  return (
    <details open={fault !== null}>
      <summary>Swap two shifts</summary>
      <form class="form-line" method="post" action={`${ON_CALL}/${rota.id}/swap`}>
        <Select
          id={`one-${rota.id}`}
          name="one"
          label="This shift"
          options={options}
          chosen={fault?.typed.one}
        />
        <Select
          id={`other-${rota.id}`}
          name="other"
          label="For this one"
          options={options}
          chosen={fault?.typed.other ?? rota.shifts[1]?.start}
          error={errorAt('other', fault)}
        />
        <button type="submit">Swap</button>
      </form>
    </details>
  );
};

const Foretold = ({ services, chosen, subject, at, forecast }: ForetoldModel) => (
  <section class="card" aria-labelledby="foretold">
    <h2 id="foretold">Who would be told?</h2>
    {services.length === 0 ? (
      <p>Nothing is watched yet, so there is nothing to tell of.</p>
    ) : (
      <form class="form-line" method="get" action={`${ON_CALL}#foretold`}>
        <Select
          name="service"
          label="Service"
          options={services.map(({ id, name }) => [id, name])}
          chosen={chosen?.id}
        />
        <Select
          name="kind"
          label="Of"
          options={BEGINNINGS.map((one) => [one, NAMES[one]])}
          chosen={subject}
        />
        <Field name="at" label="At" input={{ type: 'datetime-local', value: at }} />
        <button type="submit">Show</button>
      </form>
    )}
    {chosen && forecast && (
      <>
        <h3>{chosen.name}</h3>
        <ForecastList {...forecast} />
      </>
    )}
  </section>
);

const NAMES = { critical: 'a critical alarm', warning: 'a warning', stale: 'data that stays away' };
