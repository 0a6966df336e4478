// What documents and comments say of the repository, as functions from texts to what is not so.
import { posix } from 'node:path';

/** Path from the root of the repository to the text. Those whose text is of no interest have an empty one. */
export type Texts = Record<string, string>;

export const CONTRACT = 'docs/contract.md';
const DECISIONS = 'docs/decisions/README.md';
const MAP = 'docs/architecture.md';

const isDocument = (path: string) => path.endsWith('.md');

const COMMENTS: [files: RegExp, comment: RegExp][] = [
  [/\.(tsx?|m?js|css)$/, /(?<![^\s{])\/\/.*|\/\*[\s\S]*?\*\//g],
  [/\.sql$/, /--.*/g],
  [/\.(ya?ml|env|service)$|Containerfile$|^\.ci\//, /(?<!\S)#.*/g],
];

/** Pictures name files, too. */
const withoutExamples = (text: string) =>
  text.replaceAll(/^```(\w*)[\s\S]*?^```/gm, (block, language) => (language === 'mermaid' ? block : ''));

/** A document is read whole, of everything else the comments; each on one line, for a citation may be broken. */
function proseOf(path: string, text: string): string {
  if (isDocument(path)) return withoutExamples(text).replaceAll(/\s+/g, ' ');
  const comment = COMMENTS.find(([files]) => files.test(path))?.[1];
  const comments = comment ? (text.match(comment) ?? []) : [];
  return comments
    .join('\n')
    .replaceAll(/\n\s*(\/\/|\*|--|#)?/g, ' ')
    .replaceAll(/\s+/g, ' ');
}

const faultsOf = (texts: Texts, rule: (prose: string, path: string) => string[]) =>
  Object.entries(texts).flatMap(([path, text]) =>
    [...new Set(rule(proseOf(path, text), path))].map((fault) => `${path}: ${fault}`),
  );

/** Within the repository, to a file, a heading or both. */
const LINK = /\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]+))?\)/g;

const FOLDERS =
  'src|test|docs|bench|bin|deploy|migrations|examples|scripts|domain|platform|engine|features|client';
const BEGINS = String.raw`(?<![\w@./:<*-])`;
const CITED_PATH = new RegExp(
  [
    String.raw`${BEGINS}(?:[\w-][\w.-]*/)*[\w-][\w.-]*\.(?:tsx?|m?js|md|sql|css|yaml|service)\b`,
    String.raw`${BEGINS}(?:${FOLDERS})/[\w./-]*`,
    '(?<=`)[a-z][\\w-]*/(?=`)',
  ].join('|'),
  'g',
);

const BUILT = /^(dist|node_modules)\b/;

/** Files and folders by their path, from the root or from further in, or by their name alone. */
export function findDeadPaths(texts: Texts): string[] {
  const known = new Set(Object.keys(texts).flatMap(placesOn));
  return faultsOf(texts, (prose) =>
    (prose.replaceAll(LINK, ']').match(CITED_PATH) ?? [])
      .map((path) => path.replace(/[./]+$/, ''))
      .filter((path) => !known.has(path) && !BUILT.test(path))
      .map((path) => `there is no ${path}`),
  );
}

/** Every run of its parts: a file is found by its name alone, a folder without what is in it. */
function placesOn(path: string): string[] {
  const parts = path.split('/');
  return parts.flatMap((_, from) =>
    parts.slice(from).map((_, more) => parts.slice(from, from + more + 1).join('/')),
  );
}

const headingsOf = (text: string) =>
  [...withoutExamples(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);

/** As the pages of a repository name it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

export const findDeadLinks = (texts: Texts) =>
  faultsOf(texts, (prose, path) =>
    isDocument(path) ? [...prose.matchAll(LINK)].flatMap((link) => findLinkFault(texts, path, link)) : [],
  );

function findLinkFault(texts: Texts, path: string, [, file = '', anchor]: string[]): string[] {
  const target = file === '' ? path : posix.join(posix.dirname(path), file).replace(/\/$/, '');
  const exists = Object.keys(texts).some((one) => one === target || one.startsWith(`${target}/`));
  if (!exists) return [`leads to ${target}, which is not there`];
  const anchors = headingsOf(texts[target] ?? '').map(anchorOf);
  return anchor === undefined || anchors.includes(anchor) ? [] : [`${target} has no #${anchor}`];
}

/** Code cites the contract by its name, a comma and a heading. */
export function findUnknownSections(texts: Texts): string[] {
  const headings = headingsOf(texts[CONTRACT] ?? '');
  const isKnown = (cited: string) =>
    headings.some((heading) => cited.startsWith(heading) && !/^[\w-]/.test(cited.slice(heading.length)));
  return faultsOf(texts, (prose, path) =>
    isDocument(path)
      ? []
      : [...prose.matchAll(/\bContract[,:] ?(.{0,40})/g)]
          .filter(([, cited = '']) => !isKnown(cited))
          .map(([citation]) => `"${citation}" is no section of ${CONTRACT}`),
  );
}

const decisionsIn = (texts: Texts) =>
  Object.keys(texts).flatMap((path) => {
    const name = /^docs\/decisions\/((\d{4})-.+\.md)$/.exec(path)?.[1];
    return name
      ? [{ name, number: Number(name.slice(0, 4)), title: headingsOf(texts[path] ?? '')[0] ?? '' }]
      : [];
  });

export function findUnknownDecisions(texts: Texts): string[] {
  const numbers = new Set(decisionsIn(texts).map(({ number }) => number));
  return faultsOf(texts, (prose) =>
    [...prose.matchAll(/\bdecisions?\s+\[?(\d+)/gi)]
      .filter(([, number]) => !numbers.has(Number(number)))
      .map(([, number]) => `there is no decision ${number}`),
  );
}

/** The index has each decision by its number and its own title. */
export const findUnlistedDecisions = (texts: Texts): string[] =>
  decisionsIn(texts).flatMap(({ name, number, title }) => {
    const line = `| [${number}](${name}) | ${title.replace(/^\d+\. /, '')} |`;
    return texts[DECISIONS]?.includes(line) ? [] : [`${DECISIONS}: no line that begins with "${line}"`];
  });

const ROOM = /^src\/((?:domain|platform|engine|features)\/[^/]+)\//;

/** Every folder directly under a floor has its line. */
export const findUnmappedRooms = (texts: Texts): string[] =>
  [...new Set(Object.keys(texts).flatMap((path) => ROOM.exec(path)?.[1] ?? []))]
    .filter((room) => !texts[MAP]?.includes(`\n| \`${room}\` |`))
    .map((room) => `${MAP}: no line for ${room}`);
