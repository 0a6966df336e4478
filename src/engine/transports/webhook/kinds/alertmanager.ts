// What Prometheus Alertmanager posts (version 4), for receivers that understand it.

import { createHash } from 'node:crypto';
import { english } from '../../../../domain/language/english.ts';
import { message } from '../../../../domain/language/message.ts';
import type { Notice } from '../../../../domain/notifications/notice.ts';
import { isAbout } from '../../../../domain/notifications/subject.ts';
import { fitItems, shorten } from '../../../letters/fit-text.ts';
import type { Letter } from '../../../letters/letter.ts';
import { incidentOf, isDigest, textOf, titleOf } from '../../../letters/notice-words.ts';
import { bearer, type Kind, type Shape, writeJsonRequest } from '../../../letters/webhook-kind.ts';

/** Alertmanager itself sends all it has: such receivers take much. */
const MOST = { alerts: 1_000, bytes: 900_000, text: 2_000 };
/** What Alertmanager writes for an alert that has not ended. */
const NO_END = '0001-01-01T00:00:00Z';

const shape: Shape = (letter, { url, secret }, { publicUrl }) => [
  writeJsonRequest(new URL(url), writeGroup(letter, publicUrl), bearer(secret)),
];

export const alertmanager: Kind<'alertmanager'> = {
  name: 'alertmanager',
  label: message('Alertmanager receiver'),
  secret: { name: message('bearer token'), hint: null },
  shape,
  joinsDigests: true,
};

function writeGroup(letter: Letter, publicUrl: string) {
  const [first] = letter.notices;
  const alerts = fitItems(letter.notices.map(writeAlert), MOST.alerts, MOST.bytes);
  return {
    version: '4',
    groupKey: isDigest(letter) ? `tocsin/digest-${letter.id}` : `tocsin/${incidentOf(first)}`,
    truncatedAlerts: letter.notices.length - alerts.length,
    status: letter.notices.some(isFiring) ? 'firing' : 'resolved',
    receiver: first.groupName,
    groupLabels: { organization: first.organizationName },
    commonLabels: findCommon(alerts.map(({ labels }) => labels)),
    commonAnnotations: findCommon(alerts.map(({ annotations }) => annotations)),
    externalURL: publicUrl,
    alerts,
  };
}

const isFiring = (notice: Notice): boolean =>
  notice.mark === 'test' || !['recovery', 'back'].includes(notice.subject);

function writeAlert(notice: Notice) {
  return {
    status: isFiring(notice) ? 'firing' : 'resolved',
    labels: labelsOf(notice),
    annotations: withoutNulls({
      summary: shorten(titleOf({ ...notice, isOneOfSeveral: false, locationName: null }, english), MOST.text),
      description: shorten(textOf(notice, english, notice.message), MOST.text),
      acknowledged_by: notice.acknowledgedBy,
      comment: notice.comment && shorten(notice.comment, MOST.text),
      acknowledge_url: notice.acknowledgeUrl,
    }),
    startsAt: (notice.since ?? notice.at).toISOString(),
    endsAt: isFiring(notice) ? NO_END : notice.at.toISOString(),
    generatorURL: notice.serviceUrl,
    fingerprint: createHash('sha256').update(incidentOf(notice)).digest('hex').slice(0, 16),
  };
}

const labelsOf = (notice: Notice): Record<string, string> =>
  withoutNulls({
    alertname: alertNameOf(notice),
    // Of what has ended nobody knows here how bad it was.
    severity: isFiring(notice) ? severityOf(notice) : null,
    organization: notice.organizationName,
    service: notice.serviceName,
    service_id: String(notice.serviceId),
    location: notice.locationName,
    group: notice.groupName,
  });

function alertNameOf({ mark, subject }: Notice): string {
  if (mark !== null) return mark === 'test' ? 'TocsinTest' : 'TocsinDrill';
  return isAbout(subject, 'stale') ? 'TocsinNoData' : 'TocsinAlarm';
}

function severityOf({ mark, severity }: Notice): string {
  if (mark === 'test') return 'info';
  return severity === 'stale' || severity === 'normal' ? 'warning' : severity;
}

const withoutNulls = (entries: Record<string, string | null>): Record<string, string> =>
  Object.fromEntries(Object.entries(entries).filter((entry): entry is [string, string] => entry[1] !== null));

const findCommon = ([first = {}, ...others]: Record<string, string>[]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(first).filter(([name, value]) => others.every((labels) => labels[name] === value)),
  );
