// Keeps the live parts of a page true: asks for them again when something changed, when the clock will change something,
// and every so often in any case.
import { takeStock, watchCriticals } from './criticals.ts';
import { leadToSignIn } from './failures.ts';
import { hearNews } from './news.ts';
import { findNextAsk, GATHER_MS, POLL_MS } from './next-ask.ts';
import { pageLanguage } from './page-language.ts';
import { isBusy, patch, rememberAsWritten } from './patch-list.ts';
import { showSpans } from './spans.ts';

/** Looked for anew each time: a form may have replaced them. */
const listLive = (): Element[] => [...document.querySelectorAll('[data-live]')];

export function keepLive(): void {
  const [first] = listLive();
  if (!first) return;
  const address = first.getAttribute('data-live') ?? '';
  const zone = first.getAttribute('data-zone');
  const status = document.querySelector('[data-live-status]');
  listLive().forEach(rememberAsWritten);
  watchCriticals();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking = false;
  let isAskedAgain = false;
  let updatedAt = new Date();

  const show = (text: string, isLost: boolean) => {
    // Writing the same again would be read out again.
    if (status && status.textContent !== text) status.textContent = text;
    status?.classList.toggle('live-lost', isLost);
  };
  const sayLost = () =>
    show(
      pageLanguage.say('Connection lost, last updated {time}', { time: showClock(updatedAt, zone) }),
      true,
    );
  const sayLive = () =>
    show(pageLanguage.say('Live, updated {time}', { time: showClock(updatedAt, zone) }), false);
  const wait = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(ask, ms);
  };
  const soon = () => wait(GATHER_MS);

  async function ask(): Promise<void> {
    wait(POLL_MS);
    if (asking) {
      isAskedAgain = true;
      return;
    }
    asking = true;
    try {
      const answer = await fetch(address, { headers: { 'hx-request': 'true' }, redirect: 'manual' });
      // Manual redirects are opaque: the session is over. What somebody is writing is worth more than the sign-in page.
      if (answer.type === 'opaqueredirect')
        return void (listLive().some(isBusy) ? sayLost() : leadToSignIn());
      if (!answer.ok) return sayLost();
      renew(await answer.text());
      updatedAt = new Date();
      sayLive();
      wait(nextAskMs());
    } catch {
      sayLost();
    } finally {
      asking = false;
      if (isAskedAgain) {
        isAskedAgain = false;
        soon();
      }
    }
  }

  hearNews({ onChange: soon, onLost: sayLost });
  wait(nextAskMs());
  // A phone that slept has missed what was told.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') soon();
  });
  document.body.addEventListener('htmx:afterSwap', soon);
}

function renew(html: string): void {
  const fresh = new DOMParser().parseFromString(html, 'text/html');
  for (const part of listLive()) {
    const renewed = fresh.getElementById(part.id);
    if (!renewed) continue;
    patch(part, renewed);
    const renewIn = renewed.getAttribute('data-renew-in');
    if (renewIn === null) part.removeAttribute('data-renew-in');
    else part.setAttribute('data-renew-in', renewIn);
    showSpans(part);
  }
  takeStock();
  document.dispatchEvent(new Event('tocsin:renewed'));
}

/** The page says when the clock alone will change something, for nobody tells of that. */
const nextAskMs = (): number =>
  findNextAsk(
    listLive().map((part) => ({
      renewIn: part.getAttribute('data-renew-in'),
      every: part.getAttribute('data-every'),
    })),
  );

const showClock = (at: Date, timeZone: string | null): string =>
  at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', ...(timeZone && { timeZone }) });
