// Every page that links lead to, on a desk in the light, on a phone in the dark and on paper: a set to leaf through.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

const STARTS = [
  '/',
  '/overview',
  '/services',
  '/history',
  '/on-call',
  '/downtimes',
  '/settings',
  '/profile',
  '/keys',
];
/** Nothing to look at, or nothing of ours. */
const LEFT_OUT = /^\/(assets|docs|api|logout|wall)\b|\.\w+$|\/live$/;
const MOST = 150;

interface Format {
  name: string;
  options: BrowserContextOptions;
  media?: 'print';
}

const FORMATS: Format[] = [
  { name: 'desk', options: { viewport: { width: 1280, height: 800 }, colorScheme: 'light' } },
  { name: 'phone', options: { viewport: { width: 390, height: 844 }, colorScheme: 'dark', hasTouch: true } },
  {
    name: 'print',
    options: { viewport: { width: 794, height: 1123 }, colorScheme: 'light' },
    media: 'print',
  },
];

/** Pages that differ by numbers alone are one. */
const patternOf = (address: string): string =>
  (address.split(/[?#]/)[0] ?? '').replaceAll(/\/\d+(?=\/|$)/g, '/:id');

const fileOf = (pattern: string): string => pattern.slice(1).replaceAll(/[/:]+/g, '-') || 'alarms';

interface Taken {
  pattern: string;
  title: string;
}

/** How many pages were taken. */
export async function takeSet(
  browser: Browser,
  url: string,
  signIn: (page: Page) => Promise<void>,
  folder: string,
): Promise<number> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const taken = new Map<string, Taken>();
  let addresses: string[] = [];
  for (const { name, options, media } of FORMATS) {
    const context = await browser.newContext({ ...options, locale: 'en-US' });
    const page = await context.newPage();
    await signIn(page);
    if (addresses.length === 0) addresses = await walk(context, url);
    await page.emulateMedia({ media: media ?? 'screen' });
    for (const address of addresses) {
      const pattern = patternOf(address);
      await page.goto(url + address);
      // Charts are drawn by then; pages that stay in touch are never idle.
      await page.waitForTimeout(300);
      const path = join(folder, `${fileOf(pattern)}-${name}.png`);
      await page.screenshot({ path, fullPage: true, animations: 'disabled' });
      taken.set(pattern, { pattern, title: await page.title() });
    }
    await context.close();
  }
  await writeFile(join(folder, 'index.html'), writeIndex([...taken.values()]));
  return taken.size;
}

/** The first address of each pattern. */
async function walk({ request }: BrowserContext, url: string): Promise<string[]> {
  const found = new Map<string, string>();
  const asked = new Set<string>();
  const queue = [...STARTS];
  for (let address = queue.shift(); address !== undefined && found.size < MOST; address = queue.shift()) {
    const pattern = patternOf(address);
    if (asked.has(pattern) || LEFT_OUT.test(pattern)) continue;
    asked.add(pattern);
    const answer = await request.get(url + address);
    if (!answer.ok() || !answer.headers()['content-type']?.startsWith('text/html')) continue;
    found.set(pattern, address);
    const html = await answer.text();
    for (const [, href = ''] of html.matchAll(/<a\b[^>]*\shref="(\/[^"#]*)/g))
      queue.push(href.replaceAll('&amp;', '&'));
  }
  return [...found.values()];
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const writeIndex = (pages: readonly Taken[]): string =>
  [
    '<!doctype html><meta charset="utf-8"><title>Tocsin, page by page</title>',
    '<style>body{font:16px system-ui;margin:2rem}section{margin-bottom:3rem}div{display:flex;gap:1rem;align-items:start}',
    'img{border:1px solid #ccc;max-height:40rem;max-width:32%;object-fit:contain;object-position:top}</style>',
    `<h1>Tocsin, page by page</h1><p>${pages.length} pages: desk, phone, paper.</p>`,
    ...pages.map(({ pattern, title }) => {
      const pictures = FORMATS.map(({ name }) => {
        const file = `${fileOf(pattern)}-${name}.png`;
        return `<a href="${file}"><img loading="lazy" src="${file}" alt="${escapeHtml(title)}, ${name}"></a>`;
      });
      return `<section><h2>${escapeHtml(title)} <small>${escapeHtml(pattern)}</small></h2><div>${pictures.join('')}</div></section>`;
    }),
  ].join('\n');
