// A screen on the wall: renews what it shows, keeps its clock, and says so when it no longer can.
import { pageLanguage } from './app/page-language.ts';
import { sayAge } from './app/say-age.ts';

const CLOCK_MS = 1000;

const main = document.querySelector('main[data-wall]');
const lost = document.querySelector('[data-wall-lost]');
const everyMs = Number(main?.getAttribute('data-wall') ?? 15) * 1000;
let updatedAt = performance.now();

function sayLost(): void {
  if (!lost) return;
  const age = sayAge(Math.floor((performance.now() - updatedAt) / 60_000), pageLanguage);
  const text = pageLanguage.say('Connection lost. What is shown is {age} old.', { age });
  // Writing the same again would be read out again.
  if (lost.textContent !== text) lost.textContent = text;
  lost.removeAttribute('hidden');
}

async function renew(): Promise<void> {
  try {
    const answer = await fetch(location.href, { signal: AbortSignal.timeout(everyMs) });
    // The link was revoked: only the page itself can say so.
    if (answer.status === 404) return location.reload();
    if (!answer.ok) return sayLost();
    const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('main');
    if (!fresh || !main) return sayLost();
    main.replaceChildren(...fresh.childNodes);
    updatedAt = performance.now();
    lost?.setAttribute('hidden', '');
    showClock();
  } catch {
    sayLost();
  } finally {
    setTimeout(renew, everyMs);
  }
}

/** The server's time goes on from the last update: a screen's own clock is often wrong. */
function showClock(): void {
  const clock = document.querySelector('[data-wall-clock]');
  const zone = clock?.getAttribute('data-zone');
  if (!clock || !zone) return;
  const now = Number(clock.getAttribute('data-wall-clock')) + performance.now() - updatedAt;
  const text = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
  }).format(now);
  if (clock.textContent !== text) clock.textContent = text;
}

setInterval(showClock, CLOCK_MS);
setTimeout(renew, everyMs);
