// A form in which a rota is described: how long turns are, and each handover of the day with who takes turns at it.
import { isClock, isDay, plainClock } from '../../domain/on-call/local-instant.ts';
import {
  LONGEST_SHIFT,
  MOST_HANDOVERS,
  MOST_MEMBERS,
  SHIFT_UNITS,
} from '../../domain/on-call/rota-version.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import type { NewVersion } from '../../engine/on-call/rotas.ts';
import { readPageId } from '../../engine/pages/page-routes.ts';
import { readZone } from '../../engine/pages/zone-field.tsx';
import type { FormFields } from '../../platform/http/form-body.ts';

/** As it was typed, or as the form begins. */
export interface HandoverDraft {
  at: string;
  timeZone: string;
  members: string[];
}

export type FormRefusal =
  | 'not_a_handover'
  | 'not_a_zone'
  | 'not_a_length'
  | 'nobody'
  | 'same_time'
  | 'too_many_handovers'
  | 'too_many_members'
  | 'not_a_day';

/** The first handover of the day has plain names, the others have theirs with a number. */
export const nameAt = (name: string, line: number): string => (line === 0 ? name : `${name}_${line}`);

export const memberName = (line: number, place: number): string => `${nameAt('member', line)}_${place}`;

export const readDrafts = (form: FormFields): HandoverDraft[] =>
  // One more than there may be, of handovers and of people at each: it is refused.
  Array.from({ length: MOST_HANDOVERS + 1 }, (_, line) => line)
    .filter((line) => form[nameAt('handover', line)] !== undefined)
    .map((line) => ({
      at: plainClock(form[nameAt('handover', line)] ?? ''),
      timeZone: form[nameAt('timezone', line)] ?? '',
      members: Array.from({ length: MOST_MEMBERS + 1 }, (_, place) => form[memberName(line, place)] ?? ''),
    }));

/** Somebody wants a line more or less, and nothing saved yet; null: the form is meant as it is. */
export function redraft(form: FormFields): HandoverDraft[] | null {
  const drafts = readDrafts(form);
  if (form.add !== undefined)
    return [...drafts, { at: '', timeZone: drafts.at(-1)?.timeZone ?? '', members: [] }].slice(
      0,
      MOST_HANDOVERS,
    );
  if (form.remove !== undefined) return drafts.filter((_, line) => String(line) !== form.remove);
  return null;
}

/** `known`: who may be chosen; others are left out. `zone` counts where none is said. */
export function readRotaForm(
  form: FormFields,
  known: ReadonlySet<number>,
  zone: string,
): Result<Omit<NewVersion, 'fromDate' | 'beginsAt'> & { from: string | null }, FormRefusal> {
  const drafts = readDrafts(form);
  const first = drafts[0];
  if (!first || drafts.some(({ at }) => !isClock(at))) return refuse('not_a_handover');
  if (drafts.length > MOST_HANDOVERS) return refuse('too_many_handovers');
  const timeZone = readZone(first.timeZone, zone);
  const zones = drafts.map((one) => readZone(one.timeZone, timeZone ?? zone));
  if (timeZone === null || zones.includes(null)) return refuse('not_a_zone');
  const every = SHIFT_UNITS.find((one) => one === form.every) ?? 'week';
  const length = Number(form.length ?? '1');
  if (!Number.isInteger(length) || length < 1 || length > LONGEST_SHIFT) return refuse('not_a_length');
  const handovers = drafts.map(({ at, members }, line) => ({
    at,
    timeZone: zones[line] ?? timeZone,
    members: members.flatMap((text) => {
      const id = readPageId(text);
      return id !== null && known.has(id) ? [id] : [];
    }),
  }));
  if (handovers.some(({ members }) => members.length === 0)) return refuse('nobody');
  if (handovers.some(({ members }) => members.length > MOST_MEMBERS)) return refuse('too_many_members');
  if (new Set(handovers.map((one) => `${one.at} ${one.timeZone}`)).size < handovers.length)
    return refuse('same_time');
  const from = form.from?.trim() || null;
  if (from !== null && !isDay(from)) return refuse('not_a_day');
  return ok({ timeZone, every, length, handovers, from });
}
