import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { english } from '../language/english.ts';
import {
  ALL_GUIDANCE_FIELDS,
  findGuidance,
  GUIDANCE_LEVELS,
  type Guidance,
  NO_GUIDANCE,
  readGuidance,
  sayGuidanceFault,
  valuesOf,
} from './guidance.ts';
import { dialOf, readPhones, writePhones } from './phones.ts';

const say = (rest: Partial<Guidance>): Guidance => ({ ...NO_GUIDANCE, ...rest });

describe('where each part comes from', () => {
  test("a unit's own wins over its template's, and that over its location's, field by field", () => {
    const found = findGuidance({
      service: say({ owner: 'Ada' }),
      template: say({ owner: 'Nobody', whatToDo: 'Close the door' }),
      location: say({ whatToDo: 'Leave the room', phones: '112' }),
    });
    expect(found).toEqual({
      owner: { value: 'Ada', from: 'service' },
      whatToDo: { value: 'Close the door', from: 'template' },
      phones: { value: '112', from: 'location' },
      contents: null,
      valueClass: null,
    });
    expect(valuesOf(found).phones).toBe('112');
  });

  test('is always the first level that says something', () => {
    const part = fc.option(fc.string({ minLength: 1 }));
    const guidance = fc.option(
      fc.record(Object.fromEntries(ALL_GUIDANCE_FIELDS.map((field) => [field, part]))),
    ) as fc.Arbitrary<Guidance | null>;
    fc.assert(
      fc.property(fc.record({ service: guidance, template: guidance, location: guidance }), (said) => {
        const found = findGuidance(said);
        for (const field of ALL_GUIDANCE_FIELDS) {
          const level = GUIDANCE_LEVELS.find((one) => said[one]?.[field] != null);
          expect(found[field]?.from).toBe(level);
          expect(found[field]?.value).toBe(level && said[level]?.[field]);
        }
      }),
    );
  });
});

describe('what is typed', () => {
  test('blank says nothing, line ends are those of the database', () =>
    expect(readGuidance({ whatToDo: ' \r\n', contents: 'a\r\nb ', phones: '' })).toEqual({
      ok: true,
      value: say({ contents: 'a\nb' }),
    }));

  test.each([
    [{ whatToDo: 'x'.repeat(4_001) }, 'This is too long: at most 4000 characters.'],
    [{ valueClass: 'D' }, 'Choose A, B or C, or none.'],
    [{ phones: 'Porter' }, 'On each line write whom to call and the number, such as Porter: +49 30 1234.'],
    [{ phones: '1111\n'.repeat(9) }, 'Give at most 8 numbers, each on a line of its own.'],
    [{ owner: 'a\0' }, 'There are characters in it that cannot be stored.'],
  ])('%j is refused', (typed, sentence) => {
    const read = readGuidance(typed);
    expect(!read.ok && sayGuidanceFault(read.refusal, english).replace(',', '')).toBe(
      sentence.replace(',', ''),
    );
  });
});

describe('telephone numbers', () => {
  test.each([
    ['Porter: +49 30 1234', 'Porter', 'tel:+49301234'],
    ['+49 (30) 1234-5 Porter', 'Porter', 'tel:+493012345'],
    ['Room 104: 4711', 'Room 104', 'tel:4711'],
    ['112', '', 'tel:112'],
  ])('%s', (line, name, dial) => {
    const read = readPhones(line);
    expect(read.ok && read.value.map((phone) => [phone.name, dialOf(phone)])).toEqual([[name, dial]]);
  });

  test('what is written is read as the same', () =>
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[A-Za-z ]{0,12}[:,-]? ?\+?\d{3,9}[A-Za-z ]{0,8}$/), { maxLength: 8 }),
        (lines) => {
          const read = readPhones(lines.join('\n'));
          if (!read.ok) throw new Error(read.refusal);
          const written = writePhones(read.value);
          expect(readPhones(written)).toEqual(read);
        },
      ),
    ));
});
