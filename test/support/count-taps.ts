import type { Page } from 'playwright-core';

/** What hands do, counted by the pages themselves. Fields that are filled in are no taps. */
export const countTaps = (page: Page): Promise<unknown> =>
  page.addInitScript(`addEventListener('click', ({ isTrusted }) => {
    if (isTrusted) sessionStorage.setItem('taps', Number(sessionStorage.getItem('taps') ?? 0) + 1);
  }, true)`);

export const tapsOf = (page: Page): Promise<number> =>
  page.evaluate(`Number(sessionStorage.getItem('taps') ?? 0)`);
