// Something shown over the page that is open: gone with Escape, with a click beside it, or with its button.
import { pageLanguage } from './page-language.ts';

export function showOver(label: string, ...content: Node[]): HTMLDialogElement {
  const dialog = document.createElement('dialog');
  dialog.className = 'over';
  dialog.setAttribute('aria-label', label);
  const close = document.createElement('button');
  close.type = 'button';
  close.className = 'over-close';
  close.textContent = pageLanguage.say('Close');
  close.addEventListener('click', () => dialog.close());
  dialog.append(...content, close);
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close();
  });
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

export const isSomethingOver = (): boolean => document.querySelector('dialog[open]') !== null;

/** A click that opens another tab or window is none. */
export const isPlainClick = ({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean =>
  button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey;
