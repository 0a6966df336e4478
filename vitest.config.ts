import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { languagesOfTests } from './bin/languages.mjs';
import { NameFailures } from './test/support/name-failures.ts';

// Test files share what they import: loading the program again for each of them took half the time.
const isolate = false;

export default defineConfig({
  test: {
    // More forks than cores: tests of programs and pages wait for them half of the time.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    reporters: ['default', new NameFailures()],
    projects: [
      {
        plugins: [languagesOfTests],
        test: {
          name: 'unit',
          isolate,
          include: ['src/**/*.test.{ts,tsx}', 'test/*.test.ts', 'test/support/*.test.ts'],
          setupFiles: 'test/support/set-up-file.ts',
          // Properties take their time on a busy machine.
          testTimeout: 180_000,
        },
      },
      {
        plugins: [languagesOfTests],
        test: {
          name: 'system',
          isolate,
          include: ['test/{contract,journeys,faults,browser}/**/*.test.ts'],
          globalSetup: 'test/support/global-setup.ts',
          setupFiles: 'test/support/set-up-file.ts',
          // Nothing is measured by these: a machine that others use too may be many times slower than usual.
          hookTimeout: 180_000,
          testTimeout: 180_000,
          expect: { poll: { timeout: 30_000 } },
        },
      },
    ],
  },
});
