import { findBeside, type SmsMaker } from '../record/sms-maker.ts';

export const sipgate: SmsMaker = {
  name: 'sipgate',
  label: 'sipgate',
  sendsByLine: true,
  preset: {
    url: 'https://api.sipgate.com/v2/sessions/sms',
    asks: 'basic',
    encode: 'json',
    body: { smsId: '{from}', recipient: '{to}', message: '{text}' },
    statusField: null,
  },
  findAccount: (url) => findBeside(url, /\/sessions\/sms$/, '/account'),
  hooks: null,
};
