// Boxes of a list: one for all of a page, and how many are ticked.
import { pageLanguage } from './page-language.ts';

export function countSelected(): void {
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.type !== 'checkbox') return;
    const form = target.closest('form.many');
    if (!form) return;
    const boxes = [...form.querySelectorAll<HTMLInputElement>('input[name^="unit-"]')];
    if (target.matches('[data-select-all]')) for (const box of boxes) box.checked = target.checked;
    showCount(form, boxes);
  });
}

function showCount(form: Element, boxes: HTMLInputElement[]): void {
  const count = boxes.filter(({ checked }) => checked).length;
  const all = form.querySelector<HTMLInputElement>('[data-select-all]');
  if (all) {
    all.checked = count === boxes.length;
    all.indeterminate = count > 0 && count < boxes.length;
  }
  const words = form.querySelector('[data-selected]');
  const isAllFound = form.querySelector<HTMLInputElement>('[data-all-found]')?.checked;
  if (words)
    words.textContent = count === 0 || isAllFound ? '' : pageLanguage.say('{count} selected', { count });
}
