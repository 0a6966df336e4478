import { message } from '../../../domain/language/message.ts';
import type { PersonKind } from '../record/person-kind.ts';
import type { SetProvider } from '../record/provider.ts';
import { asId, readJson } from '../record/read-answer.ts';
import { hostOf } from '../record/read-given.ts';
import { readNumber } from '../record/read-typed.ts';
import { type Calls, hookPathOf, type SmsGateway, type SmsMaker } from '../record/sms-maker.ts';
import { findMaker, SMS_MAKERS } from './makers.ts';
import { readGateway } from './read-gateway.ts';
import { writeSms } from './write-sms.ts';

const provider: SetProvider<'sms', SmsGateway> = {
  name: 'sms',
  label: message('SMS and calls'),
  read: readGateway,
  describe: ({ gateway, url }, { say }) => say('{gateway}, by {host}', { gateway, host: hostOf(url) }),
  form: null,
  secretsOf: ({ headers }) => [...Object.values(headers), ...secretsIn(headers.authorization)],
  ask: (gateway) => ({
    name: `SMS by ${gateway.gateway}`,
    url: findMaker(gateway)?.findAccount(gateway.url) ?? null,
    headers: gateway.headers,
  }),
  receipts: SMS_MAKERS.flatMap(({ receipts }) => receipts ?? []),
};

/** `Basic dXNlcjpwYXNz`: the whole, and what it is made of. */
function secretsIn(authorization: string | undefined): string[] {
  const [scheme, value = ''] = (authorization ?? '').split(' ');
  if (scheme !== 'Basic') return [value];
  const [, ...password] = Buffer.from(value, 'base64').toString('utf8').split(':');
  return [value, password.join(':')];
}

export const sms: PersonKind<typeof provider> = {
  label: message('SMS'),
  addressLabel: message('Mobile number'),
  hint: message('With the country, such as +49 151 23456789.'),
  secretLabel: null,
  provider,
  readAddress: readNumber,
  isPersonsAddress: false,
  replySecret: ({ takesReplies, hookSecret }) => (takesReplies ? hookSecret : null),
  post: ({ id, sms: text }, { address: to }, gateway, hooks) => writeSms(gateway, { id, to, text }, hooks),
  most: 5,
  findId: (text) => {
    const { sid, id, message_uuid: uuid } = readJson(text);
    return asId(sid) ?? asId(uuid) ?? asId(id);
  },
};

export const voice: PersonKind<typeof provider> = {
  label: message('Call'),
  addressLabel: message('Telephone number'),
  hint: message(
    'With the country, such as +49 30 1234567. A voice reads the alarm; 1 acknowledges, 2 passes it on, 9 repeats.',
  ),
  secretLabel: null,
  provider,
  speaks: (language) => SMS_MAKERS.some(({ calls }) => calls?.speaks(language)),
  isServedBy: (gateway) => findMaker(gateway)?.calls !== undefined,
  readAddress: readNumber,
  isPersonsAddress: false,
  post: (message, { address: to }, gateway, hooks) => {
    const maker = findMaker(gateway) as SmsMaker & { calls: Calls };
    const isAnswered = message.urgency !== 'none' && hooks !== null;
    const action = isAnswered ? `${hooks}${hookPathOf(maker, '')}/voice/${message.id}` : null;
    return maker.calls.post(message, to, gateway, action);
  },
  most: 3,
  findId: (text) => asId(readJson(text).sid),
};
