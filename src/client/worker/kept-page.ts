// The alarms as they last stood, for where there is no network.
import { speakAs } from '../app/page-language.ts';
import { sayAge } from '../app/say-age.ts';

/** Signing in or out, by whatever way, ends what is kept: the next person sees nothing of the one before. */
export const isAboutWho = (pathname: string): boolean =>
  pathname.startsWith('/login') ||
  pathname.includes('/auth/logout') ||
  pathname.startsWith('/profile/sessions');

/** What is shown without a network says so, and how old it is. `time`: when it stood so, on the clock of the reader. */
export function addNotice(page: string, { ageMs, time }: { ageMs: number; time: string }): string {
  const language = speakAs(/<html lang="([\w-]+)"/.exec(page)?.[1] ?? '');
  const age = sayAge(Math.round(ageMs / 60_000), language);
  const text = language.say(
    'No connection. This is how it stood at {time}, {age} ago. Nothing here can be trusted to be so still.',
    { time, age },
  );
  const notice = `<p class="notice notice-error" role="alert">${escapeText(text)}</p>`;
  const main = page.indexOf('<main id="content"');
  const at = main < 0 ? 0 : page.indexOf('>', main) + 1;
  return `${page.slice(0, at)}${notice}${page.slice(at)}`;
}

const escapeText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
