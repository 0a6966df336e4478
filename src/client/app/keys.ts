// Keys for whoever works without a mouse. They can be switched off: somebody who speaks to the browser presses many.
import { isPlainClick, isSomethingOver, showOver } from './over.ts';
import { openSearch } from './search.ts';

const SWITCH = 'tocsin.keys';
const PATIENCE_MS = 1500;

const areOn = (): boolean => localStorage.getItem(SWITCH) !== 'off';

export function offerKeys(): void {
  let pressedG = Number.NEGATIVE_INFINITY;
  document.addEventListener('keydown', (event) => {
    if (!isForUs(event) || !areOn() || isSomethingOver()) return;
    const isAfterG = performance.now() - pressedG < PATIENCE_MS;
    pressedG = event.key === 'g' ? performance.now() : Number.NEGATIVE_INFINITY;
    const act = isAfterG ? findPage(event.key) : KEYS[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[data-keys]') : null;
    if (!link || !isPlainClick(event)) return;
    event.preventDefault();
    void openList();
  });
  document.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement && target.closest('[data-keys-switch]'))
      localStorage.setItem(SWITCH, target.checked ? 'on' : 'off');
  });
  showSwitch(document);
}

const KEYS: Record<string, () => void> = { '/': openSearch, '?': () => void openList() };

/** Neither what is typed into a field nor what the browser or a screen reader has a use for. */
const isForUs = ({
  target,
  key,
  ctrlKey,
  metaKey,
  altKey,
  isComposing,
  repeat,
  defaultPrevented,
}: KeyboardEvent) =>
  key.length === 1 &&
  !(ctrlKey || metaKey || altKey || isComposing || repeat || defaultPrevented) &&
  !(target instanceof Element && target.closest('input, textarea, select, [contenteditable]'));

function findPage(letter: string): (() => void) | undefined {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('.page-header a[data-key]')];
  const link = links.find(({ dataset }) => dataset.key === letter);
  return link && (() => location.assign(link.href));
}

async function openList(): Promise<void> {
  const link = document.querySelector<HTMLAnchorElement>('a[data-keys]');
  if (!link || link.pathname === location.pathname) return;
  const answer = await fetch(link.href).catch(() => null);
  const page = answer?.ok ? new DOMParser().parseFromString(await answer.text(), 'text/html') : null;
  const content = page?.querySelector('[data-over-content]');
  if (!content) return location.assign(link.href);
  const title = document.createElement('h2');
  title.textContent = link.textContent;
  const own = document.importNode(content, true);
  showSwitch(own);
  showOver(link.textContent ?? '', title, own);
}

function showSwitch(root: ParentNode): void {
  const label = root.querySelector('[data-keys-switch]');
  const box = label?.querySelector('input');
  if (!label || !box) return;
  box.checked = areOn();
  label.classList.remove('needs-script');
}
