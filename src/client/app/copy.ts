// The buttons beside what people take along: a secret, a command, an address.

/** Where the page came without encryption, as in many labs, browsers only copy what is selected. */
async function copy(from: HTMLElement): Promise<boolean> {
  const text = from.textContent ?? '';
  if (window.isSecureContext)
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  window.getSelection()?.selectAllChildren(from);
  return document.execCommand('copy');
}

export function offerCopying(): void {
  document.addEventListener('click', async ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-copy]') : null;
    const from = button?.parentElement?.querySelector('code');
    if (!button || !from || !(await copy(from))) return;
    button.textContent = button.dataset.copied ?? '';
  });
}
