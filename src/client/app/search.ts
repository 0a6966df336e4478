// The search over every page, which finds while somebody types.
import { leadToSignIn } from './failures.ts';
import { isPlainClick, isSomethingOver, showOver } from './over.ts';
import { pageLanguage } from './page-language.ts';

/** Between two letters of somebody who types fast. */
const PAUSE_MS = 120;

export function offerSearch(): void {
  const own = document.querySelector<HTMLElement>('main search:has(form[data-finds])');
  if (own) findWhileTyping(own);
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[data-search]') : null;
    if (!link || !isPlainClick(event)) return;
    event.preventDefault();
    openSearch();
  });
}

export function openSearch(): void {
  const own = document.querySelector<HTMLInputElement>('main form[data-finds] input');
  if (own) {
    own.select();
    return;
  }
  const link = document.querySelector<HTMLAnchorElement>('a[data-search]');
  if (!link || isSomethingOver()) return;
  const search = document.createElement('search');
  const form = document.createElement('form');
  form.action = link.href;
  const field = document.createElement('input');
  field.type = 'search';
  field.name = 'q';
  field.autocomplete = 'off';
  field.maxLength = 200;
  field.placeholder = pageLanguage.say('Equipment, places, people, groups, settings');
  field.setAttribute('aria-label', link.textContent ?? '');
  form.append(field);
  const count = document.createElement('p');
  count.className = 'muted';
  count.dataset.count = '';
  count.setAttribute('role', 'status');
  count.textContent = pageLanguage.say('Enter opens the first one, ↓ goes through them.');
  const found = document.createElement('div');
  found.dataset.found = '';
  search.append(form, count, found);
  showOver(link.textContent ?? '', search).classList.add('over-search');
  const renew = findWhileTyping(search);
  field.focus();
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const isTrue = await renew();
    const first = found.querySelector('a');
    if (isTrue && first) location.assign(first.href);
    else form.submit();
  });
}

/** Answers with what brings it up to what is typed, and says whether it is. */
function findWhileTyping(search: HTMLElement): () => Promise<boolean> {
  const form = search.querySelector('form');
  const field = search.querySelector<HTMLInputElement>('input[name="q"]');
  const count = search.querySelector('[data-count]');
  const found = search.querySelector('[data-found]');
  if (!form || !field || !count || !found) return async () => false;
  let shown = field.value.trim();
  let asked: AbortController | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function renew(): Promise<boolean> {
    clearTimeout(timer);
    asked?.abort();
    const typed = field?.value.trim() ?? '';
    if (typed === shown) return true;
    const own = new AbortController();
    asked = own;
    try {
      const answer = await fetch(`${form?.getAttribute('action')}?${new URLSearchParams({ q: typed })}`, {
        headers: { 'hx-request': 'true' },
        redirect: 'manual',
        signal: own.signal,
      });
      if (answer.type === 'opaqueredirect') leadToSignIn();
      if (!answer.ok) return false;
      const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
      if (own.signal.aborted || !count || !found) return false;
      count.textContent = fresh.querySelector('[data-count]')?.textContent ?? '';
      found.replaceChildren(...(fresh.querySelector('[data-found]')?.childNodes ?? []));
      shown = typed;
      return true;
    } catch {
      // Something newer was typed, or it is sent as a form, which says what is wrong.
      return false;
    }
  }

  field.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(renew, PAUSE_MS);
  });
  search.addEventListener('keydown', (event) => {
    const next = findNext(event.key, [...found.querySelectorAll('a')], field);
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
  return renew;
}

/** Down from the field to the first, up from there into the field. */
function findNext(key: string, links: HTMLElement[], field: HTMLElement): HTMLElement | undefined {
  const at = links.indexOf(document.activeElement as HTMLElement);
  if (key === 'ArrowDown') return links[at + 1];
  if (key === 'ArrowUp' && at >= 0) return links[at - 1] ?? field;
  return undefined;
}
