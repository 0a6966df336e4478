// What a keeper typed in, as it is stored; or what is wrong with it, and where. A secret that is left empty stays as it is, but
// only where everything stays by which it could travel elsewhere.

import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { parseJson } from '../../domain/json/parse-json.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import type { SettingName, SettingValues, StoredMailServer } from '../../engine/delivery-settings/stored.ts';
import type { FormFields } from '../../platform/http/form-body.ts';
import { readMailAddress } from '../../platform/mail/read-mail-address.ts';
import { isLoopback } from '../../platform/mail/read-smtp-url.ts';
import { type Given, readChannel } from '../../platform/read-channels.ts';

export interface FormFault {
  field: string;
  text: string;
}

type Read<Value> = Result<Value, FormFault>;
type Reader<Name extends SettingName> = (
  form: FormFields,
  before: SettingValues[Name] | null,
) => Read<SettingValues[Name]>;

export const READERS: { [Name in SettingName]: Reader<Name> } = {
  public_url: readPublicUrl,
  mail_server: readMailServer,
  mail_from: readMailFrom,
  sms: (form, before) => (form.gateway === 'custom' ? readCustom(form, before) : readPreset(form, before)),
  pushover: (form, before) => readBot('pushover', form, before),
  telegram: (form, before) => readBot('telegram', form, before),
  signal: (form) => check('signal', { number: field(form, 'number'), url: field(form, 'url') }),
};

const fault = (name: string, text: string) => refuse({ field: name, text });
const field = (form: FormFields, name: string): string => (form[name] ?? '').trim();

const TYPE_AGAIN = 'Type it again: a secret goes nowhere but where it was given for.';
const LONGEST = 2_000;
const LONGEST_PEM = 16_000;

function readPublicUrl(form: FormFields): Read<SettingValues['public_url']> {
  const typed = field(form, 'url');
  const url = URL.canParse(typed) ? new URL(typed) : null;
  if (!url || !/^https?:$/.test(url.protocol) || typed.length > 500)
    return fault('url', 'Write an address that begins with https:// or http://.');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    return fault('url', 'Write the address alone, without a user, a question mark or a hash.');
  return ok({ url: url.href });
}

function readMailFrom(form: FormFields): Read<SettingValues['mail_from']> {
  const text = field(form, 'from');
  return readMailAddress(text) && text.length <= 320
    ? ok({ text })
    : fault('from', 'Write an address such as Tocsin <tocsin@lab.example>.');
}

const SECURITIES = ['from_start', 'required', 'offered'] as const;

function readMailServer(form: FormFields, before: StoredMailServer | null): Read<StoredMailServer> {
  const host = field(form, 'host').replace(/^\[(.*)\]$/, '$1');
  const isHost = isIP(host) > 0 || (/^[a-z0-9_]([a-z0-9._-]*[a-z0-9])?$/i.test(host) && host.length <= 253);
  if (!isHost) return fault('host', 'Write the name of the server, such as mail.lab.example.');
  const tls = SECURITIES.find((known) => known === form.security);
  if (!tls) return fault('security', 'Choose one of these.');
  const typedPort = field(form, 'port');
  const port = typedPort === '' ? (tls === 'from_start' ? 465 : 587) : Number(typedPort);
  if (!/^\d*$/.test(typedPort) || port < 1 || port > 65_535)
    return fault('port', 'Write a number from 1 to 65535, or nothing for the usual one.');
  const ca = readAuthority(form);
  if (!ca.ok) return ca;
  const server = { host, port, tls, ca: ca.value };
  const auth = readSignIn(form, server, before);
  if (!auth.ok) return auth;
  if (auth.value && tls === 'offered' && !isLoopback(host))
    return fault(
      'security',
      'A password never travels in the clear: choose encryption, or leave user and password empty.',
    );
  return ok({ ...server, auth: auth.value });
}

function readSignIn(
  form: FormFields,
  { host, port, tls }: Pick<StoredMailServer, 'host' | 'port' | 'tls'>,
  before: StoredMailServer | null,
): Read<StoredMailServer['auth']> {
  const [user, password] = [field(form, 'user'), form.password ?? ''];
  if (user.length > LONGEST || password.length > LONGEST) return fault('user', 'This is too long.');
  if (user === '' && password === '') return ok(null);
  if (user === '') return fault('user', 'A password goes with a user.');
  if (password !== '') return ok({ user, password });
  if (!before?.auth) return fault('password', 'A user goes with a password.');
  const isSame =
    before.host === host && before.port === port && before.tls === tls && before.auth.user === user;
  return isSame ? ok(before.auth) : fault('password', TYPE_AGAIN);
}

