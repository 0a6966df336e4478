import type { SmsMaker } from '../record/sms-maker.ts';
import { isFromVonage } from './prove.ts';

export const vonage: SmsMaker = {
  name: 'vonage',
  label: 'Vonage',
  preset: {
    url: 'https://api.nexmo.com/v1/messages',
    asks: 'basic',
    encode: 'json',
    body: {
      message_type: 'text',
      channel: 'sms',
      to: '{digits}',
      from: '{from}',
      text: '{text}',
      client_ref: '{id}',
    },
    statusField: 'webhook_url',
  },
  findAccount: () => null,
  hooks: {
    secret: 'hook_secret',
    isProved: (secret, { header, body }, now) => isFromVonage(secret, header('authorization'), body, now),
    readReport: ({ message_uuid: id, status }) => ({ id, status }),
    replies: {
      read: ({ message_uuid: id, from, text }) => ({ id, from, text }),
      answer: null,
    },
  },
};
