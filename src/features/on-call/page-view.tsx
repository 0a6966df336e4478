import { message } from '../../domain/language/message.ts';
import { BEGINNINGS } from '../../domain/notifications/subject.ts';
import { AskLink } from '../../engine/pages/ask.tsx';
import { DutyBars } from '../../engine/pages/duty-bars.tsx';
import { ForecastList } from '../../engine/pages/forecast.tsx';
import { Page } from '../../engine/pages/page.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import { Field } from '../../platform/html/field.tsx';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { Notice } from '../../platform/html/notice.tsx';
import { Select } from '../../platform/html/select.tsx';
import { Period, Time } from '../../platform/html/time.tsx';
import { TimeField } from '../../platform/html/time-field.tsx';
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

export const OnCallPage = ({ visitor, rotas, foretold, canAdminister, done, fault }: OnCallProps) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <Page title={say('On call')} visitor={visitor} current={ON_CALL}>
      <h1>{say('On call')}</h1>
      {done !== null && <Notice kind="done">{done}</Notice>}
      {fault !== null && <Notice kind="error">{fault.text}</Notice>}
      {rotas.length === 0 && (
        <p>
          {canAdminister
            ? sayWith(
                language,
                'There is no rota yet: everybody in a group is notified. <a>Make a rota</a>',
                {
                  a: (inside) => <a href="/settings/rotas">{inside}</a>,
                },
              )
            : say('There is no rota yet: everybody in a group is notified. Administrators make one.')}
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
};

interface RotaProps {
  rota: RotaModel;
  fault: StandInFault | null;
}

const Rota = ({ rota, isOneOfSeveral, fault }: RotaProps & { isOneOfSeveral: boolean }) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <section class="card" aria-labelledby={`rota-${rota.id}`}>
      <h2 id={`rota-${rota.id}`}>{isOneOfSeveral ? `${rota.organizationName}: ${rota.name}` : rota.name}</h2>
      <p>
        <OnCallNow {...rota} />
        {rota.until && (
          <span class="muted">
            {' '}
            {sayWith(language, 'until {until}, then {next}', {
              until: <Time {...rota.until} />,
              next: rota.next ?? say('nobody'),
            })}
          </span>
        )}
      </p>
      <DutyBars lines={[{ name: say('The next 7 days'), bars: rota.bars }]} days={rota.days} />
      <details>
        <summary>{say('As a list')}</summary>
        <ul class="rows">
          {rota.spans.map(({ name, isStandIn, from, until }) => (
            <li key={from.iso}>
              <span>
                {name ?? <strong class="error">{say('Nobody')}</strong>}{' '}
                {isStandIn && <span class="muted">{say('stands in')}</span>}
              </span>
              <span>
                <Period from={from} until={until} />
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
            {say('Calendar of {name}', { name: rota.name })}
          </a>
        </p>
      )}
    </section>
  );
};

const OnCallNow = ({ onCall, receipt }: Pick<RotaModel, 'onCall' | 'receipt'>) => {
  const language = useLanguage();
  const who = onCall ? <strong>{onCall}</strong> : <strong class="error">{language.say('nobody')}</strong>;
  // For translators: {who} is a name, or “nobody”
  if (!receipt) return <>{sayWith(language, 'On call now: {who}', { who })}</>;
  return (
    <>
      {receipt.confirmed
        ? sayWith(language, 'On call now: {who}<muted> confirmed {time}</muted>', {
            who,
            muted: (inside) => <span class="muted">{inside}</span>,
            time: <Time {...receipt.confirmed} />,
          })
        : sayWith(language, 'On call now: {who}<error>, who has not confirmed the shift yet</error>', {
            who,
            error: (inside) => <strong class="error">{inside}</strong>,
          })}
    </>
  );
};

const faultIn = (word: string, fault: StandInFault | null) => (fault?.word === word ? fault : null);

const errorAt = (field: string, fault: StandInFault | null) =>
  fault?.field === field ? fault.text : undefined;

const TakeOver = ({ rota, fault }: RotaProps) => {
  const { say } = useLanguage();
  return (
    <form class="form-line" method="post" action={`${ON_CALL}/${rota.id}/take-over`}>
      <TimeField
        id={`take-${rota.id}`}
        name="end"
        label={say('Until (may be left empty)')}
        hint={say('Empty: until the shift is over.')}
        error={errorAt('end', fault)}
        value={fault?.typed.end}
      />
      <button type="submit" class="button-primary">
        {/* For translators: a button: from now on I am on call */}
        {say('I take over')}
      </button>
    </form>
  );
};

