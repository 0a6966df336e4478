import { expect, test } from 'vitest';
import { findInForce, findLinkBase, findSetBy } from './in-force.ts';
import { readEnvironment } from './read-environment.ts';
import type { SettingValues } from './stored.ts';

const inForce = (env: Record<string, string>, values: Partial<SettingValues> = {}) =>
  findInForce(readEnvironment(env), { values, unread: [] });

test.each([
  [{ MAIL_FROM: 'Cold Watch <watch@lab.example>' }, { name: 'Cold Watch', address: 'watch@lab.example' }],
  [{ MAIL_FROM: 'watch@lab.example' }, { name: null, address: 'watch@lab.example' }],
  [
    { TOCSIN_PUBLIC_URL: 'https://tocsin.lab.example:8443/' },
    { name: 'Tocsin', address: 'tocsin@tocsin.lab.example' },
  ],
  [{}, { name: 'Tocsin', address: 'tocsin@localhost' }],
])('%o sends mail from %o', (env, from) => expect(inForce(env).mailFrom).toEqual(from));

const STORED: Partial<SettingValues> = {
  public_url: { url: 'https://stored.example/' },
  mail_server: { host: 'stored.example', port: 25, tls: 'offered', auth: null, ca: null },
  mail_from: { text: 'stored@lab.example' },
  pushover: { token: 'stored' },
  telegram: { token: 'stored' },
};

test('what keepers set on pages counts where the environment says nothing', () => {
  const { publicUrl, mail, mailFrom, providers } = inForce({}, STORED);
  expect(publicUrl?.href).toBe('https://stored.example/');
  expect(mail).toMatchObject({ kind: 'server', server: { host: 'stored.example' } });
  expect(mailFrom.address).toBe('stored@lab.example');
  expect(providers).toMatchObject({
    pushover: { token: 'stored' },
    telegram: { token: 'stored' },
    sms: null,
  });
});

test('the environment wins, each variable over what it says', () => {
  const env = { SMTP_URL: 'smtp://env.example', TOCSIN_PUBLIC_URL: 'https://env.example' };
  const { publicUrl, mail, mailFrom } = inForce(env, STORED);
  expect(publicUrl?.host).toBe('env.example');
  expect(mail).toMatchObject({ kind: 'server', server: { host: 'env.example' } });
  expect(mailFrom.address).toBe('stored@lab.example');
  expect(findSetBy(readEnvironment(env), 'mail_server')).toBe('SMTP_URL');
  expect(findSetBy(readEnvironment(env), 'mail_from')).toBeNull();
});

test('what cannot be read is not taken for what is not set', () => {
  const read = (env: Record<string, string>) =>
    findInForce(readEnvironment(env), { values: {}, unread: ['mail_server', 'sms'] });
  expect(read({})).toMatchObject({ mail: { kind: 'unread' }, unread: ['mail_server', 'sms'] });
  expect(read({ SMTP_URL: 'smtp://env.example' })).toMatchObject({
    mail: { kind: 'server' },
    unread: ['sms'],
  });
});

test('links begin with the public address, a path of it as well', () => {
  expect(findLinkBase(inForce({ TOCSIN_PUBLIC_URL: 'https://lab.example/tocsin/' }))).toBe(
    'https://lab.example/tocsin',
  );
  expect(findLinkBase(inForce({}))).toBeNull();
});
