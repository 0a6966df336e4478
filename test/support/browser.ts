// A real Chromium, started once per test file: pages as people see them, checked for accessibility.
import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { test as anyTest, expect, inject, onTestFinished } from 'vitest';
import { projectRoot } from '../../src/platform/project-root.ts';
import { launchChromium } from './chromium.ts';
import { findLightest } from './find-chromium.ts';
import type { Person } from './people.ts';
import type { TestServer } from './test-server.ts';
import { whenFileIsDone } from './when-file-is-done.ts';

/** Skipped where there is no browser. */
export const test = anyTest.skipIf(!inject('chromium'));

/** Skipped by the Chromium from npm as well: it shows no notifications, and crashes when it is to make a passkey. */
export const testInstalled = anyTest.skipIf(inject('chromium')?.from !== 'machine');

/** The lightest that draws pages, unless the test needs all that an installed one can do. */
export async function launchBrowser(needs: 'pages' | 'all' = 'pages'): Promise<Browser> {
  const found = inject('chromium');
  const browser = await launchChromium(needs === 'pages' ? findLightest(found) : found);
  whenFileIsDone(() => browser.close());
  return browser;
}

const SIZES = { phone: { width: 390, height: 844 }, desk: { width: 1440, height: 900 } };

export interface Screen {
  size?: keyof typeof SIZES;
  scheme?: 'light' | 'dark';
  scripts?: boolean;
  /** What the browser asks for. */
  language?: string;
}

export const WINDOWS = ['phone', 'desk'] as const;

/** A window of its own, with the person's session. */
export async function openWindow(
  browser: Browser,
  server: TestServer,
  /** null: nobody is signed in. */
  person: Person | null,
  screen: Screen = {},
): Promise<Page> {
  const page = await openPage(browser, server.url, screen);
  if (person) {
    const token = await server.signer.issue({ accountId: person.id, generation: 1 }, server.clock.read());
    await page.context().addCookies([{ name: 'access_token', value: token, url: server.url }]);
  }
  return page;
}

/** A window of its own. Whatever the page's policy or scripts complain about fails the test. */
export async function openPage(
  browser: Browser,
  url: string,
  { size = 'desk', scheme = 'light', scripts = true, language = 'en-US' }: Screen = {},
): Promise<Page> {
  const context: BrowserContext = await browser.newContext({
    baseURL: url,
    viewport: SIZES[size],
    hasTouch: size === 'phone',
    colorScheme: scheme,
    // Contrasts are compared right after the colours changed, which takes buttons a moment otherwise.
    reducedMotion: 'reduce',
    // Never that of the machine, which may be none that a browser knows.
    locale: language,
    javaScriptEnabled: scripts,
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  onTestFinished(async () => {
    await context.close();
    expect(complaints.filter((text) => !EXPECTED_COMPLAINTS.test(text))).toEqual([]);
  });
  return page;
}

/** Chromium logs every refused request and lost connection; tests provoke both. */
const EXPECTED_COMPLAINTS = /Failed to load resource|net::ERR_|Response Status Error Code/;

/**
 * Pictures of the page in light and in dark, nothing too wide, and WCAG 2.2 AA: on a phone in dark, on a desk in light.
 * That is every size and every colour once; contrasts of all colours are compared by the test of the stylesheet.
 */
export async function expectReadable(page: Page, name: string): Promise<void> {
  await expectNoSidewaysScroll(page);
  const size = page.viewportSize()?.width === SIZES.phone.width ? 'phone' : 'desk';
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await takePicture(page, `${name}-${size}-${scheme}`);
    if ((scheme === 'dark') === (size === 'phone')) await expectAccessible(page);
  }
}

const require = createRequire(import.meta.url);
let axe: Promise<string> | undefined;

/** WCAG 2.2 AA, as far as a program can tell. */
export async function expectAccessible(page: Page): Promise<void> {
  axe ??= readFile(require.resolve('axe-core/axe.min.js'), 'utf8');
  await page.evaluate(await axe);
  const violations = await page.evaluate(
    `axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      resultTypes: ['violations'],
      selectors: false,
    }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | ')))`,
  );
  expect(violations).toEqual([]);
}

/** Nothing but tables in their own frame may be wider than the window. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const [wide, window] = (await page.evaluate(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  )) as [number, number];
  expect(wide).toBeLessThanOrEqual(window);
}

/** With TOCSIN_PICTURES=1 kept as build output, to be looked at. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (!process.env.TOCSIN_PICTURES) return;
  const folder = join(projectRoot, 'build/screenshots');
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
