import { GAP_WEEKS } from '../../domain/notifications/gaps.ts';
import { LAST_STEP, LONGEST_WAIT_MINUTES } from '../../domain/notifications/ladder.ts';
import { toStepWord } from '../../domain/notifications/step-words.ts';
import { BEGINNINGS, type Beginning } from '../../domain/notifications/subject.ts';
import type { During } from '../../domain/on-call/lab-hours.ts';
import { DutyBars, DutyList } from '../../engine/pages/duty-bars.tsx';
import { ForecastList } from '../../engine/pages/forecast.tsx';
import { Rung } from '../../engine/pages/rung.tsx';
import { Field } from '../../platform/html/field.tsx';
import { Select } from '../../platform/html/select.tsx';
import { Time } from '../../platform/html/time.tsx';
import { type LadderModel, nameWhen, type OutlookModel, type RungModel } from './ladder-model.ts';
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

export const Ladder = ({ home, group, ladder, typed, faultOf }: LadderProps) => {
  const isRefused = typed.step !== undefined || typed.after_minutes !== undefined;
  return (
    <section class="card ladder-card" aria-labelledby="ladder">
      <h2 id="ladder">Who is told when</h2>
      <p class="muted">
        While nobody acknowledges, one step opens after the other. A step that reaches nobody is passed at
        once; where no step reaches anybody, administrators are told by every method they have.
      </p>
      <ol class="ladder">
        {ladder.rungs.map((rung) => (
          <LadderRung key={rung.step} home={home} rung={rung} />
        ))}
      </ol>
      {faultOf('step') && <p class="error">{faultOf('step')}</p>}
      <div class="ladder-forms">
        <details open={isRefused && typed.after_minutes === undefined}>
          <summary>Put somebody on a step</summary>
          <PlaceForm home={home} group={group} ladder={ladder} typed={typed} faultOf={faultOf} />
        </details>
        {ladder.rungs.length <= LAST_STEP && (
          <details open={typed.after_minutes !== undefined}>
            <summary>Add a step</summary>
            <StepForm home={home} ladder={ladder} typed={typed} />
          </details>
        )}
      </div>
      <h3>A critical alarm that begins now</h3>
      <ForecastList {...ladder.forecast} />
      <h3>The next 7 days</h3>
      <DutyBars lines={ladder.lines} days={ladder.days} />
      <DutyList lines={ladder.lines} />
      <Gaps {...ladder.outlook} />
    </section>
  );
};

const Gaps = ({ nobody, onlyMail, endsEarly }: OutlookModel) => {
  const more = nobody.count - nobody.shown.length;
  const [quiet] = onlyMail.shown;
  return (
    <>
      <h3>The next {GAP_WEEKS} weeks</h3>
      {endsEarly && (
        <p>
          People change so often here that it was looked no further than <Time {...endsEarly} />.
        </p>
      )}
      {nobody.count === 0 ? (
        <p>A critical alarm reaches somebody at every hour{endsEarly ? ' until then' : ''}.</p>
      ) : (
        <>
          <p>
            <strong class="error">
              A critical alarm reaches nobody {nobody.count === 1 ? 'once' : `${nobody.count} times`}:
            </strong>
          </p>
          <ul>
            {nobody.shown.map(({ from, until }) => (
              <li key={from.iso}>
                <Time {...from} /> to <Time {...until} />
              </li>
            ))}
            {more > 0 && <li>and {more} more</li>}
          </ul>
        </>
      )}
      {quiet && (
        <p>
          <strong class="error">Off hours only mail leaves within 15 minutes</strong>, which wakes nobody up:
          next <Time {...quiet.from} /> to <Time {...quiet.until} />
          {onlyMail.count > 1 && `, and ${onlyMail.count - 1} more times`}.
        </p>
      )}
    </>
  );
};

const LadderRung = ({ home, rung }: { home: string; rung: RungModel }) => {
  const { step, afterMinutes, subjects, stand, now } = rung;
  return (
    <Rung
      step={step}
      when={nameWhen(step, afterMinutes)}
      note={step === 0 ? 'everything' : subjects.map((subject) => OF[subject]).join(', ')}
      isEmpty={now.length === 0}
    >
      <p>Now: {now.length > 0 ? <strong>{now.join(', ')}</strong> : <strong class="error">nobody</strong>}</p>
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
    </Rung>
  );
};

const OF: Record<Beginning, string> = {
  critical: 'critical alarms',
  warning: 'warnings',
  stale: 'stale services',
};

const PlaceForm = ({ home, group, ladder, typed, faultOf }: LadderProps) => (
  <form method="post" action={`${home}/place`}>
    <Select
      id="place-step"
      name="step"
      label="Step"
      options={ladder.rungs.map(({ step, afterMinutes }) => [step, nameWhen(step, afterMinutes)])}
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
      error={faultOf('email')}
      input={{ type: 'email', value: typed.email ?? '', autocomplete: 'off' }}
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

const StepForm = ({ home, ladder, typed }: Pick<LadderProps, 'home' | 'ladder' | 'typed'>) => {
  const last = ladder.rungs.at(-1)?.afterMinutes ?? 0;
  return (
    <form method="post" action={`${home}/set-step`}>
      <Field
        name="after_minutes"
        label="Minutes after the first step"
        input={{
          type: 'number',
          min: last + 1,
          max: LONGEST_WAIT_MINUTES,
          value: typed.after_minutes ?? String(last + 15),
          required: true,
        }}
      />
      <fieldset>
        <legend>For</legend>
        {BEGINNINGS.map((subject) => (
          <label key={subject} class="check">
            <input type="checkbox" name={toStepWord(subject)} value="yes" checked={subject === 'critical'} />{' '}
            {OF[subject]}
          </label>
        ))}
      </fieldset>
      <button type="submit">Add step</button>
    </form>
  );
};
