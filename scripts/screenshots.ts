// The README's pictures and a set of every page: starts the demonstration on a data folder of its own, signs in and looks
// at it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { projectRoot } from '../src/platform/project-root.ts';
import { launchChromium } from '../test/support/chromium.ts';
import { takeSet } from './page-set.ts';

const IMAGES = join(projectRoot, 'docs/images');
const SET = join(projectRoot, 'build/screenshots/set');
const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  colorScheme: 'dark',
  hasTouch: true,
};
const DESK: BrowserContextOptions = { viewport: { width: 1200, height: 700 }, colorScheme: 'light' };
const SCREEN: BrowserContextOptions = { viewport: { width: 1280, height: 720 }, colorScheme: 'dark' };

interface Demonstration {
  url: string;
  password: string;
  stop(): Promise<void>;
}

async function startDemonstration(): Promise<Demonstration> {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-screenshots-'));
  // Run by root, the database works under another user, who must be able to enter.
  await chmod(folder, 0o755);
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [join(projectRoot, 'bin/tocsin.js'), 'serve', '--demo'], {
    env: { PATH, HOME, LOG_LEVEL: 'warn', PORT: '0', TOCSIN_DATA: join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  let said = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const listening = /listens on (\S+)/.exec(said)?.[1];
      if (listening) resolve(listening);
    });
    ended.then(() => reject(new Error(`The demonstration ended instead of listening: ${said}`)));
  });
  return {
    url,
    password: /ada@lab\.example +(\S+)/.exec(said)?.[1] ?? '',
    async stop() {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function open(browser: Browser, demo: Demonstration, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ ...options, locale: 'en-US' });
  const page = await context.newPage();
  await signIn(page, demo);
  await page.goto(demo.url);
  await page.getByText('Live, updated').waitFor();
  return page;
}

async function signIn(page: Page, { url, password }: Demonstration): Promise<void> {
  await page.goto(`${url}/login`);
  await page.fill('#username', 'ada@lab.example');
  await page.fill('#password', password);
  await page.click('main button[type=submit]');
  await page.waitForURL((at) => at.pathname !== '/login');
}

async function take(page: Page, name: string): Promise<void> {
  const path = join(IMAGES, `${name}.png`);
  await page.screenshot({ path, animations: 'disabled' });
  const { size } = await stat(path);
  process.stdout.write(`docs/images/${name}.png ${Math.round(size / 1024)} KB\n`);
}

async function openWall(page: Page, { url }: Demonstration): Promise<void> {
  const choice = page.locator('select#organization');
  await page.goto(`${url}/settings/wall`);
  if (await choice.count()) {
    await choice.selectOption({ label: 'Cell Biology' });
    await page.click('.choice button');
  }
  await page.fill('#name', 'Corridor');
  await page.click('text=Create link');
  await page.click('text=Open it here');
}

await mkdir(IMAGES, { recursive: true });
const demo = await startDemonstration();
try {
  const browser = await launchChromium();
  try {
    await take(await open(browser, demo, PHONE), 'alarms-phone');
    const desk = await open(browser, demo, DESK);
    await take(desk, 'alarms');
    await desk.click('text=ULT freezer 2');
    // As much as it takes to show the curve.
    await desk.setViewportSize({ width: 1200, height: 1620 });
    await desk.waitForSelector('.chart-live canvas');
    await take(desk, 'service');
    const screen = await open(browser, demo, SCREEN);
    await openWall(screen, demo);
    await take(screen, 'wall');
    const count = await takeSet(browser, demo.url, (page) => signIn(page, demo), SET);
    process.stdout.write(`build/screenshots/set/index.html: ${count} pages, in three formats each\n`);
  } finally {
    await browser.close();
  }
} finally {
  await demo.stop();
}
