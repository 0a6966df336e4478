import { expect, test } from 'vitest';
import { readProviderSettings } from './read-provider-settings.ts';
import { writeSms } from './sms/write-sms.ts';

const message = { id: '7', to: '+491512345678', text: 'CRITICAL Freezer 3' };

const write = (text: string) => {
  const providers = readProviderSettings(`sms: ${text}`);
  if (typeof providers === 'string' || !providers.sms) throw new Error(String(providers));
  const { url, headers, body, method } = writeSms(providers.sms, message, 'https://tocsin.lab.example');
  return { method, url: url.href, authorization: headers.authorization, body: String(body) };
};
const basic = `Basic ${Buffer.from('u:p').toString('base64')}`;

test.each([
  [
    '{ gateway: 46elks, user: u, password: p, from: Tocsin, hook_secret: s }',
    'https://api.46elks.com/a1/sms',
    basic,
    'from=Tocsin&to=%2B491512345678&message=CRITICAL+Freezer+3&whendelivered=https%3A%2F%2Ftocsin.lab.example%2Fhooks%2F46elks%2Fs%2Fstatus',
  ],
  [
    '{ gateway: sipgate, user: u, password: p, from: s0 }',
    'https://api.sipgate.com/v2/sessions/sms',
    basic,
    '{"smsId":"s0","recipient":"+491512345678","message":"CRITICAL Freezer 3"}',
  ],
  [
    '{ gateway: messagebird, token: k, from: Tocsin }',
    'https://rest.messagebird.com/messages',
    'AccessKey k',
    '{"originator":"Tocsin","recipients":["491512345678"],"body":"CRITICAL Freezer 3","datacoding":"auto","reference":"7"}',
  ],
  [
    '{ gateway: vonage, user: u, password: p, from: Tocsin }',
    'https://api.nexmo.com/v1/messages',
    basic,
    '{"message_type":"text","channel":"sms","to":"491512345678","from":"Tocsin","text":"CRITICAL Freezer 3","client_ref":"7"}',
  ],
  [
    '{ gateway: twilio, user: AC1, password: p, from: "+4930" }',
    'https://api.twilio.com/2010-04-01/Accounts/AC1/Messages.json',
    `Basic ${Buffer.from('AC1:p').toString('base64')}`,
    'To=%2B491512345678&From=%2B4930&Body=CRITICAL+Freezer+3&StatusCallback=https%3A%2F%2Ftocsin.lab.example%2Fhooks%2Ftwilio%2Fstatus',
  ],
  [
    '{ gateway: custom, method: GET, url: "https://sms.example/send?to={digits}&text={text}", token: t }',
    'https://sms.example/send?to=491512345678&text=CRITICAL%20Freezer%203',
    'Bearer t',
    '',
  ],
])('%s', (text, url, authorization, body) => {
  expect(write(text)).toMatchObject({ url, authorization, body });
});

test.each([
  ['pager: {}', 'knows no channel "pager"'],
  ['sms: { gateway: pigeon }', 'none of 46elks, sipgate'],
  ['sms: { gateway: 46elks, user: u, password: p }', 'needs "from"'],
  ['sms: { gateway: 46elks, from: x }', 'needs "user" and "password"'],
  ['sms: { gateway: sipgate, user: u, password: p, from: x, replies: true }', 'takes "replies" only by'],
  ['sms: { gateway: custom, url: "ftp://x" }', '"url"'],
  ['sms: [1]', 'must be a list of names with values'],
  ['telegram: {}', 'needs "token"'],
  ['signal: { number: "+49" }', 'needs "url"'],
  ['{ : ', 'is no YAML'],
])('%s is refused in words', (text, words) => {
  expect(readProviderSettings(text)).toContain(words);
});

test('an empty file sets up nothing', () => {
  expect(readProviderSettings('')).toEqual({
    sms: null,
    pushover: null,
    telegram: null,
    signal: null,
    push: null,
  });
});
