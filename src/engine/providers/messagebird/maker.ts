import { findBeside, type SmsMaker } from '../record/sms-maker.ts';
import { isFromBird } from './prove.ts';

export const messagebird: SmsMaker = {
  name: 'messagebird',
  label: 'MessageBird',
  preset: {
    url: 'https://rest.messagebird.com/messages',
    asks: 'access_key',
    encode: 'json',
    body: {
      originator: '{from}',
      recipients: ['{digits}'],
      body: '{text}',
      datacoding: 'auto',
      reference: '{id}',
    },
    statusField: 'reportUrl',
  },
  findAccount: (url) => findBeside(url, /\/messages$/, '/balance'),
  hooks: {
    secret: 'hook_secret',
    isProved: (secret, { address, header, body }, now) => {
      const timestamp = header('messagebird-request-timestamp');
      const signature = header('messagebird-signature');
      return isFromBird(secret, { timestamp, url: address, body, signature }, now);
    },
    readReport: ({ id, status }) => ({ id, status }),
    replies: null,
  },
};
