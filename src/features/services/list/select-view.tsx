// Boxes to select units in the list, and the bar of what can be done to them.

import type { ManyActName } from '../../../engine/acts/many/many-act-rows.ts';
import { useLanguage } from '../../../platform/html/language.tsx';
import { Notice } from '../../../platform/html/notice.tsx';
import { ALL_FOUND, boxOf, manyPath } from './boxes.ts';
import { ACT_LABELS, type ManyDone, sayDoneMany } from './many-words.ts';
import { type ServiceFilter, writeFilter } from './service-filter.ts';

export const UnitBox = ({ id, name }: { id: number; name: string }) => {
  const { say } = useLanguage();
  return (
    <input
      class="unit-box"
      type="checkbox"
      name={boxOf(id)}
      value="on"
      aria-label={say('Select {name}', { name })}
    />
  );
};

interface BarProps {
  /** How many there are on all pages. */
  found: number;
  acts: readonly ManyActName[];
}

/** At the bottom edge; its buttons stand there once something is selected. */
export const ActBar = ({ found, acts }: BarProps) => {
  const { say } = useLanguage();
  return (
    <fieldset class="act-bar">
      <legend class="unseen">{say('With the selected units')}</legend>
      <label class="check">
        <input type="checkbox" name={ALL_FOUND} value="yes" data-all-found="" />{' '}
        {say('All {found} found', { found })}
      </label>
      <span class="act-bar-count muted" role="status" data-selected="" />
      <div class="act-bar-acts">
        {acts.map((act) => (
          <button key={act} type="submit" formaction={manyPath(act)}>
            {say(ACT_LABELS[act])}
          </button>
        ))}
        <button type="submit" formaction="/stickers">
          {say('Stickers')}
        </button>
      </div>
    </fieldset>
  );
};

export interface ManyNoticeModel {
  did: ManyDone;
  count: number;
  left: number;
  /** By which it can be undone; null: it cannot, or not any more. */
  undo: string | null;
}

export const ManyNotice = ({
  did,
  count,
  left,
  undo,
  filter,
}: ManyNoticeModel & { filter: ServiceFilter }) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <div class="notice-with-act">
      <Notice kind={did === 'late' || left > 0 ? 'error' : 'done'}>
        {sayDoneMany(did, count, left, language)}
      </Notice>
      {undo !== null && (
        <form method="post" action={writeFilter(filter, '/services/many/undo')}>
          <input type="hidden" name="id" value={undo} />
          <button type="submit">{say('Undo')}</button>
        </form>
      )}
    </div>
  );
};
