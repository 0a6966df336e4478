// Brings a live part of a page to what the server says now, and leaves alone what somebody is at: a form that is
// being filled in, the focus.
import { takeUp } from './htmx.ts';

/** As the server wrote it: what scripts changed since then is no difference. */
const written = new WeakMap<Element, string>();

export function rememberAsWritten(root: Element): void {
  for (const part of root.querySelectorAll('[data-part]')) written.set(part, part.outerHTML);
}

/** Parts are told apart by their `data-part`; those that hold parts themselves are lists, patched part by part. */
export function patch(old: Element, fresh: Element): void {
  const focused = document.activeElement;
  patchParts(old, fresh);
  if (focused instanceof HTMLElement && focused !== document.activeElement && focused.isConnected)
    focused.focus({ preventScroll: true });
}

const nameOf = (element: Element) => element.getAttribute('data-part');
const isList = (element: Element) => element.querySelector(':scope [data-part]') !== null;

function patchParts(old: Element, fresh: Element): void {
  const known = new Map<string | null, Element>();
  for (const part of listParts(old)) known.set(nameOf(part), part);
  const parent = listParts(old)[0]?.parentElement ?? null;
  const freshParts = listParts(fresh);
  // Nothing to hold on to, such as the first alarm after a quiet night.
  if (!parent || freshParts.length === 0 || freshParts[0]?.parentElement?.tagName !== parent.tagName)
    return void replaceContent(old, fresh);

  const stay = new Set(freshParts.map(nameOf));
  for (const [name, part] of known) if (!stay.has(name) && !isBusy(part)) part.remove();
  let place: Element | null = parent.firstElementChild;
  for (const part of freshParts) {
    const own = known.get(nameOf(part));
    const kept = own ? bringUpToDate(own, part) : adopt(part);
    if (kept === place || (own === place && kept !== own)) place = kept.nextElementSibling;
    else parent.insertBefore(kept, place);
  }
}

/** The nearest parts below, not those within them. */
const listParts = (root: Element): Element[] =>
  [...root.querySelectorAll('[data-part]')].filter(
    (part) => part.parentElement?.closest('[data-part]') === (root.closest('[data-part]') ?? null),
  );

function bringUpToDate(own: Element, fresh: Element): Element {
  const text = fresh.outerHTML;
  if (written.get(own) === text) return own;
  if (isList(own) && isList(fresh)) {
    const opens = opensBy(fresh) > opensBy(own);
    for (const { name, value } of fresh.attributes)
      if ((name !== 'open' || opens) && own.getAttribute(name) !== value) own.setAttribute(name, value);
    patchParts(own, fresh);
    written.set(own, text);
    return own;
  }
  if (isBusy(own)) return own;
  const adopted = adopt(fresh);
  own.replaceWith(adopted);
  return adopted;
}

/** What somebody folded away stays so, until something newer in it has to be seen. */
const opensBy = (element: Element): string => element.getAttribute('data-opens') ?? '';

function adopt(fresh: Element): Element {
  const adopted = document.importNode(fresh, true);
  written.set(adopted, fresh.outerHTML);
  rememberAsWritten(adopted);
  takeUp(adopted);
  return adopted;
}

function replaceContent(old: Element, fresh: Element): void {
  if (isBusy(old)) return;
  old.replaceChildren(...[...fresh.childNodes].map((node) => document.importNode(node, true)));
  rememberAsWritten(old);
  takeUp(old);
}

/** Somebody is at it. */
export const isBusy = (element: Element): boolean =>
  element.matches('details[open]') ||
  [...element.querySelectorAll('input, textarea, select')].some(isTouched) ||
  (element.contains(document.activeElement) && document.activeElement?.matches('input, textarea, select')) ===
    true;

const isTouched = (field: Element): boolean =>
  (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) &&
  field.type !== 'hidden' &&
  field.value !== field.defaultValue;
