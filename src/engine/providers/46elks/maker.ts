import { isSame } from '../../../platform/auth/is-same.ts';
import { findBeside, type SmsMaker } from '../record/sms-maker.ts';

export const elks: SmsMaker = {
  name: '46elks',
  label: '46elks',
  preset: {
    url: 'https://api.46elks.com/a1/sms',
    asks: 'basic',
    encode: 'form',
    body: { from: '{from}', to: '{to}', message: '{text}' },
    statusField: 'whendelivered',
  },
  findAccount: (url) => findBeside(url, /\/sms$/, '/me'),
  hooks: {
    secret: 'hook_secret',
    isSecretInAddress: true,
    isProved: (known, { secret }) => isSame(known, secret),
    readReport: ({ id, status }) => ({ id, status }),
    replies: {
      read: ({ id, from, message }) => ({ id, from, text: message }),
      answer: (said) => ({ type: 'text/plain; charset=utf-8', body: said }),
    },
  },
};
