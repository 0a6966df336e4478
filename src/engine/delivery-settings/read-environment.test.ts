import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { StartError } from '../../platform/start-error.ts';
import { NO_PROVIDERS } from '../providers/providers.ts';
import { readEnvironment } from './read-environment.ts';

function fileOf(text: string): { TOCSIN_CHANNELS: string } {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-channels-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'channels.yaml');
  writeFileSync(path, text);
  return { TOCSIN_CHANNELS: path };
}

test('without a file nothing is set up', () => {
  expect(readEnvironment({}).providers).toEqual(NO_PROVIDERS);
});

test('the file of TOCSIN_CHANNELS sets up what it names', () => {
  expect(readEnvironment(fileOf('telegram: { token: "1:t" }')).providers).toEqual({
    ...NO_PROVIDERS,
    telegram: { token: '1:t', url: 'https://api.telegram.org' },
  });
});

test('a file that cannot be used stops the start with one line', () => {
  expect(() => readEnvironment(fileOf('telegram: {}'))).toThrow(
    new StartError('The file of TOCSIN_CHANNELS needs "token"'),
  );
});
