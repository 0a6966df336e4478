// What came of an act on many units, from the address that it led to: only our own words are shown.
import { selectManyAct } from '../../../engine/acts/many/many-act-rows.ts';
import type { Visitor } from '../../../engine/pages/visitor.ts';
import type { ReadDatabase } from '../../../platform/db/database.ts';
import { isManyDone } from './many-words.ts';
import type { ManyNoticeModel } from './select-view.tsx';

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export async function readManyNotice(
  db: ReadDatabase,
  { accountId, now }: Visitor,
  { did, count, left, many = '' }: Record<string, string | undefined>,
): Promise<ManyNoticeModel | null> {
  if (!isManyDone(did)) return null;
  const kept = UUID.test(many) ? await selectManyAct(db, { id: many, accountId }, now) : null;
  return { did, count: readCount(count), left: readCount(left), undo: kept && !kept.isUndone ? many : null };
}

const readCount = (text = ''): number => (/^\d{1,3}$/.test(text) ? Number(text) : 0);
