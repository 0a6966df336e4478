// Web Push: what is said travels encrypted for one browser, by the push service of its maker, through our own guard.
import type { OutboundRequest } from '../../../platform/outbound/request-outbound.ts';
import { sealForBrowser } from '../../../platform/web-push/seal-content.ts';
import { writeVapid } from '../../../platform/web-push/vapid.ts';
import { countJsonBytes, shorten } from '../../letters/fit-text.ts';
import type { Message } from '../record/message.ts';

const AN_HOUR_SECONDS = 3600;

/** Made by the program where browsers allow it. */
export interface PushSettings {
  publicKey: string;
  privateKey: string;
  subject: string;
}

export interface Subscription {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** null: no browser sends this. */
export function readSubscription(given: Partial<Record<keyof Subscription, string>>): Subscription | null {
  const { endpoint = '', p256dh = '', auth = '' } = given;
  const isKey = (text: string, bytes: number) =>
    /^[-_A-Za-z0-9]+={0,2}$/.test(text) && Buffer.from(text, 'base64url').length === bytes;
  if (!URL.canParse(endpoint) || endpoint.length > 1000) return null;
  const { protocol, hostname, username } = new URL(endpoint);
  const isSecure = protocol === 'https:' || hostname === '127.0.0.1' || hostname === 'localhost';
  return isSecure && username === '' && isKey(p256dh, 65) && isKey(auth, 16)
    ? { endpoint, p256dh, auth }
    : null;
}

export function writePush(
  { title, text, link, topic }: Message,
  endpoint: string,
  secret: string | null,
  { subject, ...keys }: PushSettings,
  now: Date,
): OutboundRequest {
  const { p256dh, auth } = JSON.parse(secret ?? '{}') as Subscription;
  // Browsers that know this shape show it themselves; for all others our worker does.
  const notification = {
    title: shorten(title, 300, countJsonBytes),
    body: shorten(text, 1500, countJsonBytes),
    navigate: link?.url ?? subject,
    tag: topic,
  };
  const url = new URL(endpoint);
  return {
    url,
    headers: {
      authorization: writeVapid(url, keys, subject, now),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: String(AN_HOUR_SECONDS),
      urgency: 'high',
      topic,
    },
    body: sealForBrowser({ p256dh, auth }, Buffer.from(JSON.stringify({ web_push: 8030, notification }))),
  };
}
