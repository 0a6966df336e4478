// Sends each form of some pages with what is refused, and at last as it stands: what a browser shows then.
import { type PageForm, readForms } from './page-forms.ts';
import type { VisitorBrowser } from './visitor.ts';
import { patternOf } from './walk-pages.ts';

/** No letter of English in them, so that whoever reads the answers knows what was typed. */
const REFUSED_VALUES = ['', '-1', '9'.repeat(400)];

/** What takes something away comes after what needs it. */
const rank = ({ action }: PageForm): number =>
  /delete|remove|revoke|archive|deactivate|forget|end|withdraw|cancel/.test(action) ? 1 : 0;

interface Answered {
  /** Which form, and what was typed in it. */
  sent: string;
  status: number;
  html: string;
}

export async function* tryForms(
  browser: VisitorBrowser,
  pages: Iterable<{ address: string; html: string }>,
): AsyncGenerator<Answered> {
  const forms = new Map<string, PageForm>();
  for (const { html } of pages)
    for (const form of readForms(html)) {
      const names = [
        ...new Set([...Object.keys(form.untouched), ...form.choices.keys(), ...form.boxes.keys()]),
      ];
      if (!form.action.endsWith('/logout'))
        forms.set(`${patternOf(form.action)} ${names.sort().join(' ')}`, form);
    }
  for (const form of [...forms.values()].sort((one, other) => rank(one) - rank(other)))
    for (const [sent, typed] of variantsOf(form))
      yield { sent: `${form.action} ${sent}`, ...(await send(browser, form, typed)) };
}

function* variantsOf({ untouched }: PageForm): Generator<[sent: string, typed: Record<string, string>]> {
  const names = Object.keys(untouched);
  if (names.length > 0 && !names.includes('language')) yield ['nothing', {}];
  const { language, ...rest } = untouched;
  const blank = Object.fromEntries(Object.keys(rest).map((name) => [name, '']));
  if (names.length > 0) yield ['blank', { ...blank, ...(language !== undefined && { language }) }];
  // What is chosen there is what the answer is read in.
  for (const name of names.filter((one) => one !== 'language'))
    for (const value of REFUSED_VALUES)
      yield [`${name}=${value.slice(0, 5)}`, { ...untouched, [name]: value }];
  yield ['as it stands', untouched];
}

async function send(
  browser: VisitorBrowser,
  { action, method }: PageForm,
  typed: Record<string, string>,
): Promise<Omit<Answered, 'sent'>> {
  const address = action || '/';
  const answer =
    method === 'get'
      ? await browser.open(`${address}?${new URLSearchParams(typed)}`)
      : await browser.send(address, typed);
  const next = answer.headers.get('location');
  const isPage = answer.headers.get('content-type')?.startsWith('text/html') ?? false;
  const html = next !== null ? await browser.read(next) : isPage ? await answer.text() : '';
  return { status: answer.status, html };
}
