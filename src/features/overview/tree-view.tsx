// Places and the branches they stand in, each with how it is.
import { COUNT_WORDS, STATE_WORDS, UNIT_STATES, type UnitState } from '../../domain/equipment/unit-state.ts';
import { DRILL } from '../../engine/pages/rescue-part.tsx';
import { useLanguage } from '../../platform/html/language.tsx';
import { type BranchModel, type EntryModel, isBranchModel, type PlaceModel } from './tree-model.ts';

export const Entries = ({ entries, level }: { entries: readonly EntryModel[]; level: number }) => (
  <>
    {entries.map((entry) =>
      isBranchModel(entry) ? (
        <BranchCard key={entry.key} branch={entry} level={level} />
      ) : (
        <PlaceCard key={entry.key} place={entry} level={level} />
      ),
    )}
  </>
);

const HEADINGS = ['h3', 'h4', 'h5', 'h6'] as const;
const headingOf = (level: number) => HEADINGS[level] ?? 'h6';

/** They stand in the list of the alarms. */
const ALARMS: readonly UnitState[] = ['critical', 'warning', 'stale'];

const worstOf = ({ counts }: Pick<EntryModel, 'counts'>): UnitState =>
  UNIT_STATES.find((state) => (counts[state] ?? 0) > 0) ?? 'normal';

const countedIn = ({ counts }: Pick<EntryModel, 'counts'>): [UnitState, number][] =>
  UNIT_STATES.map((state) => [state, counts[state] ?? 0] as [UnitState, number]).filter(
    ([, count]) => count > 0,
  );

const PlaceCard = ({ place, level }: { place: PlaceModel; level: number }) => {
  const { say } = useLanguage();
  const { key, label, organizationName, query, total, drawn, planPath } = place;
  const Heading = headingOf(level);
  const counted = countedIn(place);
  return (
    <li class={`card place-card place-card-${worstOf(place)}`} data-part={`place-${key}`}>
      <Heading class="place-name">
        <a href={`/services?${query}`}>{label ?? say('Without a location')}</a>
      </Heading>
      <p class="muted">
        {organizationName !== null && `${organizationName} · `}
        {say('{count, plural, one {# unit} other {# units}}', { count: total })}
        {counted.length === 0 && ` · ${say('no alarm')}`}
      </p>
      {counted.length > 0 && (
        <ul class="state-counts">
          {counted.map(([state, count]) => (
            <li key={state}>
              {ALARMS.includes(state) ? (
                <a class={`severity severity-${state} severity-link`} href={`/?${query}&severity=${state}`}>
                  {say(COUNT_WORDS[state], { count })}
                </a>
              ) : (
                <span class={`severity severity-${state}`}>{say(COUNT_WORDS[state], { count })}</span>
              )}
            </li>
          ))}
        </ul>
      )}
      {drawn && <Dots {...drawn} />}
      {planPath !== null && <PlanLink path={planPath} name={label ?? ''} />}
    </li>
  );
};

const PlanLink = ({ path, name }: { path: string; name: string }) => {
  const { say } = useLanguage();
  return (
    <p>
      <a class="lone-link" href={path}>
        {say('Floor plan of {name}', { name })}
      </a>
    </p>
  );
};

const Dots = ({ units, more, isCut }: NonNullable<PlaceModel['drawn']>) => {
  const { say } = useLanguage();
  return (
    <>
      {isCut && (
        <p class="muted">
          {units.length === 0 ? say('All of them are normal.') : say('Those that are not normal:')}
        </p>
      )}
      <ul class="dots">
        {units.map(({ id, name, state }) => {
          const said = say('{service}: {state}', { service: name, state: say(STATE_WORDS[state]) });
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
    </>
  );
};

const BranchCard = ({ branch, level }: { branch: BranchModel; level: number }) => {
  const { say } = useLanguage();
  const {
    key,
    label,
    organizationName,
    query,
    path,
    places,
    total,
    isOpen,
    opensBy,
    inside,
    more,
    planPath,
  } = branch;
  const Heading = headingOf(level);
  const counted = countedIn(branch);
  const part = (name: string) => `${name}-${key}`;
  return (
    <li class={`card place-card branch-card place-card-${worstOf(branch)}`} data-part={part('branch')}>
      <details class="branch-fold" data-part={part('fold')} data-opens={opensBy || undefined} open={isOpen}>
        <summary class="branch-head" data-part={part('head')}>
          <Heading class="place-name">{label}</Heading>
          <span class="muted">
            {organizationName !== null && `${organizationName} · `}
            {say('{count, plural, one {# place} other {# places}}', { count: places })}
            {' · '}
            {say('{count, plural, one {# unit} other {# units}}', { count: total })}
            {counted.length === 0 && ` · ${say('no alarm')}`}
          </span>
          {counted.map(([state, count]) => (
            <span key={state} class={`severity severity-${state}`}>
              {say(COUNT_WORDS[state], { count })}
            </span>
          ))}
        </summary>
        <div data-part={part('body')}>
          <div data-part={part('links')}>
            <BranchLinks query={query} path={path} name={label ?? ''} />
            {planPath !== null && <PlanLink path={planPath} name={label ?? ''} />}
          </div>
          <ul class="tiles" data-part={part('inside')}>
            <Entries entries={inside} level={level + 1} />
            {more > 0 && (
              <li data-part={part('more')}>
                <a class="lone-link" href={path}>
                  {say('All {count} places of {name}', { count: places, name: label ?? '' })}
                </a>
              </li>
            )}
          </ul>
        </div>
      </details>
    </li>
  );
};

/** Whatever is in it, on the other pages. */
export const BranchLinks = ({ query, path, name }: { query: string; path: string | null; name: string }) => {
  const { say } = useLanguage();
  const to = (label: string) => say('{label} of {name}', { label, name });
  return (
    <nav class="actions" aria-label={name}>
      {path !== null && (
        <a class="lone-link" href={path}>
          {say('Only {name}', { name })}
        </a>
      )}
      {(
        [
          ['/', say('Alarms')],
          ['/services', say('Equipment')],
          ['/history', say('History')],
          [DRILL, say('Who would go where')],
        ] as const
      ).map(([page, label]) => (
        <a key={page} class="lone-link" href={`${page}?${query}`} aria-label={to(label)}>
          {label}
        </a>
      ))}
    </nav>
  );
};
