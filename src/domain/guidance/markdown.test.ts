import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Block, type Inline, parseMarkdown, writeLine, writePlain } from './markdown.ts';

const partsOf = (block: Block): Inline[] => (block.kind === 'paragraph' ? block.lines : block.items).flat();

describe('what is understood', () => {
  test.each<[string, string, Block[]]>([
    ['nothing', '  \n\n', []],
    [
      'a paragraph',
      'Close the door',
      [{ kind: 'paragraph', lines: [[{ kind: 'text', text: 'Close the door' }]] }],
    ],
    [
      'numbered steps that go on below a blank line',
      '1. Close\n2) Call\n\n7. Wait',
      [
        {
          kind: 'steps',
          first: 1,
          items: [[{ kind: 'text', text: 'Close' }], [{ kind: 'text', text: 'Call' }]],
        },
        { kind: 'steps', first: 7, items: [[{ kind: 'text', text: 'Wait' }]] },
      ],
    ],
    [
      'a list whose line goes on',
      '- Dry ice\n  in room 3\n* Gloves',
      [
        {
          kind: 'list',
          first: undefined,
          items: [[{ kind: 'text', text: 'Dry ice in room 3' }], [{ kind: 'text', text: 'Gloves' }]],
        } as unknown as Block,
      ],
    ],
    [
      'bold and links',
      'Call **now**: [Porter](tel:+49-30-1234), [plan](https://lab.example/plan)',
      [
        {
          kind: 'paragraph',
          lines: [
            [
              { kind: 'text', text: 'Call ' },
              { kind: 'bold', text: 'now' },
              { kind: 'text', text: ': ' },
              { kind: 'link', text: 'Porter', href: 'tel:+49-30-1234' },
              { kind: 'text', text: ', ' },
              { kind: 'link', text: 'plan', href: 'https://lab.example/plan' },
            ],
          ],
        },
      ],
    ],
  ])('%s', (_, markdown, blocks) => expect(parseMarkdown(markdown)).toEqual(blocks));

  test.each([
    '[x](javascript:alert(1))',
    '[x](http://lab.example)',
    '[x](data:text/html,x)',
    '[x](https://lab.example@evil.example/)',
    '[x](//evil.example)',
    '<b>bold</b>',
    '** not bold **',
  ])('%s stays as it was typed', (typed) =>
    expect(parseMarkdown(typed)).toEqual([{ kind: 'paragraph', lines: [[{ kind: 'text', text: typed }]] }]),
  );
});

describe('whatever is typed', () => {
  const piece = fc.constantFrom(
    '**',
    '*',
    '- ',
    '1. ',
    '[',
    ']',
    '(',
    ')',
    'https://',
    'tel:+49',
    '\n',
    '  ',
    '<script>',
    'a',
    '@',
    '\\',
  );
  const typed = fc.oneof(
    fc.string(),
    fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join('')),
  );

  test('links lead to https and tel alone', () =>
    fc.assert(
      fc.property(typed, (markdown) => {
        for (const part of parseMarkdown(markdown).flatMap(partsOf))
          if (part.kind === 'link') expect(part.href).toMatch(/^(https:\/\/[^@\s]+|tel:\+?[\d.-]+)$/);
      }),
    ));

  test('no letter is lost but marks', () =>
    fc.assert(
      fc.property(typed, (markdown) => {
        const plain = writePlain(parseMarkdown(markdown));
        for (const letter of new Set(markdown.replaceAll(/[\s*[\]()\-•\d.]/g, '')))
          expect(plain).toContain(letter);
      }),
    ));

  test('a line is one line and not longer than asked for', () =>
    fc.assert(
      fc.property(typed, fc.integer({ min: 2, max: 200 }), (markdown, most) => {
        const line = writeLine(markdown, most);
        expect([...line].length).toBeLessThanOrEqual(most);
        expect(line).not.toMatch(/[\r\n]/);
      }),
    ));
});