const StandIns = ({ rota }: { rota: RotaModel }) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <>
      <h3>{say('Stand-ins')}</h3>
      <ul class="rows">
        {rota.standIns.map(({ id, name, insteadOf, from, until, isStray, canEnd }) => (
          <li key={id}>
            <div>
              {insteadOf === null
                ? sayWith(language, '{name} , {from} to {until}', {
                    name,
                    from: <Time {...from} />,
                    until: <Time {...until} />,
                  })
                : sayWith(language, '{name} instead of {insteadOf}, {from} to {until}', {
                    name,
                    insteadOf,
                    from: <Time {...from} />,
                    until: <Time {...until} />,
                  })}{' '}
              {isStray && <strong>{say('misses the shift it was meant for')}</strong>}
            </div>
            {canEnd && (
              <AskLink
                to={`${ON_CALL}/${rota.id}/end`}
                hidden={{ stand_in_id: id }}
                label={say('End the stand-in of {name}', { name })}
                isQuiet
              >
                {/* For translators: a button that ends the turn of somebody who stands in */}
                {say('End')}
              </AskLink>
            )}
          </li>
        ))}
      </ul>
    </>
  );
};

const Appoint = ({ rota, fault }: RotaProps) => {
  const { say } = useLanguage();
  return (
    <details open={fault !== null}>
      <summary>{say('Appoint a stand-in')}</summary>
      <form class="form-line" method="post" action={`${ON_CALL}/${rota.id}/appoint`}>
        <Select
          id={`appoint-${rota.id}`}
          name="account_id"
          label={say('Who')}
          options={rota.candidates.map(({ id, name }) => [id, name])}
          chosen={fault?.typed.account_id}
          error={errorAt('account_id', fault)}
        />
        <TimeField
          id={`start-${rota.id}`}
          name="start"
          label={say('From')}
          value={fault?.typed.start}
          input={{ required: true }}
        />
        <TimeField
          id={`end-${rota.id}`}
          name="end"
          label={say('To')}
          error={errorAt('end', fault)}
          value={fault?.typed.end}
          input={{ required: true }}
        />
        <Field
          id={`reason-${rota.id}`}
          name="reason"
          label={say('Why (may be left empty)')}
          input={{ value: fault?.typed.reason, autocomplete: 'off', maxLength: 500 }}
        />
        <button type="submit">{say('Appoint')}</button>
      </form>
    </details>
  );
};

const Swap = ({ rota, fault }: RotaProps) => {
  const { say } = useLanguage();
  const options = rota.shifts.map(({ start, label }) => [start, label] as const);
  return (
    <details open={fault !== null}>
      <summary>{say('Swap two shifts')}</summary>
      <form class="form-line" method="post" action={`${ON_CALL}/${rota.id}/swap`}>
        <Select
          id={`one-${rota.id}`}
          name="one"
          // For translators: this shift is swapped “For this one”
          label={say('This shift')}
          options={options}
          chosen={fault?.typed.one}
        />
        <Select
          id={`other-${rota.id}`}
          name="other"
          label={say('For this one')}
          options={options}
          chosen={fault?.typed.other ?? rota.shifts[1]?.start}
          error={errorAt('other', fault)}
        />
        <button type="submit">{say('Swap')}</button>
      </form>
    </details>
  );
};

const Foretold = ({ services, chosen, subject, at, forecast }: ForetoldModel) => {
  const { say, sayAs } = useLanguage();
  return (
    <section class="card" aria-labelledby="foretold">
      <h2 id="foretold">{say('Who would be notified?')}</h2>
      {services.length === 0 ? (
        <p>{say('Nothing is watched yet, so there is nothing to notify anybody of.')}</p>
      ) : (
        <form class="form-line" method="get" action={`${ON_CALL}#foretold`}>
          <Select
            name="service"
            label={sayAs('a piece of equipment', 'Unit')}
            options={services.map(({ id, name }) => [id, name])}
            chosen={chosen?.id}
          />
          <Select
            name="kind"
            // For translators: before a choice: a critical alarm, a warning, data that stays away
            label={say('Of')}
            options={BEGINNINGS.map((one) => [one, say(NAMES[one])])}
            chosen={subject}
          />
          {/* For translators: before a field for a day and a time */}
          <TimeField name="at" label={say('At')} value={at} />
          <button type="submit">{say('Show')}</button>
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
};

const NAMES = {
  critical: message('a critical alarm'),
  warning: message('a warning'),
  stale: message('missing data'),
};
