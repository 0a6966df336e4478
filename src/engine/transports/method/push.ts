// Web Push: what is said travels encrypted for one browser, by the push service of its maker, through our own guard.
import type { OutboundPost } from '../../../platform/outbound/post-outbound.ts';
import type { Channels } from '../../../platform/read-channels.ts';
import { sealForBrowser } from '../../../platform/web-push/seal-content.ts';
import { writeVapid } from '../../../platform/web-push/vapid.ts';
import { countJsonBytes, shorten } from '../webhook/kinds/fit-text.ts';
import type { Message } from './message.ts';
import type { PersonKind } from './person-kind.ts';

const AN_HOUR_SECONDS = 3600;

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
  { subject, ...keys }: NonNullable<Channels['push']>,
  now: Date,
): OutboundPost {
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

export const push: PersonKind = {
  label: 'Push',
  addressLabel: 'Browser',
  hint: '',
  secretLabel: null,
  isOffered: (channels) => channels.push !== null,
  readAddress: () => null,
  isPersonsAddress: true,
  post: (message, { address, secret }, channels, _hooks, now) =>
    writePush(message, address, secret, channels.push as NonNullable<Channels['push']>, now),
  // The browser was removed, or its owner took the permission back.
  isGone: ({ status }) => status === 404 || status === 410,
};
