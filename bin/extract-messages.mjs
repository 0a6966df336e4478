// Finds what is said in the sources. `npm run words` writes it to `languages/`.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';
import { FOLDER, idOf, keyOf, listTranslations, readCatalogue } from './languages.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** Which argument is the message. */
const SAYING = { say: 0, message: 0, sayAs: 1, sayParts: 0, sayWith: 1 };
const NOTE = /For translators: (.+)/;

/** Of one source: each message with its context and the note above it. */
export function findMessages(file, text) {
  const found = [];
  const { program, comments } = parseSync(file, text);
  const notes = comments
    .map(({ value, end }) => ({ note: NOTE.exec(value.replace(/\s*\n\s*\*?\s*/g, ' '))?.[1]?.trim(), end }))
    .filter(({ note }) => note);
  const lineOf = (at) => text.slice(0, at).split('\n').length;
  const noteAt = (start) => {
    const line = lineOf(start);
    return notes.find(({ end }) => end <= start && line - lineOf(end) <= 1)?.note;
  };
  const visit = (node) => {
    if (!node || typeof node !== 'object') return;
    if (Array.isArray(node)) return node.forEach(visit);
    if (node.type === 'CallExpression') {
      const name = node.callee.property?.name ?? node.callee.name;
      const at = Object.hasOwn(SAYING, name) ? node.arguments[SAYING[name]] : undefined;
      const context = name === 'sayAs' ? textsOf(node.arguments[0])[0] : undefined;
      for (const message of textsOf(at)) found.push({ message, context, note: noteAt(node.start) });
    }
    for (const [key, value] of Object.entries(node)) if (key !== 'type' && typeof value === 'object') visit(value);
  };
  visit(program);
  return found;
}

/** A literal, or either side of a choice between such. */
function textsOf(node) {
  if (!node) return [];
  if (node.type === 'Literal' && typeof node.value === 'string') return [node.value];
  if (node.type === 'TemplateLiteral' && node.expressions.length === 0) return [node.quasis[0].value.cooked];
  if (node.type === 'ConditionalExpression') return [...textsOf(node.consequent), ...textsOf(node.alternate)];
  if (node.type === 'ParenthesizedExpression' || node.type === 'TSAsExpression') return textsOf(node.expression);
  return [];
}

/** English, by id, in the order of the sources. */
export function extract(folder = join(root, 'src')) {
  const catalogue = {};
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .sort();
  for (const name of files) {
    const text = readFileSync(join(folder, name), 'utf8');
    if (!/language|\benglish\b/i.test(text)) continue;
    for (const { message, context, note } of findMessages(name, text)) {
      const description = [context && `[${context}]`, note].filter(Boolean).join(' ');
      const entry = { defaultMessage: message, ...(description && { description }) };
      const id = idOf(keyOf(entry));
      const known = catalogue[id];
      if (known && keyOf(known) !== keyOf(entry)) throw new Error(`Two messages have the id ${id}.`);
      if (!known?.description) catalogue[id] = entry;
    }
  }
  return catalogue;
}

/** A language keeps what it has of the messages there are, in the order of English; what is missing is empty. */
export function renew(english, translations) {
  return Object.fromEntries(
    Object.entries(english).map(([id, { description }]) => [
      id,
      { defaultMessage: translations[id]?.defaultMessage ?? '', ...(description && { description }) },
    ]),
  );
}

export const writeCatalogue = (name, catalogue) =>
  writeFileSync(join(FOLDER, name), `${JSON.stringify(catalogue, null, 2)}\n`);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const english = extract();
  writeCatalogue('en.json', english);
  for (const tag of listTranslations()) {
    const name = `${tag}.json`;
    const renewed = renew(english, readCatalogue(name));
    writeCatalogue(name, renewed);
    const missing = Object.values(renewed).filter(({ defaultMessage }) => defaultMessage === '').length;
    process.stdout.write(`${name}: ${missing} of ${Object.keys(renewed).length} are not translated\n`);
  }
  process.stdout.write(`en.json: ${Object.keys(english).length} messages\n`);
}