function readAuthority(form: FormFields): Read<string | null> {
  const pem = field(form, 'ca');
  if (pem === '') return ok(null);
  try {
    if (pem.length > LONGEST_PEM) throw new Error('too long');
    new X509Certificate(pem);
    return ok(`${pem}\n`);
  } catch {
    return fault('ca', 'This is no certificate. It begins with -----BEGIN CERTIFICATE-----.');
  }
}

const SMS_SECRETS = ['password', 'token', 'hook_secret'];

function readPreset(form: FormFields, before: Given | null): Read<Given> {
  const plain = fillIn(form, ['gateway', 'from', 'user', 'url']);
  const isSame = ['gateway', 'user', 'url'].every((name) => (before?.[name] ?? '') === (plain[name] ?? ''));
  const typed = fillIn(form, SMS_SECRETS);
  const kept = Object.fromEntries(SMS_SECRETS.map((name) => [name, before?.[name]]));
  const lost = SMS_SECRETS.find(
    (name) => !isSame && before?.gateway === plain.gateway && kept[name] !== undefined && !(name in typed),
  );
  if (lost !== undefined) return fault(lost, TYPE_AGAIN);
  const secrets = isSame ? { ...withoutEmpty(kept), ...typed } : typed;
  return check('sms', { ...plain, ...secrets, ...(form.replies === 'on' && { replies: true }) });
}

/** Address, headers and body may all hold secrets: none of them is shown again, and they change together. */
function readCustom(form: FormFields, given: Given | null): Read<Given> {
  const before = given?.gateway === 'custom' ? given : null;
  const url = field(form, 'url');
  const kept = url === '' ? before : null;
  const headers = readHeaders(form.headers ?? '');
  if (!headers.ok) return headers;
  const body = readBody(form.body ?? '');
  if (!body.ok) return body;
  return check('sms', {
    gateway: 'custom',
    method: field(form, 'method'),
    encode: field(form, 'encode'),
    url: url || kept?.url,
    headers: headers.value ?? kept?.headers ?? {},
    body: body.value ?? kept?.body ?? {},
    ...fillIn(form, ['from']),
  });
}

function readHeaders(text: string): Read<Given | null> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) return ok(null);
  const pairs = lines.map((line) => {
    const [name = '', ...rest] = line.split(':');
    return [name, rest.join(':').trim()] as const;
  });
  const isHeader = ([name, value]: readonly [string, string]) =>
    /^[A-Za-z0-9-]+$/.test(name) && /^[\x20-\x7e]+$/.test(value);
  if (text.length > LONGEST || !pairs.every(isHeader))
    return fault('headers', 'Write one header a line, such as Authorization: Bearer 123.');
  return ok(Object.fromEntries(pairs));
}

function readBody(text: string): Read<Given | null> {
  if (text.trim() === '') return ok(null);
  const read = text.length <= LONGEST ? parseJson(text) : undefined;
  if (typeof read === 'object' && read !== null && !Array.isArray(read)) return ok(read as Given);
  return fault('body', 'Write an object of JSON, such as {"to": "{to}", "text": "{text}"}.');
}

function readBot(name: 'pushover' | 'telegram', form: FormFields, before: Given | null): Read<Given> {
  const plain = fillIn(form, ['url']);
  const typed = field(form, 'token');
  if (typed === '' && before?.token !== undefined) {
    if ((before.url ?? '') !== (plain.url ?? '')) return fault('token', TYPE_AGAIN);
    return check(name, { ...plain, token: before.token });
  }
  if (!/^[A-Za-z0-9:_-]{1,200}$/.test(typed))
    return fault('token', 'Write the token as its maker shows it: letters, digits, : _ and -.');
  return check(name, { ...plain, token: typed });
}

/** What is empty is left out. */
const fillIn = (form: FormFields, names: string[]): Given =>
  withoutEmpty(Object.fromEntries(names.map((name) => [name, field(form, name)])));

const withoutEmpty = (given: Given): Given =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '' && value !== undefined));

/** By the reader of TOCSIN_CHANNELS, whose sentences quote the field. */
function check(name: 'sms' | 'pushover' | 'telegram' | 'signal', given: Given): Read<Given> {
  const long = Object.entries(given).find(([, value]) => typeof value === 'string' && value.length > LONGEST);
  if (long) return fault(long[0], 'This is too long.');
  const read = readChannel(name, given);
  if (typeof read !== 'string') return ok(given);
  return fault(/"(\w+)"/.exec(read)?.[1] ?? '', `It ${read}.`);
}
