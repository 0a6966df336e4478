// From the sources to the catalogues of `languages/`, and from there to what the program says: messages are found, get their ids,
// and are compiled, so that nothing is parsed when it runs.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, TYPE } from '@formatjs/icu-messageformat-parser';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
export const FOLDER = join(root, 'languages');
const CONTEXT_END = '\u0004';

/** `a1B2c3` → `{ defaultMessage, description? }`: what Weblate calls Format.JS JSON. */
export const readCatalogue = (name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8'));

/** A context stands in the description, between brackets, before the note for translators. */
export const contextOf = ({ description = '' }) => /^\[([^\]]+)\]/.exec(description)?.[1] ?? null;

export const keyOf = (entry) => {
  const context = contextOf(entry);
  return context === null ? entry.defaultMessage : context + CONTEXT_END + entry.defaultMessage;
};

export const idOf = (key) => createHash('sha256').update(key).digest('base64url').slice(0, 7);

/** A message without facts, forms and tags is its text. */
export function compile(message) {
  const pieces = compilePieces(parse(message, { captureLocation: false, requiresOtherClause: true }), null);
  if (pieces.length === 0) return '';
  return pieces.length === 1 && typeof pieces[0] === 'string' ? pieces[0] : pieces;
}

const compilePieces = (elements, counted) =>
  elements.map((element) => {
    switch (element.type) {
      case TYPE.literal:
        return element.value;
      case TYPE.argument:
        return { fact: element.value };
      case TYPE.pound:
        return { fact: counted };
      case TYPE.plural:
        if (element.offset !== 0) throw new Error('What is counted is said as it is: without an offset.');
        return {
          plural: element.value,
          offset: element.offset,
          ordinal: element.pluralType === 'ordinal',
          forms: compileForms(element, element.value),
        };
      case TYPE.select:
        return { select: element.value, forms: compileForms(element, counted) };
      case TYPE.tag:
        return { tag: element.value, inside: compilePieces(element.children, counted) };
      default:
        throw new Error('Numbers, dates and times are facts that are texts already.');
    }
  });

const compileForms = ({ options }, counted) =>
  Object.fromEntries(Object.entries(options).map(([name, { value }]) => [name, compilePieces(value, counted)]));

/** Of English only what is more than its text. */
export function compileEnglish(catalogue) {
  const all = Object.values(catalogue).map((entry) => [keyOf(entry), compile(entry.defaultMessage), entry]);
  return Object.fromEntries(
    all.filter(([, compiled, { defaultMessage }]) => compiled !== defaultMessage).map(([key, compiled]) => [key, compiled]),
  );
}

/** In the order of English, whose texts are not repeated; what is not translated is null. */
export const compileTranslations = (english, translations) =>
  Object.keys(english).map((id) => (translations[id]?.defaultMessage ? compile(translations[id].defaultMessage) : null));

/** The languages that were begun: `de`. */
export const listTranslations = () =>
  readdirSync(FOLDER)
    .filter((name) => /^[a-zA-Z-]+\.json$/.test(name) && name !== 'en.json')
    .map((name) => name.slice(0, -5));

const SHARE_OFFERED = 0.95;

/** A language is offered when nearly all is translated, and all that has a note: alarms, acknowledging and signing in. */
export function isOffered(english, translations) {
  const all = Object.entries(english);
  const missing = all.filter(([id]) => !translations[id]?.defaultMessage);
  return missing.length <= (1 - SHARE_OFFERED) * all.length && missing.every(([, entry]) => !hasNote(entry));
}

const hasNote = ({ description = '' }) => description.replace(/^\[[^\]]+\]/, '') !== '';

/**
 * All of `languages/`, as the module that the program imports; `said` holds the messages that are needed. Each but English is opened
 * when it is asked for: a start waits for none.
 */
export function makeModule(english = readCatalogue('en.json'), said = english) {
  const others = listTranslations()
    .map((tag) => [tag, readCatalogue(`${tag}.json`)])
    .filter(([, translations]) => isOffered(english, translations));
  const openers = others.map(
    ([tag, translations]) => `get ${JSON.stringify(tag)}() { return byKey(${read(compileTranslations(said, translations))}); }`,
  );
  return `let keys;
    const byKey = (texts) => {
      keys ??= ${read(Object.values(said).map(keyOf))};
      return Object.fromEntries(keys.map((key, at) => [key, texts[at]]).filter(([, text]) => text !== null));
    };
    export const catalogues = { en: ${read(compileEnglish(said))}, ${openers.join(', ')} };`;
}

/** A text that is read as a whole is read several times faster than as a program. */
const read = (value) => `JSON.parse(${JSON.stringify(JSON.stringify(value))})`;

const NAME = 'tocsin:languages';

/** For esbuild. */
export const languagesOfBundle = {
  name: 'languages',
  setup(build) {
    build.onResolve({ filter: /^tocsin:languages$/ }, () => ({ path: NAME, namespace: 'languages' }));
    build.onLoad({ filter: /.*/, namespace: 'languages' }, () => ({
      contents: makeModule(),
      loader: 'js',
      watchFiles: readdirSync(FOLDER).map((name) => join(FOLDER, name)),
    }));
  },
};

/** For browsers, which carry no more than they say: by the text of their bundle without it. */
export const languagesOfBrowser = (said) => ({
  name: 'languages',
  setup(build) {
    build.onResolve({ filter: /^tocsin:languages$/ }, () => ({ path: NAME, namespace: 'languages' }));
    build.onLoad({ filter: /.*/, namespace: 'languages' }, () => ({ contents: makeModule(readCatalogue('en.json'), pickSaid(said)), loader: 'js' }));
  },
});

const pickSaid = (said) => {
  const text = said.replaceAll('\\', '');
  const isSaid = ({ defaultMessage }) => ["'", '"', '`'].some((quote) => text.includes(quote + defaultMessage + quote));
  return Object.fromEntries(Object.entries(readCatalogue('en.json')).filter(([, entry]) => isSaid(entry)));
};

let ofTests;

/** For tests: English as it stands in the sources when they begin; found once for all projects. */
export const languagesOfTests = {
  name: 'languages',
  resolveId: (name) => (name === NAME ? `\0${NAME}` : null),
  load: async (name) => {
    if (name !== `\0${NAME}`) return null;
    ofTests ??= import('./extract-messages.mjs').then(({ extract }) => makeModule(extract()));
    return ofTests;
  },
};
