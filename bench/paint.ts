import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openPool } from '../src/platform/db/database.ts';
import { openEmbedded } from '../src/platform/db/embedded/open-embedded.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { launchChromium } from '../test/support/chromium.ts';
import { fillLab, hirePerson, PERSON, setAlarms } from './lab.ts';
import { percentile } from './load.ts';
import { startTocsin } from './start-tocsin.ts';

const VISITS = 20;
const WARM_UP = 5;

const dataDir = await mkdtemp(join(tmpdir(), 'tocsin-bench-'));
await chmod(dataDir, 0o755);
const embedded = await openEmbedded({ dataDir });
const db = openPool(embedded.connection, () => {});
const now = new Date();
await migrate(db, now);
await fillLab(db, 1_000, now);
await hirePerson(db, now);
const { url, child } = await startTocsin({ TOCSIN_DATA: dataDir });
const browser = await launchChromium();
try {
  await setAlarms(db, 200, now);
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: 'en-US' });
  await page.goto(`${url}/login`);
  await page.fill('[name=username]', PERSON.email);
  await page.fill('[name=password]', PERSON.password);
  await Promise.all([page.waitForURL(`${url}/`), page.click('main button[type=submit]')]);
  const visits: Visit[] = [];
  for (let visit = 0; visit < VISITS + WARM_UP; visit += 1) visits.push(await measureVisit(page));
  const middle = (pick: (visit: Visit) => number) =>
    Math.round(
      percentile(
        visits
          .slice(WARM_UP)
          .map(pick)
          .sort((one, other) => one - other),
        0.5,
      ),
    );
  process.stdout.write(
    `${JSON.stringify({
      alarms: 200,
      first_paint_ms: middle(({ paintMs }) => paintMs),
      first_byte_ms: middle(({ firstByteMs }) => firstByteMs),
      page_kb_without_assets: middle(({ bytes }) => bytes / 1024),
    })}\n`,
  );
} finally {
  await browser.close();
  child.kill('SIGTERM');
  if (child.exitCode === null) await once(child, 'exit');
  await db.close();
  await embedded.close();
  await rm(dataDir, { recursive: true, force: true });
}

type Visit = Awaited<ReturnType<typeof measureVisit>>;

async function measureVisit(page: Page) {
  await page.goto(`${url}/`, { waitUntil: 'load' });
  const rows = await page.locator('[data-critical]').count();
  if (rows !== 200) throw new Error(`${rows} alarms instead of 200`);
  return page.evaluate(async () => {
    while (performance.getEntriesByName('first-contentful-paint').length === 0)
      await new Promise((resolve) => setTimeout(resolve, 20));
    const [paint] = performance.getEntriesByName('first-contentful-paint');
    const all = performance.getEntries() as (PerformanceEntry & {
      transferSize?: number;
      responseStart?: number;
    })[];
    return {
      paintMs: paint?.startTime ?? Number.NaN,
      firstByteMs: all.find(({ entryType }) => entryType === 'navigation')?.responseStart ?? Number.NaN,
      bytes: all.reduce((sum, { transferSize = 0 }) => sum + transferSize, 0),
    };
  });
}
