import { expect, test } from 'vitest';
import { foldRows } from './fold-rows.ts';

const row = (name: string, locationId: number | null, isUnheard = false) => ({
  name,
  organizationId: 1,
  locationId,
  isUnheard,
  since: { iso: `2026-11-15T0${isUnheard ? name.slice(-1) : 9}:00:00.000+00:00` },
});
const hall = (isUnheard = false) => [1, 2, 3, 4, 5].map((nth) => row(`hall ${nth}`, 7, isUnheard));
const say = (rows: ReturnType<typeof row>[]) =>
  foldRows(rows).map((block) => `${block.place ?? 'each'}: ${block.rows.map(({ name }) => name).join(', ')}`);

test('many of one place fold where the worst of them stands', () => {
  const [first, ...others] = hall();
  expect(say([row('lone', null), first as ReturnType<typeof row>, row('other', 8), ...others])).toEqual([
    'each: lone',
    '1-7: hall 1, hall 2, hall 3, hall 4, hall 5',
    'each: other',
  ]);
});

test.each([
  ['few of one place', hall().slice(1).concat(row('other', 8))],
  ['all of one place', hall()],
  ['many that stand nowhere', hall().map((one) => ({ ...one, locationId: null }))],
])('%s stay one by one, in their order', (_, rows) => {
  expect(foldRows(rows)).toEqual([{ place: null, rows }]);
});

test('what nobody has taken on yet is open', () => {
  const rows = (isUnheard: boolean) => [...hall(isUnheard), row('other', 8)];
  expect(foldRows(rows(false))).toMatchObject([{ opensBy: null }, {}]);
  expect(foldRows(rows(true))).toMatchObject([{ opensBy: '2026-11-15T05:00:00.000+00:00' }, {}]);
});

test('of nothing there is nothing', () => {
  expect(foldRows([])).toEqual([]);
});
