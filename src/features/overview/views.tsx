import { COUNT_WORDS, STATE_WORDS, UNIT_STATES, type UnitState } from '../../domain/equipment/unit-state.ts';
import { FirstSteps } from '../../engine/pages/first-steps.tsx';
import { OVERVIEW } from '../../engine/pages/navigation.ts';
import { NoMembership } from '../../engine/pages/no-membership.tsx';
import { Page } from '../../engine/pages/page.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import { useLanguage } from '../../platform/html/language.tsx';
import { Live, LiveStatus } from '../../platform/html/live.tsx';
import { Beside } from './beside-view.tsx';
import type { OverviewModel, PlaceModel } from './overview-model.ts';
import { KEPT_MS } from './remember-units.ts';

export const OverviewPage = ({
  visitor,
  board,
}: {
  visitor: Visitor;
  /** null: a member of no organization. */
  board: OverviewModel | null;
}) => {
  const { say } = useLanguage();
  return (
    <Page title={say('Overview')} visitor={visitor} current={OVERVIEW}>
      <div class="page-head">
        <h1>{say('Overview')}</h1>
        {board && <LiveStatus asOf={board.asOf} />}
      </div>
      {board ? <Board {...board} /> : <NoMembership />}
    </Page>
  );
};

/** What is looked at in the meantime is there by then. */
const LOOKING_SECONDS = 2;

const findEverySeconds = ({ gaps, isSlow }: OverviewModel): number | null => {
  if (gaps === null) return LOOKING_SECONDS;
  return isSlow ? KEPT_MS / 1000 : null;
};

const pagePath = (page: number): string => (page === 1 ? OVERVIEW : `${OVERVIEW}?page=${page}`);

/** What a live page asks for again. */
export const Board = (board: OverviewModel) => {
  const everySeconds = findEverySeconds(board);
  return (
    <Live
      id="overview"
      path={pagePath(board.page)}
      timeZone={board.timeZone}
      class="overview"
      {...(everySeconds !== null && { everySeconds })}
    >
      <div data-part="places">
        {board.firstSteps ? <FirstSteps {...board.firstSteps} /> : <Places {...board} />}
      </div>
      <aside class="overview-beside" data-part="beside">
        <Beside {...board} />
      </aside>
    </Live>
  );
};

const Places = ({ places, page, hasNext }: OverviewModel) => {
  const { say } = useLanguage();
  return (
    <>
      <h2 class="unseen">{say('Places')}</h2>
      {places.length === 0 && <p>{say('There are no further places.')}</p>}
      <ul class="tiles">
        {places.map((place) => (
          <PlaceCard key={place.placeId} {...place} />
        ))}
      </ul>
      {(page > 1 || hasNext) && (
        <nav class="actions" aria-label={say('Further places')}>
          {page > 1 && (
            <a class="button" href={pagePath(page - 1)} rel="prev">
              {say('Previous page')}
            </a>
          )}
          {hasNext && (
            <a class="button" href={pagePath(page + 1)} rel="next">
              {say('Next page')}
            </a>
          )}
        </nav>
      )}
    </>
  );
};

/** They stand in the list of the alarms. */
const ALARMS: readonly UnitState[] = ['critical', 'warning', 'stale'];

const PlaceCard = ({
  placeId,
  name,
  organizationName,
  path,
  counts,
  total,
  units,
  more,
  isCut,
}: PlaceModel) => {
  const { say } = useLanguage();
  const [, alarmsQuery = ''] = path.split('?');
  const worst = UNIT_STATES.find((state) => (counts[state] ?? 0) > 0) ?? 'normal';
  return (
    <li class={`card place-card place-card-${worst}`} data-part={`place-${placeId}`}>
      <h3>
        <a href={path}>{name ?? say('Without a location')}</a>
      </h3>
      <p class="muted">
        {organizationName !== null && `${organizationName} · `}
        {say('{count, plural, one {# unit} other {# units}}', { count: total })}
      </p>
      <ul class="state-counts">
        {UNIT_STATES.map((state) => [state, counts[state] ?? 0] as const)
          .filter(([, count]) => count > 0)
          .map(([state, count]) => (
            <li key={state}>
              {ALARMS.includes(state) ? (
                <a
                  class={`severity severity-${state} severity-link`}
                  href={`/?${alarmsQuery}&severity=${state}`}
                >
                  {say(COUNT_WORDS[state], { count })}
                </a>
              ) : (
                <span class={`severity severity-${state}`}>{say(COUNT_WORDS[state], { count })}</span>
              )}
            </li>
          ))}
      </ul>
      {isCut && (
        <p class="muted">
          {units.length === 0 ? say('All of them are normal.') : say('Those that are not normal:')}
        </p>
      )}
      <ul class="dots">
        {units.map(({ id, name: unit, state }) => {
          const said = say('{service}: {state}', { service: unit, state: say(STATE_WORDS[state]) });
          return (
            <li key={id}>
              <a class={`dot dot-${state}`} href={`/services/${id}`} title={said}>
                {said}
              </a>
            </li>
          );
        })}
      </ul>
      {more > 0 && <p class="muted">{say('and {count, plural, other {# more}}', { count: more })}</p>}
    </li>
  );
};
