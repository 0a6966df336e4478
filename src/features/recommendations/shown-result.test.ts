import { describe, expect, test } from 'vitest';
import { readBacktest, readReasoning } from './shown-result.ts';

describe('the reasoning', () => {
  test.each<[unknown, string[]]>([
    ['It is cold.', ['It is cold.']],
    [
      ['It is cold.', 'It stays cold.'],
      ['It is cold.', 'It stays cold.'],
    ],
    [undefined, []],
    [null, []],
    ['  ', []],
    [[], []],
    [42, ['42']],
    [false, ['false']],
    [{ why: 'cold' }, ['{"why":"cold"}']],
    [
      ['cold', { p99: -78 }, null, 7, ['nested']],
      ['cold', '{"p99":-78}', '7', '["nested"]'],
    ],
  ])('%j is shown as %j', (reasoning, shown) => {
    expect(readReasoning({ reasoning })).toEqual(shown);
  });

  test('what is nested deeper than the stack is not shown, and harms nobody', () => {
    const deep = JSON.parse(`{"reasoning":{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}}`);
    expect(readReasoning(deep)).toEqual([]);
  });
});

describe('the backtest', () => {
  const figures = { alarms: 3, alarm_minutes: 41.5, longest_minutes: 20 };
  const whole = {
    from: '2026-10-16T03:00:00.000+00:00',
    to: '2026-11-15T03:00:00.000+00:00',
    readings: 43200,
    current: figures,
    proposed: { ...figures, alarms: 1 },
  };

  test('is read as it is', () => {
    expect(readBacktest({ backtest: whole })).toEqual({
      ...whole,
      from: new Date('2026-10-16T03:00:00Z'),
      to: new Date('2026-11-15T03:00:00Z'),
    });
  });

  test.each([
    [undefined],
    [null],
    [7],
    ['good'],
    [[]],
    [{}],
    [{ ...whole, current: undefined }],
    [{ ...whole, proposed: null }],
    [{ ...whole, proposed: { ...figures, alarms: 'many' } }],
    [{ ...whole, current: { ...figures, longest_minutes: undefined } }],
  ])('counts as none: %j', (backtest) => {
    expect(readBacktest({ backtest })).toBeNull();
  });

  test.each([[7], ['yesterday'], ['2026-13-45T00:00:00Z'], ['+275760-09-13T00:00:00Z'], [null]])(
    'without its span when that is %j',
    (from) => {
      expect(readBacktest({ backtest: { ...whole, from, readings: 'all' } })).toMatchObject({
        from: null,
        readings: null,
        current: figures,
      });
    },
  );
});
