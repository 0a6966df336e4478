import { expect, test } from 'vitest';
import type { PinNeed } from '../../../domain/accounts/phone-pin.ts';
import { english } from '../../../domain/language/english.ts';
import { speak } from '../../../domain/language/speak.ts';
import { languageBy, PERSON_KINDS } from '../providers.ts';
import { readProviderSettings } from '../read-provider-settings.ts';
import { sayCode } from '../record/message.ts';
import { writeCall, writePinQuestion } from './write-call.ts';

test.each<[PinNeed, string]>([
  ['none', 'Press 1 to acknowledge, 2 to pass it on'],
  ['asked', 'Press 1 to acknowledge by your PIN, 2 to pass it on'],
  ['missing', 'you have none: set one on your profile, or acknowledge in Tocsin. Press 2 to pass it on'],
])('a call says what its keys do: PIN %s', (pin, words) => {
  const call = writeCall('Freezer <3>', 'https://x.example/a?b&c', pin, english);
  expect(call).toContain(words);
  expect(call).toContain('<Say>Freezer &lt;3&gt;</Say>');
  expect(call).toContain('action="https://x.example/a?b&amp;c"');
});

test('a PIN ends with the hash key, and nothing typed acknowledges nothing', () => {
  expect(writePinQuestion('Type it.', 'https://x.example/1', english)).toBe(
    '<Response><Gather finishOnKey="#" timeout="15" action="https://x.example/1"><Say>Type it.</Say></Gather>' +
      '<Say>No PIN was typed. Nothing is acknowledged.</Say></Response>',
  );
});

test.each([
  ['de', 'de-DE'],
  ['pt', 'pt-BR'],
  ['pt-PT', 'pt-PT'],
  ['es-AR', 'es-ES'],
  ['zh-Hant', 'zh-TW'],
])('a voice of %s speaks %s', (tag, voice) => {
  const language = speak(tag, { 'Press 9 to hear it again.': '9!' });
  expect(writeCall('Kühlschrank', 'https://x.example', 'nothing', language)).toContain(
    `<Say language="${voice}">Kühlschrank</Say><Say language="${voice}">9!</Say>`,
  );
  expect(languageBy('voice', language)).toBe(language);
});

test('who reads what no voice speaks is called in English, and gets an SMS in their language', () => {
  const welsh = speak('cy', {});
  expect(languageBy('voice', welsh)).toBe(english);
  expect(languageBy('sms', welsh)).toBe(welsh);
});

test('a code is read out digit by digit', () => {
  const providers = readProviderSettings('sms: { gateway: twilio, user: AC1, password: s, from: "+4930" }');
  if (typeof providers === 'string' || !providers.sms) throw new Error(String(providers));
  const { body } = PERSON_KINDS.voice.post(
    sayCode('code-1', '047110', 'Oscar', english),
    { address: '+491512345678', secret: null },
    providers.sms,
    null,
    new Date(0),
  );
  const said = new URLSearchParams(String(body)).get('Twiml');
  expect(said).toContain('0, 4, 7, 1, 1, 0');
  expect(said).not.toContain('047110');
});
