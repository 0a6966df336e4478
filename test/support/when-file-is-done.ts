// Helpers that are called inside a hook or a test cannot register hooks any more: what they opened is closed here.
import { afterAll } from 'vitest';

const endings: (() => unknown)[] = [];

/** Called when the test file is done, the last one first. */
export const whenFileIsDone = (end: () => unknown): void => void endings.push(end);

/** For the set-up of every test file. */
export const endFiles = (): void =>
  afterAll(async () => {
    const faults: unknown[] = [];
    for (const end of endings.splice(0).reverse())
      try {
        await end();
      } catch (error) {
        faults.push(error);
      }
    if (faults.length > 0) throw faults[0];
  }, 180_000);
