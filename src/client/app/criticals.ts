// A new critical alarm makes itself heard, if the person asked for it on this device: a sound, and the title of the tab.
import { chime, prepareSound } from './chime.ts';
import { findNew, sayCriticals } from './new-criticals.ts';
import { pageLanguage } from './page-language.ts';

const KEY = 'tocsin.sound';

let known = new Set<string>();
const title = document.title;

export function watchCriticals(): void {
  known = new Set(listCriticals().keys());
  const button = document.querySelector<HTMLButtonElement>('[data-sound]');
  if (!button) return;
  const show = () => {
    button.setAttribute('aria-pressed', String(isOn()));
    button.textContent = pageLanguage.say(isOn() ? 'Sound is on' : 'Sound is off');
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
  const all = listCriticals();
  const fresh = findNew(all, known);
  known = new Set(all.keys());
  if (fresh.length === 0 || !isOn()) return;
  chime();
  document.title = sayCriticals(fresh, pageLanguage);
}

/** What each is told apart by, to its name. */
const listCriticals = (): Map<string, string> =>
  new Map(
    [...document.querySelectorAll('[data-critical]')].map((row) => [
      `${row.id} ${row.getAttribute('data-critical')}`,
      row.getAttribute('data-name') ?? '',
    ]),
  );
