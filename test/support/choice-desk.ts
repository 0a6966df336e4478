// Tries what a form offers, one choice after the other, as a person with a browser does.
import type { Sql } from 'sql-template-tag';
import { textOf } from './page.ts';
import { type Choice, formTo, type PageForm } from './page-forms.ts';
import type { TestServer } from './test-server.ts';
import type { VisitorBrowser } from './visitor.ts';

export interface Try {
  /** Where the form stands. `turn`: the first choice is 0. */
  page: (turn: number) => string | Promise<string>;
  /** Where it leads. */
  action: RegExp;
  /** In brackets: a box to be ticked, or not. */
  field: string;
  /** What the person types beside it. */
  typed?: (choice: Choice, turn: number) => Record<string, string>;
  /** Which ask for another one. */
  leftOut?: readonly string[];
  /** Of very long lists: which are tried. */
  only?: (choices: Choice[]) => Choice[];
  /** Finds a row once it is stored. */
  stored: (choice: Choice, turn: number) => Sql;
  /** Words on the page that follows; left out: the form shows it as chosen. */
  shown?: (choice: Choice, turn: number) => string;
}

interface ChoiceDesk {
  db: TestServer['db'];
  browser: VisitorBrowser;
}

/** Answers with what was tried, and with what went wrong. */
export async function tryChoices(desk: ChoiceDesk, one: Try): Promise<{ tried: string[]; failed: string[] }> {
  const failed: string[] = [];
  // Where the choices stand, the first of them is tried.
  let form = formTo(await desk.browser.read(await one.page(0)), one.action);
  const choices = listChoices(form, one);
  for (const [turn, choice] of choices.entries()) {
    if (turn > 0) form = formTo(await desk.browser.read(await one.page(turn)), one.action);
    const fault = await tryChoice(desk, one, form, choice, turn);
    if (fault !== null) failed.push(`${choice.name}=${choice.value}: ${fault}`);
  }
  return { tried: choices.map(({ value }) => value), failed };
}

function listChoices({ boxes, choices }: PageForm, one: Try): Choice[] {
  const { leftOut = [], only = (all) => all } = one;
  const name = one.field.replaceAll(/[[\]]/g, '');
  const box = boxes.get(name);
  const offered = name === one.field ? (choices.get(name) ?? []) : box ? [box, { ...box, value: '' }] : [];
  return only(offered.filter(({ value }) => !leftOut.includes(value)));
}

async function tryChoice(
  { db, browser }: ChoiceDesk,
  one: Try,
  { action, untouched }: PageForm,
  choice: Choice,
  turn: number,
): Promise<string | null> {
  const { [choice.name]: _, ...rest } = untouched;
  const isUnticked = one.field.startsWith('[') && choice.value === '';
  const form = {
    ...rest,
    ...(isUnticked ? {} : { [choice.name]: choice.value }),
    ...one.typed?.(choice, turn),
  };
  const sent = await browser.send(action, form);
  const next = sent.headers.get('location');
  const html = next === null ? await sent.text() : await browser.read(next.replace(/#.*$/, ''));
  if (sent.status >= 400) return `${sent.status} ${findWords(html)}`;
  if ((await db.query(one.stored(choice, turn))).length === 0)
    return `${sent.status}, but it is not stored: ${findWords(html)}`;
  return isShown(html, one, choice, turn) ? null : `stored, but not shown: ${findWords(html)}`;
}

function isShown(html: string, one: Try, choice: Choice, turn: number): boolean {
  if (one.shown) return textOf(html).includes(one.shown(choice, turn));
  const { untouched } = formTo(html, one.action);
  return (untouched[choice.name] ?? '') === choice.value;
}

/** What a person reads about it. */
const findWords = (html: string): string => {
  const errors = [...html.matchAll(/class="(?:error|notice[^"]*)"[^>]*>([\s\S]*?)<\/(?:p|div)>/g)];
  return (errors.length > 0 ? errors.map(([, words = '']) => textOf(words)).join(' ') : textOf(html)).slice(
    0,
    300,
  );
};
