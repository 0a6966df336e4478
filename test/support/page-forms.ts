// The forms of a page as a browser reads them: where each leads, what stands in it, and what it offers to choose from.

export interface Choice {
  name: string;
  value: string;
  /** What people read. */
  label: string;
}

export interface PageForm {
  action: string;
  method: string;
  /** What a browser sends if nothing is touched. */
  untouched: Record<string, string>;
  /** Of selections, radio buttons and suggestions, in their order; a box that can be ticked has one value. */
  choices: Map<string, Choice[]>;
  boxes: Map<string, Choice>;
  /** What a browser does not send without: by name, of which type. */
  required: Map<string, string>;
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", apos: "'" };
const toText = (text: string): string =>
  text.replaceAll(/&(\w+|#\d+);/g, (all, name: string) => ENTITIES[name] ?? all);
const wordsOf = (html: string): string =>
  toText(html.replaceAll(/<[^>]*>/g, ' '))
    .replaceAll(/\s+/g, ' ')
    .trim();

function attributesOf(tag: string): Map<string, string> {
  const pairs = tag.matchAll(/\s([\w:-]+)(?:="([^"]*)")?/g);
  return new Map([...pairs].map(([, name = '', value = '']) => [name, toText(value)]));
}

/** Times are typed. */
const TYPED: Record<string, string> = { 'typed-time': 'day and time', 'typed-clock': 'time' };

export function readForms(html: string): PageForm[] {
  const suggested = new Map(
    [...html.matchAll(/<datalist id="([^"]*)">([\s\S]*?)<\/datalist>/g)].map(([, id = '', inside = '']) => [
      id,
      [...inside.matchAll(/<option\b[^>]*>/g)].map(([tag]) => attributesOf(tag).get('value') ?? ''),
    ]),
  );
  return [...html.matchAll(/(<form\b[^>]*>)([\s\S]*?)<\/form>/g)].map(([, head = '', inside = '']) =>
    readForm(attributesOf(head), inside, suggested),
  );
}

function readForm(
  head: Map<string, string>,
  inside: string,
  suggested: ReadonlyMap<string, readonly string[]>,
): PageForm {
  const untouched: Record<string, string> = {};
  const choices = new Map<string, Choice[]>();
  const boxes = new Map<string, Choice>();
  const required = new Map<string, string>();
  const offer = (choice: Choice) => choices.set(choice.name, [...(choices.get(choice.name) ?? []), choice]);

  for (const [, selectHead = '', options = ''] of inside.matchAll(/(<select\b[^>]*>)([\s\S]*?)<\/select>/g)) {
    const name = attributesOf(selectHead).get('name') ?? '';
    for (const [, optionHead = '', words = ''] of options.matchAll(
      /(<option\b[^>]*>)([\s\S]*?)<\/option>/g,
    )) {
      const attributes = attributesOf(optionHead);
      const value = attributes.get('value') ?? wordsOf(words);
      offer({ name, value, label: wordsOf(words) });
      if (attributes.has('selected') || untouched[name] === undefined) untouched[name] = value;
    }
  }
  for (const [, areaHead = '', text = ''] of inside.matchAll(/(<textarea\b[^>]*>)([\s\S]*?)<\/textarea>/g))
    untouched[attributesOf(areaHead).get('name') ?? ''] = toText(text).replace(/^\n/, '');
  for (const [tag, , words = ''] of inside.matchAll(/(<input\b[^>]*>)([^<]*)/g)) {
    const attributes = attributesOf(tag.slice(0, tag.indexOf('>') + 1));
    const name = attributes.get('name');
    if (name === undefined) continue;
    const type = attributes.get('type') ?? TYPED[attributes.get('class') ?? ''] ?? 'text';
    const isMark = type === 'checkbox' || type === 'radio';
    const value = attributes.get('value') ?? (isMark ? 'on' : '');
    if (type === 'checkbox') boxes.set(name, { name, value, label: wordsOf(words) });
    if (type === 'radio') offer({ name, value, label: wordsOf(words) });
    if (!isMark || attributes.has('checked')) untouched[name] = value;
    if (attributes.has('required')) required.set(name, type);
    for (const one of suggested.get(attributes.get('list') ?? '') ?? [])
      offer({ name, value: one, label: one });
  }
  return {
    action: (head.get('action') ?? '').replace(/#.*$/, ''),
    method: (head.get('method') ?? 'get').toLowerCase(),
    untouched,
    choices,
    boxes,
    required,
  };
}

/** The only form of the page that leads there. */
export function formTo(html: string, action: RegExp, has: Record<string, string> = {}): PageForm {
  const found = readForms(html).filter(
    (form) =>
      action.test(form.action) &&
      Object.entries(has).every(([name, value]) => form.untouched[name] === value),
  );
  const [form] = found;
  if (!form || found.length > 1)
    throw new Error(
      `${found.length} forms lead to ${action}: ${readForms(html)
        .map((one) => one.action)
        .join(' ')}`,
    );
  return form;
}
