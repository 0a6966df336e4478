import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['src/**/*.test.ts', 'test/architecture.test.ts'] } },
      {
        test: {
          name: 'system',
          include: ['test/{contract,journeys,faults}/**/*.test.ts'],
          globalSetup: 'test/support/global-setup.ts',
          hookTimeout: 60_000,
          testTimeout: 60_000,
        },
      },
    ],
  },
});
