// Every page that links lead to, as one person finds them.
import type { VisitorBrowser } from './visitor.ts';

/** `/settings/groups/:id`: pages that differ by numbers alone are one. */
export const patternOf = (address: string): string =>
  (address.split(/[?#]/)[0] ?? '').replaceAll(/\/\d+(?=\/|$)/g, '/:id');

const hrefsOf = (html: string): string[] =>
  [...html.matchAll(/<a\b[^>]*\shref="(\/[^"#]*)/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));

/** By pattern: the first address that was found, and what it shows. Files and exports are left out. */
export async function walkPages(
  browser: VisitorBrowser,
  from: readonly string[],
): Promise<Map<string, { address: string; html: string }>> {
  const pages = new Map<string, { address: string; html: string }>();
  const asked = new Set<string>();
  const queue = [...from];
  for (let address = queue.shift(); address !== undefined; address = queue.shift()) {
    const pattern = patternOf(address);
    if (asked.has(pattern) || /^\/(assets|docs|api)\b|\.\w+$/.test(pattern)) continue;
    asked.add(pattern);
    const answer = await browser.open(address);
    const next = answer.headers.get('location');
    if (next !== null) queue.push(next.replace(/^https?:\/\/[^/]+/, ''));
    if (answer.status !== 200 || !answer.headers.get('content-type')?.startsWith('text/html')) continue;
    const html = await answer.text();
    pages.set(pattern, { address, html });
    queue.push(...hrefsOf(html));
  }
  return pages;
}
