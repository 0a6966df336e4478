import { isRealTime } from '../../domain/instant.ts';
import { parseTypedTime } from '../../domain/local-time.ts';
import type { AuditSearch, Cursor } from './queries.ts';

/** As typed, to stand in the form again. */
export interface TypedSearch {
  who: string;
  action: string;
  service: string;
  from: string;
  to: string;
}

export const typedSearchOf = (query: Record<string, string | undefined>): TypedSearch => ({
  who: (query.who ?? '').trim(),
  action: (query.action ?? '').trim(),
  service: (query.service ?? '').trim(),
  from: (query.from ?? '').trim(),
  to: (query.to ?? '').trim(),
});

/** Times are read in the zone of whoever searches. */
export function readSearch(
  typed: TypedSearch,
  timeZone: string,
): { search: AuditSearch; faults: ('from' | 'to')[] } {
  const read = (text: string) => (text === '' ? null : parseTypedTime(text, timeZone));
  const [from, to] = [read(typed.from), read(typed.to)];
  const faults = [from?.ok === false && ('from' as const), to?.ok === false && ('to' as const)];
  return {
    search: { ...typed, from: from?.ok ? from.value : null, to: to?.ok ? to.value : null },
    faults: faults.filter((fault) => fault !== false),
  };
}

const CURSOR = /^([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{6}Z)_([0-9]{1,18})$/;

export const writeCursor = ({ at, id }: Cursor): string => `${at}_${id}`;

/** null: none, or nothing that a page of ours wrote. */
export function readCursor(text: string | undefined): Cursor | null {
  const [, at, id] = CURSOR.exec(text ?? '') ?? [];
  return at !== undefined && id !== undefined && isRealTime(at) ? { at, id } : null;
}
