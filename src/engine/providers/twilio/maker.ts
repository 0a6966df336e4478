import type { SmsMaker } from '../record/sms-maker.ts';
import { findAccount } from './addresses.ts';
import { calls } from './calls.ts';
import { hooks } from './hooks.ts';
import { receipts } from './receipts.ts';

export const twilio: SmsMaker = {
  name: 'twilio',
  label: 'Twilio',
  preset: {
    url: 'https://api.twilio.com/2010-04-01/Accounts/{user}/Messages.json',
    asks: 'basic',
    encode: 'form',
    body: { To: '{to}', From: '{from}', Body: '{text}' },
    statusField: 'StatusCallback',
  },
  findAccount,
  hooks,
  receipts,
  calls,
};
