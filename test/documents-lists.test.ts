// Lists and numbers in documents are those of the program.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  LONGEST_ACKNOWLEDGED_MINUTES,
  SHORTEST_ACKNOWLEDGED_MINUTES,
} from '../src/domain/notifications/ladder.ts';
import { TRANSPORTS } from '../src/domain/on-call/recipient.ts';
import { PERSON_KINDS } from '../src/engine/providers/providers.ts';
import { PROGRAM_ROLES } from '../src/engine/self-watch/programs.ts';
import { WEBHOOK_KINDS } from '../src/engine/transports/webhook/kinds.ts';
import { projectRoot } from '../src/platform/project-root.ts';

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
const DOCUMENTS = [
  'README.md',
  'CHANGELOG.md',
  ...readdirSync(join(projectRoot, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const NUMBERS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
NUMBERS.push('eleven', 'twelve', 'thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen');

/** What stands in the first column of the table below a heading, in code spans. */
function firstColumn(path: string, heading: RegExp): string[] {
  const [, after = ''] = read(path).split(heading);
  const table = /(?:^\|.*\n)+/m.exec(after)?.[0] ?? '';
  return [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = '']) => name);
}

/** Every match in every document, with where it stands. */
const everywhere = (pattern: RegExp) =>
  DOCUMENTS.flatMap((path) =>
    [...read(path).matchAll(pattern)].map(([, found = '']) => [path, found] as const),
  );

describe('kinds of webhooks', () => {
  test('the table has each of them, in the order of the pages', () => {
    expect(firstColumn('docs/webhooks.md', /^# Webhooks$/m)).toEqual(WEBHOOK_KINDS.map(({ name }) => name));
  });

  test('whoever counts them counts right', () => {
    const counts = everywhere(/(\w+) kinds of webhooks?\b/gi).filter(([, word]) => NUMBERS.includes(word));
    expect(counts.length).toBeGreaterThan(0);
    for (const [path, word] of counts)
      expect([path, NUMBERS.indexOf(word)]).toEqual([path, WEBHOOK_KINDS.length]);
  });

  test('the schemes of their addresses are all named', () => {
    const schemes = new Set(WEBHOOK_KINDS.flatMap(({ protocols = ['http:', 'https:'] }) => protocols));
    const [, section = ''] = read('docs/webhooks.md').split('## Where webhooks may go');
    for (const scheme of schemes) expect(section).toContain(`\`${scheme}//\``);
  });
});

test('transports are all named, wherever one says what they are', () => {
  const [, said = ''] = /\| transport \| ([^|]*) \|/.exec(read('docs/glossary.md')) ?? [];
  for (const transport of TRANSPORTS) expect(said).toContain(transport);
  const [, ofRooms = ''] = /\| `engine\/transports` \| ([^|]*) \|/.exec(read('docs/architecture.md')) ?? [];
  expect(
    readdirSync(join(projectRoot, 'src/engine/transports')).filter((name) => !name.includes('.')),
  ).toEqual([...TRANSPORTS].sort());
  for (const word of ['mail', 'webhooks', 'contact methods']) expect(ofRooms).toContain(word);
});

describe('roles of programs', () => {
  test('the table has each of them', () => {
    expect(firstColumn('docs/several-programs.md', /^## Setting it up$/m)).toEqual([...PROGRAM_ROLES]);
  });

  test('whoever lists them lists all', () => {
    const lists = everywhere(/--roles ([a-z]+(?:,[a-z]+)+)/g);
    expect(lists.map(([path]) => path)).toContain('README.md');
    for (const [path, list] of lists) expect([path, list]).toEqual([path, PROGRAM_ROLES.join(',')]);
  });
});

test('the range of acknowledged_minutes is said with it', () => {
  for (const path of ['docs/on-call.md', 'docs/lab-file.md'])
    expect(read(path).replaceAll(/\s+/g, ' ')).toMatch(
      new RegExp(
        `\`acknowledged_minutes\`[\\s\\S]{0,200}\\b${SHORTEST_ACKNOWLEDGED_MINUTES} to ${LONGEST_ACKNOWLEDGED_MINUTES}\\b`,
      ),
    );
});

test('every way to a person is named', () => {
  const [, section = ''] = read('docs/on-call.md').split('## How a person is told');
  for (const { label } of Object.values(PERSON_KINDS))
    expect(section.toLowerCase()).toContain(label.toLowerCase());
});
