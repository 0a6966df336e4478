import { isId, type ServiceId } from '../../domain/ids.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import type { Position } from '../../engine/floor-plans/floor-plans.ts';
import type { FormFields } from '../../platform/http/form-body.ts';

/** From 0 to 100, with one decimal; in thousandths. null: it is none. */
function readShare(text: string): number | null {
  if (!/^\d{1,3}([.,]\d{1,6})?$/.test(text)) return null;
  const share = Math.round(10 * Number(text.replace(',', '.')));
  return share <= 1000 ? share : null;
}

/** The fields `x_12` and `y_12` of each unit, both blank for one that stands nowhere in the picture. */
export function readPositions(form: FormFields): Result<Position[], 'no_share' | 'half_a_place'> {
  const positions: Position[] = [];
  for (const [field, typed] of Object.entries(form)) {
    const [, digits] = /^x_(\d{1,10})$/.exec(field) ?? [];
    const serviceId = Number(digits) as ServiceId;
    if (digits === undefined || !isId(serviceId)) continue;
    const [left, top] = [typed.trim(), (form[`y_${digits}`] ?? '').trim()];
    if (left === '' && top === '') continue;
    if (left === '' || top === '') return refuse('half_a_place');
    const [x, y] = [readShare(left), readShare(top)];
    if (x === null || y === null) return refuse('no_share');
    positions.push({ serviceId, x, y });
  }
  return ok(positions);
}
