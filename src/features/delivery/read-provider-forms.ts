// What a keeper typed in of a provider, in the words of TOCSIN_CHANNELS.
import { parseJson } from '../../domain/json/parse-json.ts';
import { sayOne } from '../../domain/language/sayable.ts';
import type { Language } from '../../domain/language/speak.ts';
import { ok } from '../../domain/result.ts';
import { providerNamed, SET_PROVIDERS, type SetProviderName } from '../../engine/providers/providers.ts';
import { readSettingsOf } from '../../engine/providers/read-provider-settings.ts';
import type { Given } from '../../engine/providers/record/read-given.ts';
import type { FormFields } from '../../platform/http/form-body.ts';
import { EXAMPLE_BODY, fault, field, LONGEST, type Read, TYPE_AGAIN } from './read-field.ts';

type Reader = (form: FormFields, before: Given | null, language: Language) => Read<Given>;
type KnownProvider = (typeof SET_PROVIDERS)[number];

const readSms: Reader = (form, before, language) =>
  (form.gateway === 'custom' ? readCustom : readPreset)(form, before, language);

/** Those that have a card of their own have a reader of their own. */
const OWN: Partial<Record<SetProviderName, Reader>> = { sms: readSms };

export const PROVIDER_READERS = Object.fromEntries(
  SET_PROVIDERS.map((provider) => [
    provider.name,
    OWN[provider.name] ?? ((...given: Parameters<Reader>) => readFields(provider, ...given)),
  ]),
) as Record<SetProviderName, Reader>;

const SMS_SECRETS = ['password', 'token', 'hook_secret'];

function readPreset(form: FormFields, before: Given | null, language: Language): Read<Given> {
  const plain = fillIn(form, ['gateway', 'from', 'user', 'url']);
  const isSame = ['gateway', 'user', 'url'].every((name) => (before?.[name] ?? '') === (plain[name] ?? ''));
  const typed = fillIn(form, SMS_SECRETS);
  const kept = Object.fromEntries(SMS_SECRETS.map((name) => [name, before?.[name]]));
  const lost = SMS_SECRETS.find(
    (name) => !isSame && before?.gateway === plain.gateway && kept[name] !== undefined && !(name in typed),
  );
  if (lost !== undefined) return fault(lost, language.say(TYPE_AGAIN));
  const secrets = isSame ? { ...withoutEmpty(kept), ...typed } : typed;
  return check('sms', { ...plain, ...secrets, ...(form.replies === 'on' && { replies: true }) }, language);
}

/** Address, headers and body may all hold secrets: none of them is shown again, and they change together. */
function readCustom(form: FormFields, given: Given | null, language: Language): Read<Given> {
  const before = given?.gateway === 'custom' ? given : null;
  const url = field(form, 'url');
  const kept = url === '' ? before : null;
  const headers = readHeaders(form.headers ?? '', language);
  if (!headers.ok) return headers;
  const body = readBody(form.body ?? '', language);
  if (!body.ok) return body;
  return check(
    'sms',
    {
      gateway: 'custom',
      method: field(form, 'method'),
      encode: field(form, 'encode'),
      url: url || kept?.url,
      headers: headers.value ?? kept?.headers ?? {},
      body: body.value ?? kept?.body ?? {},
      ...fillIn(form, ['from']),
    },
    language,
  );
}

function readHeaders(text: string, { say }: Language): Read<Given | null> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) return ok(null);
  const pairs = lines.map((line) => {
    const [name = '', ...rest] = line.split(':');
    return [name, rest.join(':').trim()] as const;
  });
  const isHeader = ([name, value]: readonly [string, string]) =>
    /^[A-Za-z0-9-]+$/.test(name) && /^[\x20-\x7e]+$/.test(value);
  if (text.length > LONGEST || !pairs.every(isHeader))
    return fault('headers', say('Write one header a line, such as Authorization: Bearer 123.'));
  return ok(Object.fromEntries(pairs));
}

function readBody(text: string, { say }: Language): Read<Given | null> {
  if (text.trim() === '') return ok(null);
  const read = text.length <= LONGEST ? parseJson(text) : undefined;
  if (typeof read === 'object' && read !== null && !Array.isArray(read)) return ok(read as Given);
  return fault('body', say('Write an object of JSON, such as {example}.', { example: EXAMPLE_BODY }));
}

function readFields(
  { name, form: asked }: KnownProvider,
  form: FormFields,
  before: Given | null,
  language: Language,
): Read<Given> {
  const fields = asked?.fields ?? [];
  const plain = fillIn(
    form,
    fields.filter(({ secret }) => !secret).map((one) => one.name),
  );
  const isSameAddress = (before?.url ?? '') === (plain.url ?? '');
  const given = { ...plain };
  for (const { name: secretName, secret } of fields) {
    if (!secret) continue;
    const typed = field(form, secretName);
    const kept = typed === '' ? before?.[secretName] : undefined;
    if (kept !== undefined && !isSameAddress) return fault(secretName, language.say(TYPE_AGAIN));
    if (kept === undefined && !secret.pattern.test(typed))
      return fault(secretName, sayOne(secret.fault, language));
    given[secretName] = kept ?? typed;
  }
  return check(name, given, language);
}

/** What is empty is left out. */
const fillIn = (form: FormFields, names: string[]): Given =>
  withoutEmpty(Object.fromEntries(names.map((name) => [name, field(form, name)])));

const withoutEmpty = (given: Given): Given =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '' && value !== undefined));

/** By the reader of TOCSIN_CHANNELS. */
function check(name: SetProviderName, given: Given, language: Language): Read<Given> {
  const long = Object.entries(given).find(([, value]) => typeof value === 'string' && value.length > LONGEST);
  if (long) return fault(long[0], language.say('This is too long.'));
  const read = readSettingsOf(providerNamed(name), given);
  return 'settings' in read ? ok(given) : fault(read.field, sayOne(read.text, language));
}
