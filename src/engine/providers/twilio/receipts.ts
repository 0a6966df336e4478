// Whether an SMS arrived, where Twilio cannot call back.
import { ASKS_FOR_JSON, type Receipts, readStatus } from '../record/receipts.ts';
import type { SmsGateway } from '../record/sms-maker.ts';
import { oneOf } from './addresses.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

export const receipts: Receipts<SmsGateway> = {
  kind: 'twilio',
  via: 'sms',
  withinMs: 240 * MINUTE,
  isAsked: ({ gateway }, hasHooks) => gateway === 'twilio' && !hasHooks,
  ask: ({ url, headers }, id) => ({
    method: 'GET',
    url: oneOf(url, id),
    headers: { ...ASKS_FOR_JSON, ...headers },
    body: '',
  }),
  read: ({ status }) => {
    const said = String(status ?? '');
    const state = readStatus(said);
    return {
      isReceived: state === 'received',
      ...(state === 'lost' && { lost: said }),
      isLast: state !== null,
    };
  },
  pauseMs: (sinceSentMs) => (sinceSentMs < 5 * MINUTE ? 15 * SECOND : 5 * MINUTE),
};
