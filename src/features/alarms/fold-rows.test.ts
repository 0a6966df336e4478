import { expect, test } from 'vitest';
import { foldRows } from './fold-rows.ts';

interface Given {
  isUnheard?: boolean;
  sourceName?: string;
}

const row = (name: string, locationId: number | null, { isUnheard = false, sourceName }: Given = {}) => ({
  name,
  organizationId: 1,
  locationId,
  sourceName: sourceName ?? null,
  isUnheard,
  since: { iso: `2026-11-15T0${isUnheard ? name.slice(-1) : 9}:00:00.000+00:00` },
});
const several = (name: string, locationOf: (nth: number) => number | null, given: Given = {}) =>
  [1, 2, 3, 4, 5].map((nth) => row(`${name} ${nth}`, locationOf(nth), given));
const hall = (given: Given = {}) => several('hall', () => 7, given);
const say = (rows: ReturnType<typeof row>[]) =>
  foldRows(rows).map((block) => `${block.key ?? 'each'}: ${block.rows.map(({ name }) => name).join(', ')}`);

test('many of one place fold where the worst of them stands', () => {
  const [first, ...others] = hall();
  expect(say([row('lone', null), first as ReturnType<typeof row>, row('other', 8), ...others])).toEqual([
    'each: lone',
    'place-1-7: hall 1, hall 2, hall 3, hall 4, hall 5',
    'each: other',
  ]);
});

test('many that fall silent behind one source fold, wherever they stand; the rest of their places stays', () => {
  const silent = several('silent', (nth) => nth, { sourceName: 'Gateway' });
  expect(say([row('warm', 1), ...silent, row('lone', 2, { sourceName: 'Other' })])).toEqual([
    'each: warm',
    'source-1-Gateway: silent 1, silent 2, silent 3, silent 4, silent 5',
    'each: lone',
  ]);
  const [one, ...fewer] = hall();
  expect(
    say([
      one as ReturnType<typeof row>,
      ...fewer.slice(1),
      ...silent.map((it) => ({ ...it, locationId: 7 })),
    ]),
  ).toEqual([
    'each: hall 1, hall 3, hall 4, hall 5',
    'source-1-Gateway: silent 1, silent 2, silent 3, silent 4, silent 5',
  ]);
});

test.each([
  ['few of one place', hall().slice(1).concat(row('other', 8))],
  ['all of one place', hall()],
  ['many that stand nowhere', hall().map((one) => ({ ...one, locationId: null }))],
])('%s stay one by one, in their order', (_, rows) => {
  expect(foldRows(rows)).toEqual([{ key: null, rows }]);
});

test('what nobody has taken on yet is open', () => {
  const rows = (isUnheard: boolean) => [...hall({ isUnheard }), row('other', 8)];
  expect(foldRows(rows(false))).toMatchObject([{ opensBy: null }, {}]);
  expect(foldRows(rows(true))).toMatchObject([{ opensBy: '2026-11-15T05:00:00.000+00:00' }, {}]);
});

test('of nothing there is nothing', () => {
  expect(foldRows([])).toEqual([]);
});
