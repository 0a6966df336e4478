// Where what is in a unit in alarm goes: one press reserves.
import type { ActNotice } from '../../domain/words/act-words.ts';
import { Page } from '../../engine/pages/page.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import type { RescuePlan } from '../../engine/rescue/read-plan.ts';
import type { FoundRefuge } from '../../engine/rescue/rescue-rows.ts';
import { sayDanger, sayRefuge, sayTurn } from '../../engine/rescue/rescue-words.ts';
import type { Holding } from '../../engine/rescue/reservation-rows.ts';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { Notice } from '../../platform/html/notice.tsx';
import { UpLink } from '../../platform/html/up-link.tsx';
import { Holdings } from './holdings-view.tsx';
import type { Unit } from './queries.ts';
import { settingsPathOf } from './settings-view.tsx';

interface PlanProps {
  visitor: Visitor;
  service: Unit;
  /** null: nothing is said of it for such a day. */
  plan: RescuePlan | null;
  holdings: Holding[];
  news: ActNotice | null;
}

const MOST_SHOWN = 10;

export const PlanPage = ({ visitor, service, plan, holdings, news }: PlanProps) => {
  const language = useLanguage();
  const { say } = language;
  const said = plan
    ? [sayTurn(plan.turn, language), sayDanger(plan.danger, language)].filter((one) => one !== null)
    : [];
  return (
    <Page
      title={say('Where the contents of {name} go', { name: service.name })}
      visitor={visitor}
      current="/"
    >
      <UpLink path={`/services/${service.id}`} label={service.name} />
      <div class="narrow">
        <h1>{say('Where the contents of {name} go', { name: service.name })}</h1>
        {news && <Notice kind={news.kind}>{news.text}</Notice>}
        {said.length > 0 && (
          <p>
            <strong>{said.join(' ')}</strong>
          </p>
        )}
        <Holdings
          visitor={visitor}
          title={say('Reserved and moved')}
          holdings={holdings}
          at="unit"
          canOperate
        />
        {plan?.isEmptied ? (
          <p>{say('All that was inside is moved.')}</p>
        ) : plan?.refuges ? (
          <>
            <Refuges service={service} plan={plan} refuges={plan.refuges} />
            {plan.leftToOthers.length > 0 && <LeftToOthers service={service} plan={plan} />}
          </>
        ) : (
          <p>
            {sayWith(language, 'Nobody has said how cold it has to be: <a>an administrator says so</a>.', {
              a: (inside) => <a href={settingsPathOf(service.id)}>{inside}</a>,
            })}
          </p>
        )}
      </div>
    </Page>
  );
};

type Parts = { service: Unit; plan: RescuePlan };

const Refuges = ({ service, plan, refuges }: Parts & { refuges: FoundRefuge[] }) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <section class="card">
      <h2>{say('Room that is known to be well, the nearest first')}</h2>
      {refuges.length === 0 && plan.leftToOthers.length > 0 && (
        <p>{say('What has room for it is needed by those whose turn comes before.')}</p>
      )}
      {refuges.length === 0 && plan.leftToOthers.length === 0 && (
        <p>
          {say(
            'There is none: every other unit is full, in alarm, silent, muted, in downtime, not watched, too warm, or was in alarm lately.',
          )}
        </p>
      )}
      {plan.episodeId === null && <p class="muted">{say('There is no alarm, so nothing is reserved.')}</p>}
      <RefugeRows service={service} plan={plan} refuges={refuges} />
      <p class="muted">
        {say(
          'Where nobody has taken the alarm on yet, whoever reserves does, with where its contents go as the comment.',
        )}
      </p>
    </section>
  );
};

const LeftToOthers = ({ service, plan }: Parts) => {
  const { say } = useLanguage();
  return (
    <section class="card">
      <h2>{say('Left to those whose turn comes before')}</h2>
      <RefugeRows service={service} plan={plan} refuges={plan.leftToOthers} />
    </section>
  );
};

const RefugeRows = ({ service, plan, refuges }: Parts & { refuges: FoundRefuge[] }) => {
  const language = useLanguage();
  const { say } = language;
  const { racks } = plan;
  return (
    <ul class="rows">
      {refuges.slice(0, MOST_SHOWN).map((refuge) => (
        <li key={refuge.serviceId}>
          <div id={`refuge-${refuge.serviceId}`}>{sayRefuge(refuge, language)}</div>
          {plan.episodeId !== null && (
            <form method="post" action={`/alarms/${service.id}/reserve-refuge`}>
              <input type="hidden" name="refuge" value={refuge.serviceId} />
              <button
                type="submit"
                class={refuges === plan.refuges ? 'button-primary' : undefined}
                id={`reserve-${refuge.serviceId}`}
                aria-labelledby={`reserve-${refuge.serviceId} refuge-${refuge.serviceId}`}
              >
                {say('{count, plural, one {Reserve # rack} other {Reserve # racks}}', { count: racks })}
              </button>
            </form>
          )}
        </li>
      ))}
    </ul>
  );
};
