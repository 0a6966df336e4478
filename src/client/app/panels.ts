// A panel that was opened in its place can be closed again; the focus goes back to what opened it.

export function closePanels(): void {
  document.body.addEventListener('htmx:afterSwap', (event) => {
    const panel = (event.target as Element).closest('[data-panel]');
    if (!panel) return;
    for (const button of panel.querySelectorAll<HTMLElement>('[data-close]')) button.hidden = false;
    panel.querySelector<HTMLElement>('input:not([type=hidden]), select')?.focus();
  });
  document.body.addEventListener('click', (event) => {
    const panel = (event.target as Element).closest('[data-close]')?.closest('[data-panel]');
    if (panel) closePanel(panel);
  });
  document.body.addEventListener('keydown', (event) => {
    const panel = event.key === 'Escape' ? (event.target as Element).closest('[data-panel]') : null;
    if (panel) closePanel(panel);
  });
}

/** The menu of the page works without a script; with one it gets out of the way by itself. */
export function closeMenu(): void {
  const menu = document.querySelector<HTMLDetailsElement>('.menu');
  document.body.addEventListener('click', ({ target }) => {
    if (menu?.open && !menu.contains(target as Node)) menu.open = false;
  });
  menu?.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return;
    menu.open = false;
    menu.querySelector('summary')?.focus();
  });
}

function closePanel(panel: Element): void {
  panel.replaceChildren();
  document.querySelector<HTMLElement>(`[hx-target="#${panel.id}"]`)?.focus();
}
