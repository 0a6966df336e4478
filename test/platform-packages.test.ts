import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Locked {
  version: string;
  os?: string[];
  cpu?: string[];
}

test('what is locked for Linux on x64 is locked for Linux on ARM too', () => {
  const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
  const packages = new Map(Object.entries<Locked>(lock.packages));
  const forX64 = [...packages].filter(([, { os, cpu }]) => os?.includes('linux') && cpu?.includes('x64'));
  expect(forX64.length).toBeGreaterThan(5);
  for (const [name, { version }] of forX64)
    expect.soft(packages.get(name.replace('x64', 'arm64')), name).toMatchObject({ version });
});
