import { createHmac } from 'node:crypto';
import { isSame } from '../../../platform/auth/is-same.ts';
import type { HookFields, SmsHooks } from '../record/sms-maker.ts';
import { escapeXml } from './write-call.ts';

export const hooks: SmsHooks = {
  secret: 'password',
  isProved: (secret, { address, fields, header }) =>
    isFromTwilio(secret, address, fields, header('x-twilio-signature')),
  readReport: ({ MessageSid, MessageStatus }) => ({ id: MessageSid, status: MessageStatus }),
  replies: {
    read: ({ MessageSid, From, Body }) => ({ id: MessageSid, from: From, text: Body }),
    answer: (said) => ({
      type: 'text/xml',
      body: `<Response><Message>${escapeXml(said)}</Message></Response>`,
    }),
  },
};

/** base64 of HMAC-SHA1 by the account's token, over the address and all fields, sorted by name. */
export function isFromTwilio(
  token: string,
  url: string,
  form: HookFields,
  signature: string | undefined,
): boolean {
  const fields = Object.keys(form).sort();
  const signed = url + fields.map((name) => name + form[name]).join('');
  return isSame(createHmac('sha1', token).update(signed).digest('base64'), signature);
}
