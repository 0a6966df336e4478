// Every page on a phone, in a language with longer texts, and in one that is read from right to left.
import type { Page } from 'playwright-core';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect } from 'vitest';
import { launchBrowser, openWindow, takePicture, test } from '../support/browser.ts';
import { type ChoiceHouse, openChoiceHouse } from '../support/choice-house.ts';
import { LONG, MIRRORED, speakMadeUp } from '../support/made-up-language.ts';
import { makeKeeper } from '../support/keeper.ts';
import type { Person } from '../support/people.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { openVisitor } from '../support/visitor.ts';
import { walkPages } from '../support/walk-pages.ts';

const PHONE = { width: 360, height: 800 };
const DESK = { width: 1440, height: 900 };

interface Visit {
  server: TestServer;
  /** null: nobody is signed in. */
  person: Person | null;
  addresses: string[];
}

let house: ChoiceHouse;
let visits: Visit[];
beforeAll(async () => {
  speakMadeUp(LONG);
  speakMadeUp(MIRRORED);
  house = await openChoiceHouse();
  const { server, lab, ada, freezer } = house;
  const device = await house.addDevice();
  await house.addFreezer();
  await makeKeeper(server, lab.ada);
  const wall = await (await ada.send('/settings/wall/create', { name: 'Screen' })).text();
  const from = ['/', '/invitations', `/alarms/${freezer.id}/taken`, '/settings/delivery', /\/wall\/[\w-]+/.exec(wall)?.[0] ?? '', `/settings/channels?service=${freezer.id}`, `/alarms/${freezer.id}`, device];
  const pages = [...(await walkPages(ada, from)).values()].map(({ address }) => address);
  const outside = [...(await walkPages(openVisitor(server), ['/login', '/forgot-password/sent'])).values()];
  const fresh = await startServer();
  visits = [
    { server, person: lab.ada, addresses: [...pages, '/nowhere'] },
    { server, person: null, addresses: [...outside.map(({ address }) => address), '/nowhere'] },
    { server: fresh, person: null, addresses: ['/setup'] },
  ];
  console.log(JSON.stringify(visits.map((v) => v.addresses)));
});

/** Whatever is cut off, sticks out of its box, or stands outside of the window, by the start of its own text. */
const TROUBLE = `(() => {
  for (const one of document.querySelectorAll('details')) one.open = true;
  const width = document.documentElement.clientWidth;
  const name = (one) => one.tagName.toLowerCase() + (one.className && one.className.baseVal === undefined ? '.' + one.className.replaceAll(' ', '.') : '') + ' ' + (one.textContent || one.value || '').trim().replaceAll(/\\s+/g, ' ').slice(0, 50);
  const isUnseen = (one) => one !== null && (getComputedStyle(one).clipPath === 'inset(50%)' || isUnseen(one.parentElement));
  const found = [];
  const wide = document.documentElement.scrollWidth;
  if (wide > width) found.push('page: ' + wide);
  for (const one of document.querySelectorAll('body *')) {
    const style = getComputedStyle(one);
    if (!one.checkVisibility({ visibilityProperty: true }) || one.closest('svg') || style.display === 'inline' || isUnseen(one)) continue;
    if (one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1 && !['auto', 'scroll'].includes(style.overflowX))
      found.push((style.overflowX === 'visible' ? 'sticks out: ' : 'cut off: ') + one.scrollWidth + '>' + one.clientWidth + ' ' + name(one));
    if (one.closest('.table-scroll, .page-header > nav')) continue;
    const { left, right } = one.getBoundingClientRect();
    if (left < -1 || right > width + 1) found.push('outside: ' + Math.round(left) + ' to ' + Math.round(right) + ' ' + name(one));
  }
  return found;
})()`;

async function look(page: Page): Promise<string[]> {
  return (await page.evaluate(TROUBLE)) as string[];
}

describe.each([
  { tag: LONG, sizes: [PHONE] },
  { tag: MIRRORED, sizes: [PHONE, DESK] },
])('in $tag', ({ tag, sizes }) => {
  test('nothing is cut off or outside of the window', async () => {
    await house.server.db.query(sql`update account set language = ${tag}`);
    const browser = await launchBrowser();
    const trouble: string[] = [];
    for (const { server, person, addresses } of visits) {
      const page = await openWindow(browser, server, person, { size: 'phone', scripts: false, language: tag });
      for (const address of addresses) {
        await page.setViewportSize(sizes[0]);
        await page.goto(address);
        const root = page.locator('html');
        if ((await root.getAttribute('lang')) !== tag) trouble.push(`${address}: lang ${await root.getAttribute('lang')}`);
        if ((await root.getAttribute('dir')) !== (tag === MIRRORED ? 'rtl' : null)) trouble.push(`${address}: dir`);
        for (const size of sizes) {
          await page.setViewportSize(size);
          await takePicture(page, `${tag}-${size.width}${address.replaceAll(/\W+/g, '-')}${person ? '' : '-outside'}`);
          trouble.push(...(await look(page)).map((text) => `${size.width} ${address}: ${text}`));
        }
      }
    }
    (await import('node:fs')).writeFileSync(`build/trouble-${tag}.txt`, trouble.join('\n'));
    expect(trouble).toEqual([]);
  });
});
