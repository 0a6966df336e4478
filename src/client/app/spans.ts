// Keeps `3 hours 12 minutes` true. The clock of the server counts: that of a phone may be wrong.
import { describeSpan } from '../../domain/span.ts';
import { pageLanguage } from './page-language.ts';

const EVERY_MS = 15_000;

export function tickSpans(): void {
  setInterval(() => showSpans(document), EVERY_MS);
}

/** Each span says how long it was, and when; from then on it grows with the time that passed here. */
const firstSeenAt = new WeakMap<Element, number>();

export function showSpans(where: ParentNode): void {
  const now = performance.now();
  for (const element of where.querySelectorAll('[data-span-ms]')) {
    const seenAt = firstSeenAt.get(element) ?? now;
    firstSeenAt.set(element, seenAt);
    const ms = Number(element.getAttribute('data-span-ms')) + now - seenAt;
    element.textContent = describeSpan(Math.max(60_000, Math.floor(ms / 60_000) * 60_000), pageLanguage);
  }
}
