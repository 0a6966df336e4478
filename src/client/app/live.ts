// Keeps the live part of a page true: asks for it again when something changed, and every minute in any case.
import { takeStock, watchCriticals } from './criticals.ts';
import { leadToSignIn } from './failures.ts';
import { hearNews } from './news.ts';
import { isBusy, patch, rememberAsWritten } from './patch-list.ts';
import { showSpans } from './spans.ts';

const POLL_MS = 60_000;
/** Changes that come in a burst are asked for together. */
const GATHER_MS = 150;

export function keepLive(): void {
  const root = document.querySelector('[data-live]');
  if (!root) return;
  const status = document.querySelector('[data-live-status]');
  rememberAsWritten(root);
  watchCriticals(root);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking = false;
  let isAskedAgain = false;
  let updatedAt = new Date();
  const zone = root.getAttribute('data-zone');

  const sayLost = () => {
    if (status) status.textContent = `Connection lost, last updated ${showClock(updatedAt, zone)}`;
    status?.classList.add('live-lost');
  };
  const sayLive = () => {
    if (status) status.textContent = `Live, updated ${showClock(updatedAt, zone)}`;
    status?.classList.remove('live-lost');
  };

  async function ask(): Promise<void> {
    clearTimeout(timer);
    timer = setTimeout(ask, POLL_MS);
    if (asking) {
      isAskedAgain = true;
      return;
    }
    asking = true;
    try {
      const answer = await fetch(root?.getAttribute('data-live') ?? '', {
        headers: { 'hx-request': 'true' },
        redirect: 'manual',
      });
      // Manual redirects are opaque: the session is over. What somebody is writing is worth more than the sign-in page.
      if (answer.type === 'opaqueredirect') return void (root && isBusy(root) ? sayLost() : leadToSignIn());
      if (!answer.ok) return sayLost();
      const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').body.firstElementChild;
      if (!fresh || !root) return;
      patch(root, fresh);
      showSpans(root);
      takeStock(root);
      updatedAt = new Date();
      sayLive();
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
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(ask, GATHER_MS);
  };

  hearNews({ onChange: soon, onLost: sayLost });
  timer = setTimeout(ask, POLL_MS);
  // A phone that slept has missed what was told.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') soon();
  });
  document.body.addEventListener('htmx:afterSwap', () => soon());
}

const showClock = (at: Date, timeZone: string | null): string =>
  at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', ...(timeZone && { timeZone }) });
