import { message } from '../../domain/language/message.ts';
import { inARow } from '../../domain/list-names.ts';
import { GAP_WEEKS } from '../../domain/notifications/gaps.ts';
import { LAST_STEP, LONGEST_WAIT_MINUTES } from '../../domain/notifications/ladder.ts';
import { toStepWord } from '../../domain/notifications/step-words.ts';
import { BEGINNINGS, type Beginning } from '../../domain/notifications/subject.ts';
import { DURINGS, type During } from '../../domain/on-call/lab-hours.ts';
import { DutyBars, DutyList } from '../../engine/pages/duty-bars.tsx';
import { ForecastList } from '../../engine/pages/forecast.tsx';
import { Rung } from '../../engine/pages/rung.tsx';
import { Field } from '../../platform/html/field.tsx';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { Select } from '../../platform/html/select.tsx';
import { Period, Time } from '../../platform/html/time.tsx';
import { type LadderModel, nameWhen, type OutlookModel, type RungModel } from './ladder-model.ts';
import type { GroupModel } from './page-model.ts';
import type { GroupField } from './refusals.ts';
import { SmallAsk, SmallForm } from './row-view.tsx';

interface LadderProps {
  home: string;
  group: GroupModel;
  ladder: LadderModel;
  typed: Record<string, string>;
  faultOf: (field: GroupField) => string | undefined;
}

const HOURS = {
  // For translators: when somebody who stands on a step counts
  always: message('at any hour'),
  lab_hours: message('in lab hours'),
  off_hours: message('off hours'),
} satisfies Record<During, string>;

export const Ladder = ({ home, group, ladder, typed, faultOf }: LadderProps) => {
  const { say } = useLanguage();
  const isRefused = typed.step !== undefined || typed.after_minutes !== undefined;
  return (
    <section class="card ladder-card" aria-labelledby="ladder">
      <h2 id="ladder">{say('Who is notified when')}</h2>
      <p class="muted">
        {say(
          'While nobody acknowledges, one step opens after the other. A step that reaches nobody is passed at once; where no step reaches anybody, administrators are notified by every method they have.',
        )}
      </p>
      <ol class="ladder">
        {ladder.rungs.map((rung) => (
          <LadderRung key={rung.step} home={home} rung={rung} />
        ))}
      </ol>
      {faultOf('step') && <p class="error">{faultOf('step')}</p>}
      <div class="ladder-forms">
        <details open={isRefused && typed.after_minutes === undefined}>
          <summary>{say('Put somebody on a step')}</summary>
          <PlaceForm home={home} group={group} ladder={ladder} typed={typed} faultOf={faultOf} />
        </details>
        {ladder.rungs.length <= LAST_STEP && (
          <details open={typed.after_minutes !== undefined}>
            <summary>{say('Add a step')}</summary>
            <StepForm home={home} ladder={ladder} typed={typed} />
          </details>
        )}
      </div>
      <h3>{say('A critical alarm that begins now')}</h3>
      <ForecastList {...ladder.forecast} />
      <h3>{say('The next 7 days')}</h3>
      <DutyBars lines={ladder.lines} days={ladder.days} />
      <DutyList lines={ladder.lines} />
      <Gaps {...ladder.outlook} />
    </section>
  );
};

const Gaps = ({ nobody, onlyMail, endsEarly }: OutlookModel) => {
  const language = useLanguage();
  const { say } = language;
  const more = nobody.count - nobody.shown.length;
  const [quiet] = onlyMail.shown;
  return (
    <>
      <h3>{say('The next {count, plural, one {# week} other {# weeks}}', { count: GAP_WEEKS })}</h3>
      {endsEarly && (
        <p>
          {sayWith(language, 'People change so often here that it was looked no further than {until}.', {
            until: <Time {...endsEarly} />,
          })}
        </p>
      )}
      {nobody.count === 0 ? (
        <p>
          {endsEarly
            ? say('A critical alarm reaches somebody at every hour until then.')
            : say('A critical alarm reaches somebody at every hour.')}
        </p>
      ) : (
        <>
          <p>
            <strong class="error">
              {say('A critical alarm reaches nobody {count, plural, =1 {once} other {# times}}:', {
                count: nobody.count,
              })}
            </strong>
          </p>
          <ul>
            {nobody.shown.map(({ from, until }) => (
              <li key={from.iso}>
                <Period from={from} until={until} />
              </li>
            ))}
            {more > 0 && <li>{say('and {count} more', { count: more })}</li>}
          </ul>
        </>
      )}
      {quiet && (
        <p>
          {sayWith(
            language,
            '<strong>Off hours only mail leaves within 15 minutes</strong>, which wakes nobody up: next {from} to {until}{more, plural, =0 {} one {, and # more times} other {, and # more times}}.',
            {
              strong: (inside) => <strong class="error">{inside}</strong>,
              from: <Time {...quiet.from} />,
              until: <Time {...quiet.until} />,
              more: onlyMail.count - 1,
            },
          )}
        </p>
      )}
    </>
  );
};

