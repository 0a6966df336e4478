// The menu of the page works without a script; with one it gets out of the way by itself.
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
