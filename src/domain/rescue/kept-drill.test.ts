import { describe, expect, test } from 'vitest';
import { MOST_REMARKS, readKeptDrill } from './kept-drill.ts';

const TODAY = '2026-11-19';

describe('a drill that was held', () => {
  test.each([
    ['2026-11-19', undefined, { ok: true, value: { heldOn: '2026-11-19', remarks: null } }],
    [
      ' 2025-02-28 ',
      ' Dry ice came late ',
      { ok: true, value: { heldOn: '2025-02-28', remarks: 'Dry ice came late' } },
    ],
    ['2026-11-20', '', { ok: false, refusal: 'no_drill_day' }],
    ['2026-02-30', '', { ok: false, refusal: 'no_drill_day' }],
    ['', '', { ok: false, refusal: 'no_drill_day' }],
    [undefined, '', { ok: false, refusal: 'no_drill_day' }],
    ['2026-11-19', 'ä'.repeat(MOST_REMARKS), { ok: true }],
    ['2026-11-19', 'ä'.repeat(MOST_REMARKS + 1), { ok: false, refusal: 'remarks_too_long' }],
  ])('%s', (heldOn, remarks, expected) => {
    expect(readKeptDrill({ heldOn, remarks }, TODAY)).toMatchObject(expected);
  });
});