const LadderRung = ({ home, rung }: { home: string; rung: RungModel }) => {
  const language = useLanguage();
  const { say } = language;
  const { step, afterMinutes, subjects, stand, now } = rung;
  return (
    <Rung
      step={step}
      when={nameWhen(step, afterMinutes, language)}
      note={
        step === 0
          ? say('everything')
          : inARow(
              subjects.map((subject) => say(OF[subject])),
              language,
            )
      }
      isEmpty={now.length === 0}
    >
      <p>
        {sayWith(language, 'Now: {who}', {
          who:
            now.length > 0 ? (
              <strong>{inARow(now, language)}</strong>
            ) : (
              <strong class="error">{say('nobody')}</strong>
            ),
        })}
      </p>
      {stand.length > 0 && (
        <ul class="rows">
          {stand.map(({ who, name, during }) => (
            <li key={`${who} ${during}`}>
              <div>
                {name} <span class="muted">{say(HOURS[during])}</span>
              </div>
              <SmallAsk
                action={`${home}/unplace`}
                fields={{ who, step: String(step), during }}
                // For translators: a button: takes somebody off a step of the ladder
                verb={say('Remove from step')}
                label={say('Remove from step {step}: {name}', { name, step })}
              />
            </li>
          ))}
        </ul>
      )}
      {step > 0 && stand.length === 0 && (
        <SmallForm
          action={`${home}/remove-step`}
          fields={{ step: String(step) }}
          verb={say('Remove this step')}
          label={say('Remove this step number {step}', { step })}
        />
      )}
    </Rung>
  );
};

const OF = {
  critical: message('critical alarms'),
  warning: message('warnings'),
  stale: message('stale services'),
} satisfies Record<Beginning, string>;

const PlaceForm = ({ home, group, ladder, typed, faultOf }: LadderProps) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <form method="post" action={`${home}/place`}>
      <Select
        id="place-step"
        name="step"
        label={say('Step')}
        options={ladder.rungs.map(({ step, afterMinutes }) => [step, nameWhen(step, afterMinutes, language)])}
        chosen={typed.step}
      />
      <Select
        id="place-who"
        name="who"
        label={say('Who')}
        options={[
          ['', say('An address, written below')],
          ...ladder.rotas.map(({ id, name }) => [`rota ${id}`, say('Rota {name}', { name })] as const),
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
        label={say('Or an email address')}
        error={faultOf('email')}
        input={{ type: 'email', value: typed.email ?? '', autocomplete: 'off' }}
      />
      <Select
        id="place-during"
        name="during"
        label={say('When')}
        options={DURINGS.map((during) => [during, say(HOURS[during])])}
        chosen={typed.during}
        hint={
          ladder.hasHours
            ? undefined
            : say('Nobody has said yet when the lab hours are: everybody counts at any hour.')
        }
      />
      <button type="submit">{say('Put on the ladder')}</button>
    </form>
  );
};

const StepForm = ({ home, ladder, typed }: Pick<LadderProps, 'home' | 'ladder' | 'typed'>) => {
  const { say } = useLanguage();
  const last = ladder.rungs.at(-1)?.afterMinutes ?? 0;
  return (
    <form method="post" action={`${home}/set-step`}>
      <Field
        name="after_minutes"
        label={say('Minutes after the first step')}
        input={{
          type: 'number',
          min: last + 1,
          max: LONGEST_WAIT_MINUTES,
          value: typed.after_minutes ?? String(last + 15),
          required: true,
        }}
      />
      <fieldset>
        {/* For translators: a step is for critical alarms, warnings, stale services */}
        <legend>{say('For')}</legend>
        {BEGINNINGS.map((subject) => (
          <label key={subject} class="check">
            <input type="checkbox" name={toStepWord(subject)} value="yes" checked={subject === 'critical'} />{' '}
            {say(OF[subject])}
          </label>
        ))}
      </fieldset>
      <button type="submit">{say('Add step')}</button>
    </form>
  );
};
