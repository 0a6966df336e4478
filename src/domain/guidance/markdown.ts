// A small part of Markdown: paragraphs, lists, numbered steps, bold, and links by https and tel. All else stays as it was typed,
// for nothing here is ever taken for HTML.

export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'bold'; text: string }
  | { kind: 'link'; text: string; href: string };

export type Block =
  | { kind: 'paragraph'; lines: Inline[][] }
  | { kind: 'list'; items: Inline[][] }
  | { kind: 'steps'; first: number; items: Inline[][] };

const BULLET = /^ {0,3}[-*•]\s+(\S.*)$/;
const STEP = /^ {0,3}(\d{1,3})[.)]\s+(\S.*)$/;
const CONTINUED = /^ {2,}\S/;

interface OpenBlock {
  kind: Block['kind'];
  first: number;
  texts: string[];
}

export function parseMarkdown(markdown: string): Block[] {
  const blocks: OpenBlock[] = [];
  let isOpen = false;
  for (const line of markdown.split(/\r\n|\r|\n/)) {
    if (line.trim() === '') {
      isOpen = false;
      continue;
    }
    const last = isOpen ? blocks.at(-1) : undefined;
    isOpen = true;
    const { kind, first, text } = readLine(line);
    if (kind === 'paragraph' && last && last.kind !== 'paragraph' && CONTINUED.test(line))
      last.texts.push(`${last.texts.pop()} ${text}`);
    else if (last?.kind === kind) last.texts.push(text);
    else blocks.push({ kind, first, texts: [text] });
  }
  return blocks.map(({ kind, first, texts }): Block => {
    const items = texts.map((text) => parseInline(text.trimEnd()));
    if (kind === 'paragraph') return { kind, lines: items };
    return kind === 'list' ? { kind, items } : { kind, first, items };
  });
}

function readLine(line: string): { kind: Block['kind']; first: number; text: string } {
  const [, bullet] = BULLET.exec(line) ?? [];
  if (bullet !== undefined) return { kind: 'list', first: 1, text: bullet };
  const [, number, step] = STEP.exec(line) ?? [];
  if (step !== undefined) return { kind: 'steps', first: Number(number), text: step };
  return { kind: 'paragraph', first: 1, text: line.trim() };
}

const MARKS = /\*\*([^*\s](?:[^*]*[^*\s])?)\*\*|\[([^\][]{1,200})\]\(([^\s()<>"]{1,500})\)/g;

function parseInline(text: string): Inline[] {
  const parts: Inline[] = [];
  const addText = (plain: string) => {
    const last = parts.at(-1);
    if (last?.kind === 'text') last.text += plain;
    else if (plain !== '') parts.push({ kind: 'text', text: plain });
  };
  let end = 0;
  for (const found of text.matchAll(MARKS)) {
    const [whole, bold, label, href] = found;
    addText(text.slice(end, found.index));
    end = found.index + whole.length;
    if (bold !== undefined) parts.push({ kind: 'bold', text: bold });
    else if (label !== undefined && href !== undefined && isSafe(href))
      parts.push({ kind: 'link', text: label, href });
    else addText(whole);
  }
  addText(text.slice(end));
  return parts;
}

/** Nobody is led elsewhere than it looks: no name before the host, no other scheme. */
function isSafe(href: string): boolean {
  if (/^tel:\+?[\d.-]{2,30}$/.test(href)) return true;
  if (!href.startsWith('https://') || !URL.canParse(href)) return false;
  const { username, password } = new URL(href);
  return username === '' && password === '';
}

const sayInline = (parts: readonly Inline[]): string =>
  parts
    .map((part) => (part.kind === 'link' ? `${part.text} (${part.href.replace(/^tel:/, '')})` : part.text))
    .join('');

/** Line by line, where there is nothing but text. */
export const writePlain = (blocks: readonly Block[]): string =>
  blocks
    .map((block) => {
      if (block.kind === 'paragraph') return block.lines.map(sayInline).join('\n');
      return block.items
        .map((item, index) =>
          block.kind === 'list' ? `- ${sayInline(item)}` : `${block.first + index}. ${sayInline(item)}`,
        )
        .join('\n');
    })
    .join('\n\n');

/** All of it on one line, such as on a lock screen; cut at a word where it is too long. */
export function writeLine(markdown: string, most: number): string {
  const line = writePlain(parseMarkdown(markdown)).replaceAll(/\s+/g, ' ').trim();
  const characters = [...line];
  if (characters.length <= most) return line;
  const cut = characters.slice(0, most - 1).join('');
  const atWord = cut.lastIndexOf(' ');
  return `${(atWord > most / 2 ? cut.slice(0, atWord) : cut).trimEnd()}…`;
}
