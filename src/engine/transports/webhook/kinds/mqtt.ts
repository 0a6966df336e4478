// A broker that keeps the last word on each service for whoever subscribes later: displays, home automation, control systems.

import { formatInstant } from '../../../../domain/instant.ts';
import { message } from '../../../../domain/language/message.ts';
import type { Notice } from '../../../../domain/notifications/notice.ts';
import { trimBoth } from '../../../../domain/trim-sign.ts';
import type { Kind } from '../../../letters/webhook-kind.ts';
import { writeNotice } from './generic.ts';

export const mqtt: Kind<'mqtt'> = {
  name: 'mqtt',
  label: message('MQTT'),
  protocols: ['mqtts:', 'mqtt:'],
  secret: {
    name: message('user and password'),
    hint: message('MQTT: the user and the password of the broker, as user:password.'),
    findFault: (secret) =>
      /^[^:\s]+:\S+$/.test(secret.trim())
        ? null
        : message('The user and the password are written as user:password'),
  },
  findFault: ({ pathname }) =>
    /[+#\0]/.test(decode(pathname)) ? message('A topic cannot have + or # in it') : null,
  shape: (letter, { url, secret }) =>
    letter.notices.map((notice) => ({
      part: notice.notificationId,
      url: new URL(url),
      headers: {},
      body: JSON.stringify({ ...writeNotice(notice), told_at: formatInstant(letter.createdAt) }),
      publish: {
        topic: nameTopic(new URL(url), notice),
        // What is only tried out is nobody's state.
        isRetained: notice.mark === null,
        credentials: readCredentials(secret),
      },
    })),
  // Each service has a topic of its own.
  joinsDigests: false,
};

/** `tocsin/Cell Biology/7/alarm`: by the id of the service, which stays when it is renamed. */
function nameTopic({ pathname }: URL, { organizationName, serviceId }: Notice): string {
  const prefix = trimBoth(decode(pathname), '/') || 'tocsin';
  return `${prefix}/${asLevel(organizationName)}/${serviceId ?? 'group'}/alarm`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const asLevel = (name: string): string => name.replaceAll(/[/+#\p{Cc}]/gu, '_').slice(0, 200) || '_';

function readCredentials(secret: string | null) {
  if (!secret?.trim()) return null;
  const [user = '', ...password] = secret.trim().split(':');
  return { user, password: password.join(':') };
}
