// Every page on a phone in a language with longer texts, and on a phone and a desk in one that is read from right to left.
import type { Browser, Page } from 'playwright-core';
import sql from 'sql-template-tag';
import { beforeAll, expect } from 'vitest';
import { launchBrowser, openWindow, takePicture, test } from '../support/browser.ts';
import { type ChoiceHouse, openChoiceHouse } from '../support/choice-house.ts';
import { makeKeeper } from '../support/keeper.ts';
import { findLayoutFaults } from '../support/layout-faults.ts';
import { LONG, MIRRORED, speakMadeUp } from '../support/made-up-language.ts';
import { HOT } from '../support/notification-desk.ts';
import type { Person } from '../support/people.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { openVisitor } from '../support/visitor.ts';
import { patternOf, walkPages } from '../support/walk-pages.ts';

const PHONE = { width: 360, height: 800 };
const DESK = { width: 1440, height: 900 };

interface Visit {
  server: TestServer;
  /** null: nobody is signed in. */
  person: Person | null;
  addresses: string[];
}

let browser: Browser;
let house: ChoiceHouse;
let visits: Visit[];
beforeAll(async () => {
  browser = await launchBrowser();
  speakMadeUp(LONG);
  speakMadeUp(MIRRORED);
  house = await openChoiceHouse();
  const { server, lab } = house;
  const inside = await addressesInside();
  const outside = await walkPages(openVisitor(server), ['/login', '/forgot-password/sent']);
  visits = [
    { server, person: lab.ada, addresses: [...inside, '/nowhere'] },
    { server, person: null, addresses: [...addressesOf(outside), '/nowhere'] },
    { server: await startServer(), person: null, addresses: ['/setup'] },
  ];
});

const addressesOf = (pages: Awaited<ReturnType<typeof walkPages>>): string[] =>
  [...pages.values()].map(({ address }) => address);

/** Of a house with something in every table. */
async function addressesInside(): Promise<string[]> {
  const { server, lab, ada, freezer } = house;
  await makeKeeper(server, lab.ada);
  const [device, second] = [await house.addDevice(), await house.addFreezer()];
  await second.reads(HOT);
  await lab.oscar.post(`/api/v1/alarms/${second.id}/acknowledge`, { comment: 'On my way' });
  await lab.oscar.post(`/api/v1/services/${second.id}/mute`, { reason: 'Known' });
  for (const [start, end] of [
    ['2026-11-15T05:00', '2026-11-15T09:00'],
    ['2026-11-15T06:00', '2026-11-18T09:00'],
  ])
    await lab.oscar.post('/api/v1/downtimes', {
      service_id: String(second.id),
      start_time: start ?? '',
      end_time: end ?? '',
      reason: 'Defrost',
    });
  const made = await (await ada.send('/settings/wall/create', { name: 'Corridor' })).text();
  const wall = /href="(\/wall\/[\w-]+)"/.exec(made)?.[1] ?? '';
  const channels = `/settings/channels?service=${freezer.id}`;
  const taken = `/alarms/${freezer.id}/taken`;
  const from = ['/', channels, `/alarms/${freezer.id}`, taken, device, '/settings/delivery', wall];
  const tabs = ['history', 'limits', 'notifications', 'settings'];
  return [
    ...addressesOf(await walkPages(ada, from)),
    ...tabs.map((tab) => `/services/${freezer.id}?tab=${tab}`),
  ];
}

test.each([
  { tag: LONG, direction: null, windows: [PHONE] },
  { tag: MIRRORED, direction: 'rtl', windows: [PHONE, DESK] },
])(
  'in $tag every page fits: nothing is cut off, and nothing lies outside of the window',
  async (language) => {
    const { tag, direction, windows } = language;
    await house.server.db.query(sql`update account set language = ${tag}`);
    const faults: string[] = [];
    let count = 0;
    for (const { server, person, addresses } of visits) {
      const page = await openWindow(browser, server, person, { scripts: false, language: tag });
      for (const address of addresses) {
        count += 1;
        await page.goto(address);
        const root = page.locator('html');
        expect([await root.getAttribute('lang'), await root.getAttribute('dir')]).toEqual([tag, direction]);
        for (const size of windows) {
          await page.setViewportSize(size);
          await takePicture(page, nameOf(page, tag, person));
          const found = await findLayoutFaults(page);
          faults.push(...found.map((fault) => `${address} at ${size.width} px: ${fault}`));
        }
      }
    }
    expect(count).toBeGreaterThan(45);
    expect(faults).toEqual([]);
  },
);

function nameOf(page: Page, tag: string, person: Person | null): string {
  const path = patternOf(new URL(page.url()).pathname).replaceAll(/\W+/g, '-');
  return `${tag}-${page.viewportSize()?.width}${path}${person ? '' : '-outside'}`;
}
