// Every kind of webhook, for everything that can be told, against the rules that receivers publish.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { digestOf, flood, letterOf, NOTICES, PUBLIC_URL } from '../../../../test/support/notices.ts';
import { findBrokenRules } from '../../../../test/support/webhook-rules.ts';
import { projectRoot } from '../../../platform/project-root.ts';
import type { Letter } from '../../letters/letter.ts';
import { kindNamed, WEBHOOK_KIND_NAMES, type WebhookKind } from './kinds.ts';

const now = new Date('2026-11-15T02:05:01Z');
const recipient = (kind: WebhookKind) => ({
  id: 1,
  kind,
  url: 'https://hooks.example/cold-team',
  secret: 'R0uting',
});

const shape = (kind: WebhookKind, letter: Letter) =>
  kindNamed(kind).shape(letter, recipient(kind), { publicUrl: PUBLIC_URL, now });

function breakRules(kind: WebhookKind, letter: Letter): string[] {
  const posts = shape(kind, letter);
  expect(posts.length).toBeGreaterThan(0);
  return posts.flatMap(({ url, headers, body }) => findBrokenRules(kind, { url, headers, text: body }));
}

const LETTERS: [what: string, letter: Letter][] = [
  ...Object.entries(NOTICES).map(([told, notice]): [string, Letter] => [told, letterOf(notice)]),
  ['what has no message', letterOf({ ...NOTICES.acknowledgement, message: '', said: '', comment: ' ' })],
  ['a digest of 6', digestOf(6)],
  ['a digest of 500', digestOf(500)],
  ['a digest of everything', letterOf(NOTICES.critical, ...Object.values(NOTICES))],
  ...['x', '<&>', '"\\', '\u0001', '你好', '👩‍🔬', '*_[a](b)`~|'].map((text): [string, Letter] => [
    `endless ${JSON.stringify(text)}`,
    letterOf(flood(text.repeat(5_000))),
  ]),
  [
    'a digest of endless ones',
    letterOf(flood('👩‍🔬&'.repeat(900)), ...Array(60).fill(flood('"&<'.repeat(900)))),
  ],
];

describe.each(WEBHOOK_KIND_NAMES)('%s', (kind) => {
  test.each(LETTERS)('takes %s', (_, letter) => expect(breakRules(kind, letter)).toEqual([]));

  test('takes whatever people type', () => {
    const typed = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 300 })
      .filter((text) => text.trim() !== '');
    fc.assert(
      fc.property(typed, (text) => {
        expect(breakRules(kind, letterOf(flood(text)))).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });

  test('says the same in every attempt', () => {
    const later = { publicUrl: PUBLIC_URL, now: new Date(now.getTime() + 60_000) };
    for (const [, letter] of LETTERS) {
      const again = kindNamed(kind).shape(letter, recipient(kind), later);
      expect(again.map(({ body, part }) => [body, part])).toEqual(
        shape(kind, letter).map(({ body, part }) => [body, part]),
      );
    }
  });
});

test.each(WEBHOOK_KIND_NAMES)('a post to %s knows which part of its letter it is', (kind) => {
  const parts = shape(kind, digestOf(6)).map(({ part }) => part);
  expect(new Set(parts).size).toBe(parts.length);
});

test.each(WEBHOOK_KIND_NAMES)('the documentation has a line for %s', (kind) => {
  const page = readFileSync(join(projectRoot, 'docs/webhooks.md'), 'utf8');
  expect(page).toContain(`| \`${kind}\` | `);
});
