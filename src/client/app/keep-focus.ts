/** What somebody pressed is replaced by what came of it: the keyboard goes on there, and not at the end of the page. */
export function keepFocus(): void {
  let wasWithin = false;
  document.body.addEventListener('htmx:beforeSwap', (event) => {
    const { target } = (event as CustomEvent<{ target: Element }>).detail;
    wasWithin = target.contains(document.activeElement);
  });
  document.body.addEventListener('htmx:afterSwap', ({ target }) => {
    if (!wasWithin || document.activeElement !== document.body || !(target instanceof HTMLElement)) return;
    wasWithin = false;
    // The part itself: a second press of the same key does nothing.
    target.tabIndex = -1;
    target.focus({ preventScroll: true });
  });
}
