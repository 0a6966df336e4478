// Notices and letters as a transport gets them.
import type { ServiceId } from '../../src/domain/ids.ts';
import { english } from '../../src/domain/language/english.ts';
import type { Notice } from '../../src/domain/notifications/notice.ts';
import { isAbout } from '../../src/domain/notifications/subject.ts';
import type { Letter } from '../../src/engine/letters/letter.ts';

export const PUBLIC_URL = 'https://tocsin.lab.example';

const at = new Date('2026-11-15T02:05:00Z');
const since = new Date('2026-11-15T02:00:00Z');

/** The same for programs and for people. */
const say = (message: string) => ({ message, said: message });

const critical: Notice = {
  notificationId: '901',
  subject: 'critical',
  mark: null,
  isRepeat: false,
  organizationName: 'Cell Biology',
  isOneOfSeveral: false,
  groupName: 'Cold team',
  serviceId: 7 as ServiceId,
  serviceName: 'Freezer 3',
  locationName: 'Room 101',
  episodeId: '42',
  severity: 'critical',
  message: 'Temperature -55.2 °C is above the critical limit of -60 °C',
  said: 'Temperature −55.2 °C is above the critical limit of −60 °C',
  channel: 'temperature',
  channelLabel: 'Temperature',
  unit: '°C',
  words: null,
  value: -55.2,
  limit: -60,
  since,
  at,
  acknowledgedBy: null,
  comment: null,
  serviceUrl: `${PUBLIC_URL}/services/7`,
  alarmsUrl: `${PUBLIC_URL}/`,
  acknowledgeUrl: `${PUBLIC_URL}/acknowledge/long-random-path`,
  facts: null,
  guidance: null,
  rescue: [],
  curve: null,
};

const stale = {
  episodeId: null,
  channel: null,
  channelLabel: null,
  unit: null,
  value: null,
  limit: null,
  acknowledgeUrl: null,
} as const;

/** One of everything that can be told. */
export const NOTICES = {
  critical,
  warning: {
    ...critical,
    subject: 'warning',
    severity: 'warning',
    message: 'Temperature -65 °C is above the warning limit of -70 °C',
    said: 'Temperature −65 °C is above the warning limit of −70 °C',
    value: -65,
    limit: -70,
  },
  repeat: { ...critical, isRepeat: true },
  acknowledgement: {
    ...critical,
    subject: 'acknowledgement',
    acknowledgedBy: 'Oscar',
    comment: 'On my way',
    acknowledgeUrl: null,
  },
  recovery: {
    ...critical,
    subject: 'recovery',
    severity: 'normal',
    ...say('Back to normal'),
    value: -61,
    acknowledgeUrl: null,
  },
  stale: {
    ...critical,
    ...stale,
    subject: 'stale',
    severity: 'stale',
    ...say('No data since 2026-11-15 02:00 UTC'),
  },
  back: {
    ...critical,
    ...stale,
    subject: 'back',
    severity: 'normal',
    ...say('Data comes in again'),
    since: null,
  },
  test: { ...critical, mark: 'test', ...say('Sent by Ada') },
  drill: { ...critical, mark: 'drill' },
} satisfies Record<string, Notice>;

export type Told = keyof typeof NOTICES;

export const letterOf = (notice: Notice, ...others: Notice[]): Letter => ({
  id: '1001',
  language: english,
  notices: [notice, ...others],
  createdAt: at,
});

/** Worst first: three fifths critical, three tenths warning, the rest without data. */
export function digestOf(size: number): Letter {
  const notices = Array.from({ length: size }, (_, index): Notice => {
    const share = index / size;
    const { subject, severity, message, said, ...rest } =
      share < 0.6 ? NOTICES.critical : share < 0.9 ? NOTICES.warning : NOTICES.stale;
    return {
      ...rest,
      subject,
      severity,
      message,
      said,
      notificationId: String(1_000 + index),
      serviceId: (index + 1) as ServiceId,
      serviceName: `Freezer ${index + 1}`,
      episodeId: isAbout(subject, 'stale') ? null : String(5_000 + index),
      serviceUrl: `${PUBLIC_URL}/services/${index + 1}`,
    };
  });
  return letterOf(...(notices as [Notice, ...Notice[]]));
}

/** Everything that somebody could type is as long and as odd as it may be. */
export const flood = (text: string): Notice => ({
  ...critical,
  organizationName: text,
  groupName: text,
  serviceName: text,
  locationName: text,
  ...say(text),
  channelLabel: text,
  acknowledgedBy: text,
  comment: text,
});
