import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readTemplate } from './value-template.ts';

test.each<[string, string[] | null]>([
  ['{{ value }}', []],
  ['  {{value|float}}  ', []],
  ['{{ value_json.t }}', ['t']],
  [`{{ value_json.a['b | c']["d"][0] | float | round(1, 'floor') }}`, ['a', 'b | c', 'd', '0']],
  ['{{ value_json | int }}', null],
  ['{{ value_json. }}', null],
  ['{{ value_json[] }}', null],
  [`{{ value_json['a }}`, null],
  ['{{ value_json.t * 2 }}', null],
  ['{{ value | round(1 }}', null],
  ['{{ value | upper }}', null],
  ['{{ value | integer }}', null],
  ['{{ value }} °C', null],
  ['{{ value', null],
  ['', null],
])('%s', (template, steps) => expect(readTemplate(template)).toEqual(steps));

test('whatever is sent is read from left to right, once', () => {
  expect(readTemplate(`{{ value ${'|int  '.repeat(80)}`)).toBe(null);
  expect(readTemplate(`{{ value ${'|int  '.repeat(80)}}}`)).toEqual([]);
  expect(readTemplate(`{{ value_json${"['a']".repeat(90)} }}`)).toHaveLength(90);
  expect(readTemplate(`{{ value_json.${'a'.repeat(500)} }}`)).toBe(null);
});

test('steps come back as they were written', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'Z', '0', '_'), minLength: 1, maxLength: 6 });
  const step = fc.oneof(
    word.map((name) => [`.${name}`, name] as const),
    word.map((name) => [`['${name}']`, name] as const),
    fc.nat(99).map((place) => [`[${place}]`, String(place)] as const),
  );
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), (steps) => {
      const template = `{{ value_json${steps.map(([written]) => written).join('')} | float }}`;
      expect(readTemplate(template)).toEqual(steps.map(([, name]) => name));
    }),
  );
});
