import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { english } from '../../domain/language/english.ts';
import { readProviderSettings } from '../../engine/providers/read-provider-settings.ts';
import { SMS_MAKERS } from '../../engine/providers/sms/makers.ts';
import { renderFragment } from '../../platform/html/fragment.ts';
import { SmsForm } from './sms-forms.tsx';

test('the form names the makers by what each of them can', () => {
  const form = renderFragment(
    <SmsForm typed={{}} errorOf={() => undefined} hasSecret={() => false} />,
    english,
  );
  for (const words of [
    '>46elks</option>',
    '>Twilio (SMS and calls)</option>',
    'at sipgate the id of the SMS line.',
    'or token id. Not for MessageBird.',
    'Of MessageBird only.',
    'By which Vonage and MessageBird sign; for 46elks any long word.',
    'Twilio signs by its password.',
    'By Twilio, Vonage and 46elks, where the number can receive.',
  ])
    expect(form).toContain(words);
});

test('who takes replies is said where one does not', () => {
  expect(
    readProviderSettings('sms: { gateway: sipgate, user: u, password: p, from: x, replies: true }'),
  ).toBe('takes "replies" only by twilio, and with a "hook_secret" by vonage and 46elks');
});

test('a maker is named in its own folder, and nowhere else', () => {
  const folder = join(import.meta.dirname, '../..');
  const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => ({
      name,
      text: readFileSync(join(folder, name), 'utf8').replaceAll(/^import .*$/gm, ''),
    }));
  const named = SMS_MAKERS.flatMap(({ name: maker, label }) =>
    texts
      .filter(({ name }) => !name.includes(`providers/${maker}/`))
      .filter(({ text }) =>
        [maker, label].some((word) => new RegExp(`['\`][^'\`\\n]*\\b${word}\\b`).test(text)),
      )
      .map(({ name }) => `${name} names ${label}`),
  );
  expect(named).toEqual([]);
});
