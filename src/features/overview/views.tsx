import { Plan } from '../../engine/floor-plans/plan-view.tsx';
import { FirstSteps } from '../../engine/pages/first-steps.tsx';
import { OVERVIEW } from '../../engine/pages/navigation.ts';
import { NoMembership } from '../../engine/pages/no-membership.tsx';
import { Page } from '../../engine/pages/page.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import { useLanguage } from '../../platform/html/language.tsx';
import { Live, LiveStatus } from '../../platform/html/live.tsx';
import { UpLink } from '../../platform/html/up-link.tsx';
import { Beside } from './beside-view.tsx';
import { type OverviewModel, overviewPath } from './overview-model.ts';
import { KEPT_MS } from './remember-units.ts';
import { BranchLinks, Entries } from './tree-view.tsx';

export const OverviewPage = ({
  visitor,
  board,
}: {
  visitor: Visitor;
  /** null: a member of no organization. */
  board: OverviewModel | null;
}) => {
  const { say } = useLanguage();
  const at = board?.at ?? null;
  const title = at?.name ?? say('Overview');
  return (
    <Page title={title} visitor={visitor} current={OVERVIEW}>
      {at && <UpLink path={at.above?.path ?? OVERVIEW} label={at.above?.name ?? say('Overview')} />}
      <div class="page-head">
        <h1>{title}</h1>
        {board && <LiveStatus asOf={board.asOf} />}
      </div>
      {at && <BranchLinks query={at.query} path={null} name={at.name} />}
      {board ? <Board {...board} /> : <NoMembership />}
    </Page>
  );
};

/** What is looked at in the meantime is there by then. */
const LOOKING_SECONDS = 2;

const findEverySeconds = ({ beside, isSlow }: OverviewModel): number | null => {
  if (beside?.gaps === null) return LOOKING_SECONDS;
  return isSlow ? KEPT_MS / 1000 : null;
};

/** What a live page asks for again. */
export const Board = (board: OverviewModel) => {
  const everySeconds = findEverySeconds(board);
  const { asked, beside } = board;
  return (
    <Live
      id="overview"
      path={overviewPath(asked, asked.page)}
      timeZone={board.timeZone}
      class={beside ? 'overview' : 'overview overview-branch'}
      {...(everySeconds !== null && { everySeconds })}
    >
      {board.plan && (
        <div data-part="plan">
          <Plan {...board.plan} />
        </div>
      )}
      <div data-part="places">
        {board.firstSteps ? <FirstSteps {...board.firstSteps} /> : <Places {...board} />}
      </div>
      {beside && (
        <aside class="overview-beside" data-part="beside">
          <Beside {...beside} />
        </aside>
      )}
    </Live>
  );
};

const Places = ({ entries, asked, hasNext }: OverviewModel) => {
  const { say } = useLanguage();
  const { page } = asked;
  return (
    <>
      <h2 class="unseen">{say('Places')}</h2>
      {entries.length === 0 && <p>{say('There are no further places.')}</p>}
      <ul class="tiles">
        <Entries entries={entries} level={0} />
      </ul>
      {(page > 1 || hasNext) && (
        <nav class="actions" aria-label={say('Further places')}>
          {page > 1 && (
            <a class="button" href={overviewPath(asked, page - 1)} rel="prev">
              {say('Previous page')}
            </a>
          )}
          {hasNext && (
            <a class="button" href={overviewPath(asked, page + 1)} rel="next">
              {say('Next page')}
            </a>
          )}
        </nav>
      )}
    </>
  );
};
