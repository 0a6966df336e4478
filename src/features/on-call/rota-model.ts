// A rota as its settings show it.
import { findDutyNow } from '../../domain/on-call/duties.ts';
import { startOf } from '../../domain/on-call/rota-version.ts';
import type { StoredRota } from '../../engine/on-call/rotas.ts';
import { toRota } from '../../engine/outbox/ladders.ts';
import { type Reader, type ShownTime, showTime } from '../../platform/html/time.tsx';
import type { HandoverDraft } from './rota-form.ts';

export interface RotaSettings {
  id: number;
  name: string;
  confirm: boolean;
  hasCalendar: boolean;
  handovers: { at: string; timeZone: string; names: string[] }[];
  /** When what is described here begins; null: it has. */
  begins: ShownTime | null;
  /** null: nobody. */
  onCall: string | null;
  /** What the form for a change begins with. */
  drafts: HandoverDraft[];
  every: string;
  length: string;
}

export function describeRota(
  stored: StoredRota,
  names: ReadonlyMap<number, string>,
  reader: Reader,
): RotaSettings {
  const nameOf = (id: number) => names.get(id) ?? reader.language.say('somebody who left');
  const rota = toRota(stored);
  const last = rota.versions.at(-1);
  const begins = last && startOf(last, rota.timeZone);
  const onCall = findDutyNow(rota, reader.now).duty;
  const handovers = last
    ? [{ at: last.handover, timeZone: last.timeZone, members: last.members }, ...(last.further ?? [])]
    : [];
  const { every = 'week', length = 1 } = last ?? {};
  return {
    id: stored.id,
    name: stored.name,
    confirm: stored.confirm,
    hasCalendar: stored.feedToken !== null,
    handovers: handovers.map(({ at, timeZone, members: turns }) => ({
      at,
      timeZone: timeZone ?? rota.timeZone,
      names: turns.map(nameOf),
    })),
    begins: begins && begins > reader.now ? showTime(begins, reader) : null,
    onCall: onCall && nameOf(onCall.accountId),
    drafts: handovers.map(({ at, timeZone, members: turns }) => ({
      at,
      timeZone: timeZone ?? rota.timeZone,
      members: turns.map(String),
    })),
    every,
    length: String(length),
  };
}
