// Whether somebody confirmed an urgent message. It rings on until then, or until it is told to stop.
import { underAddress } from '../../../platform/outbound/under-address.ts';
import { ASKS_FOR_JSON, type Receipts } from '../record/receipts.ts';

export interface PushoverSettings {
  url: string;
  token: string;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;

export const receipts: Receipts<PushoverSettings> = {
  kind: 'pushover',
  via: 'pushover',
  // It is repeated for an hour (`expire`).
  withinMs: 65 * MINUTE,
  isAsked: () => true,
  ask: ({ url: address, token }, receipt) => {
    // Only urgent messages have a receipt; others are named by their request.
    if (!/^[A-Za-z0-9]{30}$/.test(receipt)) return null;
    const url = addressOf(address, receipt, '.json');
    url.searchParams.set('token', token);
    return { method: 'GET', url, headers: ASKS_FOR_JSON, body: '' };
  },
  read: (fields) => {
    const has = (name: string) => Number(fields[name] ?? 0) > 0;
    return {
      isReceived: has('last_delivered_at'),
      ...(has('acknowledged') && { confirmedBy: 'Pushover' }),
      isLast: has('acknowledged') || has('expired'),
    };
  },
  stop: ({ url, token }, receipt) => ({
    url: addressOf(url, receipt, '/cancel.json'),
    headers: { ...ASKS_FOR_JSON, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token }).toString(),
  }),
  pauseMs: () => 10 * SECOND,
};

const addressOf = (url: string, receipt: string, rest: string): URL =>
  underAddress(url, `/1/receipts/${encodeURIComponent(receipt)}${rest}`);
