import { message } from '../../../domain/language/message.ts';
import { asMap, type Given, GivenFault, readAddress, readText } from '../record/read-given.ts';
import type { SmsGateway, SmsMaker } from '../record/sms-maker.ts';
import { findMaker, listMakers, SMS_MAKERS } from './makers.ts';

export function readGateway(given: Given): SmsGateway {
  const gateway = readText(given, 'gateway');
  if (gateway === 'custom') return readCustom(given);
  const maker = findMaker({ gateway });
  if (maker) return readOfMaker(maker, given);
  const names = [...SMS_MAKERS.map(({ name }) => name), 'custom'].join(', ');
  throw new GivenFault(({ say }) => say('It has a "gateway" that is none of {names}.', { names }), 'gateway');
}

function readCustom(given: Given): SmsGateway {
  const method = String(given.method ?? 'POST');
  const encode = String(given.encode ?? 'json');
  if (!['POST', 'PUT', 'GET'].includes(method))
    throw new GivenFault(message('It has a "method" that is not POST, PUT or GET.'), 'method');
  if (!['json', 'form'].includes(encode))
    throw new GivenFault(message('It has an "encode" that is not json or form.'), 'encode');
  const headers = Object.entries(asMap(given.headers ?? {}, 'headers')).map(
    ([name, value]) => [name.toLowerCase(), String(value)] as const,
  );
  return {
    gateway: 'custom',
    method: method as SmsGateway['method'],
    url: readAddress(given),
    headers: { ...Object.fromEntries(headers), ...readCredentials(given) },
    encode: encode as SmsGateway['encode'],
    body: asMap(given.body ?? {}, 'body'),
    from: String(given.from ?? ''),
    hookSecret: null,
    takesReplies: false,
    statusField: null,
  };
}

function readOfMaker({ name, preset, hooks }: SmsMaker, given: Given): SmsGateway {
  const from = String(given.from ?? '');
  if (from === '') throw new GivenFault(message('It needs "from" for SMS.'), 'from');
  const { asks, encode, body, statusField } = preset;
  const headers =
    asks === 'access_key'
      ? { authorization: `AccessKey ${readText(given, 'token')}` }
      : readCredentials(given);
  if (!headers.authorization)
    throw new GivenFault(message('It needs "user" and "password" for SMS.'), 'user');
  const user = encodeURIComponent(String(given.user ?? ''));
  const url = readAddress(given, preset.url).replace('{user}', user);
  const hookSecret = hooks?.secret === 'password' ? String(given.password) : readHookSecret(given);
  const takesReplies = given.replies === true;
  if (takesReplies && (hookSecret === null || !hooks?.replies))
    throw new GivenFault(
      (language) =>
        language.say('It takes "replies" only by {makers}, and with a "hook_secret" by {signing}.', {
          makers: listMakers(({ hooks: one }) => one?.replies && one.secret === 'password', language, 'name'),
          signing: listMakers(
            ({ hooks: one }) => one?.replies && one.secret === 'hook_secret',
            language,
            'name',
          ),
        }),
      'replies',
    );
  return {
    gateway: name,
    method: 'POST',
    url,
    headers,
    encode,
    body,
    from,
    hookSecret,
    takesReplies,
    statusField,
  };
}

const readHookSecret = (given: Given): string | null =>
  given.hook_secret === undefined ? null : readText(given, 'hook_secret');

function readCredentials({ user, password, token }: Given): Record<string, string> {
  if (token !== undefined) return { authorization: `Bearer ${String(token)}` };
  if (user === undefined || password === undefined) return {};
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}
