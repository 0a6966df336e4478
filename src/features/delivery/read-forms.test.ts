import { describe, expect, test } from 'vitest';
import { makeCertificate } from '../../../test/support/self-signed-certificate.ts';
import { english } from '../../domain/language/english.ts';
import type { StoredMailServer } from '../../engine/delivery-settings/stored.ts';
import { READERS } from './read-forms.ts';

const SERVER = {
  host: 'mail.lab.example',
  security: 'required',
  port: '',
  user: 'tocsin',
  password: 'geheim',
  ca: '',
};
const BEFORE: StoredMailServer = {
  host: 'mail.lab.example',
  port: 587,
  tls: 'required',
  auth: { user: 'tocsin', password: 'kept' },
  ca: null,
};

describe('a mail server', () => {
  const { cert } = makeCertificate();
  test.each<[string, Partial<typeof SERVER>, Partial<StoredMailServer>]>([
    ['by STARTTLS', {}, { port: 587, tls: 'required', auth: { user: 'tocsin', password: 'geheim' } }],
    ['encrypted from the start', { security: 'from_start' }, { port: 465, tls: 'from_start' }],
    [
      'a relay that asks for nothing',
      { security: 'offered', user: '', password: '' },
      { tls: 'offered', auth: null },
    ],
    ['within the machine', { security: 'offered', host: '127.0.0.1' }, { host: '127.0.0.1', tls: 'offered' }],
    ['a port of its own', { port: '2525' }, { port: 2525 }],
    ['an address of IPv6', { host: '[fd00::25]' }, { host: 'fd00::25' }],
    ['an authority of its own', { ca: cert }, { ca: cert }],
  ])('%s', (_, typed, stored) =>
    expect(READERS.mail_server({ ...SERVER, ...typed }, null, english)).toMatchObject({
      ok: true,
      value: stored,
    }),
  );

  test.each<[string, Partial<typeof SERVER>, string]>([
    ['no host', { host: '' }, 'host'],
    ['a host with a path', { host: 'mail.lab.example/x' }, 'host'],
    ['a host with a line break', { host: 'mail\r\nlab' }, 'host'],
    ['a port that is none', { port: '70000' }, 'port'],
    ['a port in words', { port: 'smtp' }, 'port'],
    ['no such encryption', { security: 'none' }, 'security'],
    ['a password in the clear', { security: 'offered' }, 'security'],
    ['a user without a password', { password: '' }, 'password'],
    ['a password without a user', { user: '' }, 'user'],
    ['a certificate that is none', { ca: '-----BEGIN CERTIFICATE-----\nx' }, 'ca'],
  ])('%s is refused', (_, typed, field) =>
    expect(READERS.mail_server({ ...SERVER, ...typed }, null, english)).toMatchObject({
      ok: false,
      refusal: { field },
    }),
  );

  const KEEPING = { ...SERVER, password: '' };
  test('a password that is left empty stays', () =>
    expect(READERS.mail_server(KEEPING, BEFORE, english)).toMatchObject({
      ok: true,
      value: { auth: { password: 'kept' } },
    }));

  test.each([
    ['host', { host: 'mail.elsewhere.example' }],
    ['port', { port: '2525' }],
    ['user', { user: 'another' }],
    ['encryption', { security: 'from_start' }],
  ])('it does not go to another %s', (_, typed) =>
    expect(READERS.mail_server({ ...KEEPING, ...typed }, BEFORE, english)).toEqual({
      ok: false,
      refusal: {
        field: 'password',
        text: 'Type it again: a secret goes nowhere but where it was given for.',
      },
    }),
  );
});

