// Tocsin's own webhook, for programs. docs/webhooks.md tells every key.

import { formatInstant } from '../../../../domain/instant.ts';
import { message } from '../../../../domain/language/message.ts';
import type { Notice } from '../../../../domain/notifications/notice.ts';
import { isAbout, type Subject } from '../../../../domain/notifications/subject.ts';
import { countJsonBytes, fitItems, shorten } from '../../../letters/fit-text.ts';
import type { Letter } from '../../../letters/letter.ts';
import { countNotices, isDigest } from '../../../letters/notice-words.ts';
import { type Kind, type Shape, writeJsonRequest } from '../../../letters/webhook-kind.ts';
import { createWebhookSecret, isDamagedSecret, signWebhook } from './webhook-secret.ts';

/** Whatever people typed, a message stays below the 100 KB that many receivers take. */
const MOST = { notices: 100, bytes: 80_000, text: 8_000 };

const TYPES: Record<Subject, string> = {
  critical: 'alarm.raised',
  warning: 'alarm.raised',
  stale: 'service.stale',
  acknowledgement: 'alarm.acknowledged',
  arrival: 'alarm.arrival',
  recovery: 'alarm.recovered',
  back: 'service.back',
};

const shape: Shape = (letter, { url, secret }, { now }) => {
  const body = JSON.stringify(writeEvent(letter));
  const timestamp = Math.floor(now.getTime() / 1000);
  const headers = { 'webhook-id': letter.id, 'webhook-timestamp': String(timestamp) };
  const signature = secret
    ? { 'webhook-signature': signWebhook(secret, { id: letter.id, timestamp, body }) }
    : {};
  return [writeJsonRequest(new URL(url), body, { ...headers, ...signature })];
};

export const generic: Kind<'generic'> = {
  name: 'generic',
  label: message('Signed JSON (Standard Webhooks)'),
  secret: {
    name: 'secret',
    hint: message('Signed JSON: left empty, a secret is made for you.'),
    findFault: (secret) =>
      isDamagedSecret(secret)
        ? message('The secret is damaged: after whsec_ come at least 22 characters of base64')
        : null,
    make: createWebhookSecret,
  },
  shape,
  joinsDigests: true,
};

function writeEvent(letter: Letter) {
  const [first] = letter.notices;
  if (!isDigest(letter))
    return { type: typeOf(first), timestamp: formatInstant(first.at), data: writeNotice(first) };
  const notices = fitItems(
    letter.notices.map((notice) => ({ type: typeOf(notice), ...writeNotice(notice) })),
    MOST.notices,
    MOST.bytes,
  );
  return {
    type: 'digest',
    timestamp: formatInstant(letter.createdAt),
    data: {
      organization: fit(first.organizationName),
      group: fit(first.groupName),
      total: letter.notices.length,
      counts: countNotices(letter),
      notices,
      left_out: letter.notices.length - notices.length,
    },
  };
}

function typeOf(notice: Notice): string {
  if (notice.mark !== null) return notice.mark;
  const type = TYPES[notice.subject];
  return notice.isRepeat && type === 'alarm.raised' ? 'alarm.repeated' : type;
}

const fit = (text: string | null) => text && shorten(text, MOST.text, countJsonBytes);

export const writeNotice = (notice: Notice) => ({
  notification_id: notice.notificationId,
  kind: isAbout(notice.subject, 'stale') ? 'system' : notice.subject,
  mark: notice.mark,
  is_repeat: notice.isRepeat,
  organization: fit(notice.organizationName),
  group: fit(notice.groupName),
  service_id: notice.serviceId,
  service_name: fit(notice.serviceName),
  location_name: fit(notice.locationName),
  episode_id: notice.episodeId,
  severity: notice.severity,
  message: fit(notice.message),
  channel: fit(notice.channel),
  channel_label: fit(notice.channelLabel),
  unit: notice.unit,
  value: notice.value,
  limit: notice.limit,
  since: notice.since && formatInstant(notice.since),
  at: formatInstant(notice.at),
  acknowledged_by: fit(notice.acknowledgedBy),
  comment: fit(notice.comment),
  service_url: notice.serviceUrl,
  acknowledge_url: notice.acknowledgeUrl,
});
