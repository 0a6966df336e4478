// What a keeper typed in, as it is stored; or what is wrong with it, and where. A secret that is left empty stays as it is, but
// only where everything stays by which it could travel elsewhere.

import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { Language } from '../../domain/language/speak.ts';
import { ok } from '../../domain/result.ts';
import type { SettingName, SettingValues, StoredMailServer } from '../../engine/delivery-settings/stored.ts';
import type { FormFields } from '../../platform/http/form-body.ts';
import { readMailAddress } from '../../platform/mail/read-mail-address.ts';
import { isLoopback } from '../../platform/mail/read-smtp-url.ts';
import { fault, field, LONGEST, type Read, TYPE_AGAIN } from './read-field.ts';
import { PROVIDER_READERS } from './read-provider-forms.ts';

type Reader<Name extends SettingName> = (
  form: FormFields,
  before: SettingValues[Name] | null,
  language: Language,
) => Read<SettingValues[Name]>;

export const READERS: { [Name in SettingName]: Reader<Name> } = {
  public_url: readPublicUrl,
  mail_server: readMailServer,
  mail_from: readMailFrom,
  ...PROVIDER_READERS,
};

const LONGEST_PEM = 16_000;

function readPublicUrl(form: FormFields, _: unknown, { say }: Language): Read<SettingValues['public_url']> {
  const typed = field(form, 'url');
  const url = URL.canParse(typed) ? new URL(typed) : null;
  if (!url || !/^https?:$/.test(url.protocol) || typed.length > 500)
    return fault('url', say('Write an address that begins with https:// or http://.'));
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    return fault('url', say('Write the address alone, without a user, a question mark or a hash.'));
  return ok({ url: url.href });
}

function readMailFrom(form: FormFields, _: unknown, { say }: Language): Read<SettingValues['mail_from']> {
  const text = field(form, 'from');
  return readMailAddress(text) && text.length <= 320
    ? ok({ text })
    : fault('from', say('Write an address such as {example}.', { example: 'Tocsin <tocsin@lab.example>' }));
}

const SECURITIES = ['from_start', 'required', 'offered'] as const;

function readMailServer(
  form: FormFields,
  before: StoredMailServer | null,
  language: Language,
): Read<StoredMailServer> {
  const { say } = language;
  const host = field(form, 'host').replace(/^\[(.*)\]$/, '$1');
  const isHost = isIP(host) > 0 || (/^[a-z0-9_]([a-z0-9._-]*[a-z0-9])?$/i.test(host) && host.length <= 253);
  if (!isHost) return fault('host', say('Write the name of the server, such as mail.lab.example.'));
  const tls = SECURITIES.find((known) => known === form.security);
  if (!tls) return fault('security', say('Choose one of these.'));
  const typedPort = field(form, 'port');
  const port = typedPort === '' ? (tls === 'from_start' ? 465 : 587) : Number(typedPort);
  if (!/^\d*$/.test(typedPort) || port < 1 || port > 65_535)
    return fault('port', say('Write a number from 1 to 65535, or nothing for the usual one.'));
  const ca = readAuthority(form, language);
  if (!ca.ok) return ca;
  const server = { host, port, tls, ca: ca.value };
  const auth = readSignIn(form, server, before, language);
  if (!auth.ok) return auth;
  if (auth.value && tls === 'offered' && !isLoopback(host))
    return fault(
      'security',
      say('A password never travels in the clear: choose encryption, or leave user and password empty.'),
    );
  return ok({ ...server, auth: auth.value });
}

function readSignIn(
  form: FormFields,
  { host, port, tls }: Pick<StoredMailServer, 'host' | 'port' | 'tls'>,
  before: StoredMailServer | null,
  { say }: Language,
): Read<StoredMailServer['auth']> {
  const [user, password] = [field(form, 'user'), form.password ?? ''];
  if (user.length > LONGEST || password.length > LONGEST) return fault('user', say('This is too long.'));
  if (user === '' && password === '') return ok(null);
  if (user === '') return fault('user', say('A password goes with a user.'));
  if (password !== '') return ok({ user, password });
  if (!before?.auth) return fault('password', say('A user goes with a password.'));
  const isSame =
    before.host === host && before.port === port && before.tls === tls && before.auth.user === user;
  return isSame ? ok(before.auth) : fault('password', say(TYPE_AGAIN));
}

function readAuthority(form: FormFields, { say }: Language): Read<string | null> {
  const pem = field(form, 'ca');
  if (pem === '') return ok(null);
  try {
    if (pem.length > LONGEST_PEM) throw new Error('too long');
    new X509Certificate(pem);
    return ok(`${pem}\n`);
  } catch {
    return fault('ca', say('This is no certificate. It begins with -----BEGIN CERTIFICATE-----.'));
  }
}