describe('a provider of SMS', () => {
  const BASIC = { from: '+491510000000', user: 'AC1', password: 'geheim' };
  test.each([
    ['46elks', BASIC],
    ['sipgate', BASIC],
    ['twilio', { ...BASIC, replies: 'on' }],
    ['vonage', { ...BASIC, hook_secret: 'sign', replies: 'on' }],
    ['messagebird', { from: 'Lab', token: 'key' }],
    [
      'custom',
      {
        url: 'https://sms.lab.example/{to}',
        method: 'PUT',
        encode: 'form',
        headers: 'X-Key: 1',
        body: '{"t":"{text}"}',
      },
    ],
  ])('%s', (gateway, form) =>
    expect(READERS.sms({ gateway, ...form } as never, null, english)).toMatchObject({
      ok: true,
      value: { gateway },
    }),
  );

  test.each([
    ['no provider', { gateway: 'pigeons' }, 'gateway'],
    ['nobody it is from', { gateway: 'twilio', user: 'AC1', password: 'x' }, 'from'],
    ['no sign-in', { gateway: 'twilio', from: '+49' }, 'user'],
    ['replies that cannot come', { gateway: 'sipgate', ...BASIC, replies: 'on' }, 'replies'],
    ['no address', { gateway: 'custom', method: 'POST', encode: 'json' }, 'url'],
    [
      'no such method',
      { gateway: 'custom', url: 'https://x.example', method: 'DELETE', encode: 'json' },
      'method',
    ],
    ['headers that are none', { gateway: 'custom', url: 'https://x.example', headers: 'nothing' }, 'headers'],
    ['a body that is none', { gateway: 'custom', url: 'https://x.example', body: '[1]' }, 'body'],
  ])('%s is refused', (_, form, field) =>
    expect(READERS.sms(form as never, null, english)).toMatchObject({ ok: false, refusal: { field } }),
  );

  const before = { gateway: 'twilio', ...BASIC };
  test('what is kept goes to no other address and no other provider', () => {
    const form = { gateway: 'twilio', from: '+4930', user: 'AC1', password: '' };
    expect(READERS.sms(form, before, english)).toMatchObject({
      ok: true,
      value: { from: '+4930', password: 'geheim' },
    });
    expect(READERS.sms({ ...form, url: 'https://evil.example' }, before, english)).toMatchObject({
      ok: false,
      refusal: { field: 'password' },
    });
    expect(READERS.sms({ ...form, gateway: 'vonage' }, before, english)).toMatchObject({ ok: false });
    const custom = {
      gateway: 'custom',
      url: 'https://sms.lab.example',
      method: 'POST',
      encode: 'json',
      headers: { 'X-Key': '1' },
    };
    const typed = { gateway: 'custom', method: 'PUT', encode: 'json' };
    expect(READERS.sms(typed, custom, english)).toMatchObject({
      ok: true,
      value: { method: 'PUT', headers: { 'X-Key': '1' } },
    });
    expect(READERS.sms({ ...typed, url: 'https://evil.example' }, custom, english)).toMatchObject({
      ok: true,
      value: { headers: {} },
    });
  });
});

test.each(['pushover', 'telegram'] as const)('the token of %s', (name) => {
  expect(READERS[name]({ token: '12:ab_C-d' }, null, english)).toEqual({
    ok: true,
    value: { token: '12:ab_C-d' },
  });
  expect(READERS[name]({ token: '' }, { token: 'kept' }, english)).toEqual({
    ok: true,
    value: { token: 'kept' },
  });
  for (const form of [{ token: '' }, { token: 'a/b' }, { token: 'ok', url: 'ftp://x' }])
    expect(READERS[name](form, null, english)).toMatchObject({ ok: false });
  expect(READERS[name]({ token: '', url: 'https://evil.example' }, { token: 'kept' }, english)).toMatchObject(
    {
      refusal: { field: 'token' },
    },
  );
});

test('Signal', () => {
  expect(READERS.signal({ number: '+4930', url: 'http://localhost:8081' }, null, english)).toMatchObject({
    ok: true,
  });
  expect(READERS.signal({ number: '', url: 'http://localhost:8081' }, null, english)).toMatchObject({
    refusal: { field: 'number' },
  });
  expect(READERS.signal({ number: '+4930', url: 'localhost' }, null, english)).toMatchObject({
    refusal: { field: 'url' },
  });
});

test.each([
  ['https://tocsin.lab.example', true],
  ['http://192.168.1.5:8080/tocsin/', true],
  ['tocsin.lab.example', false],
  ['javascript:alert(1)', false],
  ['https://ada:geheim@lab.example', false],
  ['https://lab.example/?x=1', false],
])('the public address %s', (url, isTaken) =>
  expect(READERS.public_url({ url }, null, english)).toMatchObject({ ok: isTaken }),
);

test.each([
  ['Tocsin <tocsin@lab.example>', true],
  ['tocsin@lab.example', true],
  ['Tocsin', false],
  ['a@b.example, c@d.example', false],
])('mail from %s', (from, isTaken) =>
  expect(READERS.mail_from({ from }, null, english)).toMatchObject({ ok: isTaken }),
);
