// A new critical alarm makes itself heard, if the person asked for it on this device: a sound, and the title of the tab.
import { chime, prepareSound } from './chime.ts';

const KEY = 'tocsin.sound';

let known = new Set<string>();
const title = document.title;

export function watchCriticals(): void {
  known = new Set(listNew(new Set()).keys());
  const button = document.querySelector<HTMLButtonElement>('[data-sound]');
  if (!button) return;
  const show = () => {
    button.setAttribute('aria-pressed', String(isOn()));
    button.textContent = isOn() ? 'Sound is on' : 'Sound is off';
  };
  button.addEventListener('click', () => {
    localStorage.setItem(KEY, isOn() ? 'off' : 'on');
    if (isOn()) {
      prepareSound();
      chime();
    }
    show();
  });
  show();
  button.classList.remove('needs-script');
  // Browsers play nothing before the first touch of a page.
  if (isOn())
    for (const touch of ['pointerdown', 'keydown']) addEventListener(touch, prepareSound, { once: true });
  addEventListener('focus', () => {
    document.title = title;
  });
}

const isOn = (): boolean => localStorage.getItem(KEY) === 'on';

/** What has come since the last look. An alarm that was acknowledged has been heard. */
export function takeStock(): void {
  const fresh = listNew(known);
  known = new Set(listNew(new Set()).keys());
  if (fresh.size === 0 || !isOn()) return;
  chime();
  const [name = ''] = fresh.values();
  const more = fresh.size > 1 ? ` and ${fresh.size - 1} more` : '';
  document.title = `▲ Critical: ${name}${more}`;
}

function listNew(before: ReadonlySet<string>): Map<string, string> {
  const rows = [...document.querySelectorAll('[data-critical]')];
  const all = rows.map((row): [string, string] => [
    `${row.id} ${row.getAttribute('data-critical')}`,
    row.getAttribute('data-name') ?? '',
  ]);
  return new Map(all.filter(([key]) => !before.has(key)));
}
