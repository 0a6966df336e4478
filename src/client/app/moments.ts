// Keeps `today 05:45` true past midnight. The clock of the server counts: that of a phone may be wrong.
import { sayMoment } from '../../domain/moment.ts';
import { pageLanguage } from './page-language.ts';

const EVERY_MS = 15_000;
const openedAt = Date.now();

const findClock = (): HTMLElement | null => document.querySelector('[data-now]');

/** What time it is for the reader of the page. */
export const readNow = (): Date =>
  new Date(Number(findClock()?.dataset.now ?? openedAt) + Date.now() - openedAt);

export function keepMoments(): void {
  const zone = findClock()?.dataset.zone;
  if (zone === undefined) return;
  const nameDay = () => readNow().toLocaleDateString('sv-SE', { timeZone: zone });
  let day = nameDay();
  setInterval(() => {
    if (day === nameDay()) return;
    day = nameDay();
    for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-moment]'))
      time.textContent = sayMoment(new Date(time.dateTime), zone, readNow(), pageLanguage);
  }, EVERY_MS);
}
