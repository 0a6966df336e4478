import type { Page } from 'playwright-core';
import { launchChromium } from '../test/support/chromium.ts';
import { openEmbeddedCluster } from './cluster.ts';
import { hirePerson, PERSON, prepareLab, setAlarms } from './lab.ts';
import { percentile } from './load.ts';
import { startTocsin, stopAll } from './start-tocsin.ts';

const VISITS = 20;
const WARM_UP = 5;
const SLOW_VISITS = 5;

const now = new Date();
const cluster = await openEmbeddedCluster();
const db = await prepareLab(cluster, 1_000, now);
await hirePerson(db, now);
const { url, child } = await startTocsin(cluster.env);
const browser = await launchChromium();
try {
  await setAlarms(db, 200, now);
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: 'en-US' });
  await page.goto(`${url}/login?next=/`);
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
      slow_phone: await measureSlowPhone(await page.context().storageState()),
    })}\n`,
  );
} finally {
  await browser.close();
  await stopAll([child]);
  await db.close();
  await cluster.stop();
}

/** As on a phone at the edge of the network: a quarter of this machine, 400 kbit/s there and back, 100 ms each way. */
async function measureSlowPhone(storageState: StorageState) {
  const firstPaints: Record<string, number> = {};
  for (const [name, isKnown] of [
    ['first_visit_ms', false],
    ['again_ms', true],
  ] as const) {
    const paints: number[] = [];
    for (let visit = 0; visit < SLOW_VISITS; visit += 1) {
      const context = await browser.newContext({
        viewport: { width: 390, height: 844 },
        locale: 'en-US',
        storageState,
      });
      const phone = await context.newPage();
      if (isKnown) await phone.goto(`${url}/`, { waitUntil: 'load' });
      const session = await context.newCDPSession(phone);
      await session.send('Network.enable');
      const bytesPerSecond = 400_000 / 8;
      await session.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 200,
        downloadThroughput: bytesPerSecond,
        uploadThroughput: bytesPerSecond,
      });
      await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
      paints.push((await measureVisit(phone)).paintMs);
      await context.close();
    }
    firstPaints[name] = Math.round(
      percentile(
        paints.sort((one, other) => one - other),
        0.5,
      ),
    );
  }
  return firstPaints;
}

type StorageState = Awaited<ReturnType<ReturnType<Page['context']>['storageState']>>;
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
