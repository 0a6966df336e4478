import { defineConfig } from 'vitest/config';
import { chooseFolderOfServers } from './test/cluster/folder-of-servers.ts';

// Real servers that are killed: too heavy to run beside others, and in need of programs that not every machine has.
export default defineConfig({
  test: {
    include: ['test/cluster/**/*.test.ts'],
    globalSetup: 'test/cluster/set-up.ts',
    setupFiles: 'test/support/set-up-file.ts',
    fileParallelism: false,
    env: { TMPDIR: chooseFolderOfServers() },
    hookTimeout: 180_000,
    testTimeout: 1_800_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
