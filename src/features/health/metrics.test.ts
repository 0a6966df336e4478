import { Registry } from 'prom-client';
import { expect, onTestFinished, test } from 'vitest';
import { addLanguage, allLanguages, replaceLanguages } from '../../platform/languages/languages.ts';
import { measureHealth } from './metrics.ts';

test('what a language lacks is counted where it is said', async () => {
  const before = allLanguages();
  onTestFinished(() => replaceLanguages(before));
  const frisian = addLanguage('fy', {});
  expect(frisian.say('Alarm on {unit}', { unit: 'Freezer 3' })).toBe('Alarm on Freezer 3');
  const registry = new Registry();
  measureHealth(registry, {} as Parameters<typeof measureHealth>[1]);
  expect(await registry.getSingleMetricAsString('tocsin_texts_untranslated')).toContain(
    'tocsin_texts_untranslated{language="fy"} 1',
  );
});
