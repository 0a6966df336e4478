// What does not fit on a page as it is shown: found by measuring it in the browser.
import type { Page } from 'playwright-core';

/** With everything opened that can be; what goes on sideways within the frame of a table is as it should be. */
export async function findLayoutFaults(page: Page): Promise<string[]> {
  return (await page.evaluate(FIND)) as string[];
}

const FIND = `(() => {
  for (const one of document.querySelectorAll('details')) one.open = true;
  const { clientWidth: width, scrollWidth } = document.documentElement;
  const faults = scrollWidth > width ? ['the page is ' + scrollWidth + ' px wide'] : [];
  const name = (one) =>
    [one.localName, ...one.classList].join('.') + ' ' + JSON.stringify(one.textContent.trim().slice(0, 40));

  /** Only for those who listen. */
  const isUnseen = (one) =>
    one !== null && (getComputedStyle(one).clipPath === 'inset(50%)' || isUnseen(one.parentElement));
  const shown = [...document.querySelectorAll('body *')].filter(
    (one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('svg') && !isUnseen(one));

  for (const one of shown) {
    const { display, overflowX } = getComputedStyle(one);
    const isFrame = one.matches('.table-scroll, .tabs, textarea');
    // Of what stands in a line, and of pictures, browsers tell no width.
    if (display !== 'inline' && !isFrame && one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1)
      faults.push((overflowX === 'visible' ? 'sticks out of ' : 'is cut off in ') + name(one));
    const { left, right } = one.getBoundingClientRect();
    if (!one.closest('.table-scroll, .tabs') && (left < -1 || right > width + 1))
      faults.push('outside of the window: ' + name(one));
  }

  /** A menu lies over the page while it is open. */
  const controls = shown
    .filter((one) => one.matches('button, .button, input, select, textarea, summary') && !one.closest('.menu-content'))
    .map((one) => ({ one, box: one.getBoundingClientRect() }));
  controls.forEach(({ one, box }, index) => {
    for (const other of controls.slice(index + 1)) {
      const across = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
      const down = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
      if (across > 1 && down > 1) faults.push(name(one) + ' and ' + name(other.one) + ' lie over each other');
    }
  });
  return faults;
})()`;
