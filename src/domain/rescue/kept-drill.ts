// A drill that was held, as somebody writes it down.
import { unlessBlank } from '../blank.ts';
import { isDay } from '../on-call/local-instant.ts';
import { ok, type Result, refuse } from '../result.ts';
import { isStorable } from '../storable-text.ts';

export const MOST_REMARKS = 2_000;

export interface KeptDrill {
  /** `2026-11-19`. */
  heldOn: string;
  remarks: string | null;
}

export type KeptDrillRefusal = 'no_drill_day' | 'remarks_too_long';

/** `today` where it was held: nobody writes down what has not been. */
export function readKeptDrill(
  typed: { heldOn: string | undefined; remarks: string | undefined },
  today: string,
): Result<KeptDrill, KeptDrillRefusal> {
  const heldOn = (typed.heldOn ?? '').trim();
  if (!isDay(heldOn) || heldOn > today) return refuse('no_drill_day');
  const remarks = unlessBlank(typed.remarks)?.trim() ?? null;
  if (remarks !== null && (!isStorable(remarks) || [...remarks].length > MOST_REMARKS))
    return refuse('remarks_too_long');
  return ok({ heldOn, remarks });
}
