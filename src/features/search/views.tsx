import { SEARCH } from '../../engine/pages/navigation.ts';
import { Page } from '../../engine/pages/page.tsx';
import { Place } from '../../engine/pages/place.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import { useLanguage } from '../../platform/html/language.tsx';
import type { FoundKind } from './find.ts';

interface FoundProps {
  /** As it was typed. */
  typed: string;
  kinds: FoundKind[];
}

export const SearchPage = ({ visitor, ...found }: FoundProps & { visitor: Visitor }) => {
  const { say } = useLanguage();
  return (
    <Page title={say('Search')} visitor={visitor} current={SEARCH}>
      <h1>{say('Search')}</h1>
      <search>
        <form class="search-form" method="get" action={SEARCH} data-finds="">
          <div class="field">
            <label for="search-q">{say('Equipment, places, people, groups, settings')}</label>
            <input
              id="search-q"
              name="q"
              type="search"
              value={found.typed}
              autocomplete="off"
              maxLength={200}
            />
          </div>
          <button type="submit" class="button-primary">
            {say('Search')}
          </button>
        </form>
        <p class="muted found-count" role="status" data-count="">
          <Count {...found} />
        </p>
        <div data-found="">
          <FoundList {...found} />
        </div>
      </search>
    </Page>
  );
};

/** What a script asks for while somebody types. */
export const FoundFragment = (found: FoundProps) => (
  <>
    <p data-count="">
      <Count {...found} />
    </p>
    <div data-found="">
      <FoundList {...found} />
    </div>
  </>
);

const Count = ({ typed, kinds }: FoundProps) => {
  const { say } = useLanguage();
  if (typed.trim() === '')
    return <>{say('Two words in any order: a name, a place, an asset, a device, an organization.')}</>;
  const count = kinds.reduce((sum, { found }) => sum + found.length, 0);
  if (count === 0) return <>{say('Nothing is called that. Try fewer words.')}</>;
  return (
    <>
      {kinds.some(({ isCut }) => isCut)
        ? say('More than {count} found. A further word finds fewer.', { count })
        : say('Found: {count}', { count })}
    </>
  );
};

const FoundList = ({ kinds }: FoundProps) => (
  <>
    {kinds.map(({ kind, label, found }) => (
      <section key={kind} class="found-kind" aria-label={label}>
        <h2>{label}</h2>
        <ul class="found-list">
          {found.map(({ path, name, beside }) => (
            <li key={path}>
              <a href={path}>{name}</a>
              <Place parts={beside} />
            </li>
          ))}
        </ul>
      </section>
    ))}
  </>
);
