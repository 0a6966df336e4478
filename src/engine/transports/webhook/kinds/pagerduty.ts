// PagerDuty, Events API v2: an incident per episode, which our acknowledgement acknowledges and our recovery resolves.

import { english } from '../../../../domain/language/english.ts';
import { message } from '../../../../domain/language/message.ts';
import type { Notice } from '../../../../domain/notifications/notice.ts';
import type { Subject } from '../../../../domain/notifications/subject.ts';
import { shorten } from '../../../letters/fit-text.ts';
import { incidentOf, textOf, titleOf } from '../../../letters/notice-words.ts';
import { type Kind, type Shape, writeJsonRequest } from '../../../letters/webhook-kind.ts';

const MOST = { summary: 1_024, source: 255, text: 4_000 };

const ACTIONS: Record<Subject, PagerDutyEvent['event_action']> = {
  critical: 'trigger',
  warning: 'trigger',
  stale: 'trigger',
  acknowledgement: 'acknowledge',
  arrival: 'trigger',
  recovery: 'resolve',
  back: 'resolve',
};
const SEVERITIES: Partial<Record<Subject, string>> = {
  critical: 'critical',
  warning: 'warning',
  stale: 'error',
  arrival: 'info',
};

interface PagerDutyEvent {
  event_action: 'trigger' | 'acknowledge' | 'resolve';
  dedup_key: string;
  payload?: object;
  links?: object[];
}

const shape: Shape = (letter, { url, secret }, { publicUrl }) => {
  const base = { routing_key: secret?.trim(), client: 'Tocsin', client_url: publicUrl };
  // One event at a time.
  return letter.notices.map(writeEvent).map(([part, event]) => ({
    ...writeJsonRequest(new URL(url), { ...base, ...event }),
    part,
  }));
};

export const pagerduty: Kind<'pagerduty'> = {
  name: 'pagerduty',
  label: message('PagerDuty'),
  secret: { name: message('routing key'), hint: message('PagerDuty: its integration key.') },
  findFault: (_, secret) =>
    secret?.trim() ? null : message('PagerDuty needs the routing key of an Events API v2 integration'),
  shape,
  // Nobody could resolve one: it resolves alarm by alarm.
  joinsDigests: false,
};

const actionOf = (notice: Notice) => (notice.mark === 'test' ? 'trigger' : ACTIONS[notice.subject]);

function writeEvent(notice: Notice): [part: string, event: PagerDutyEvent] {
  const action = actionOf(notice);
  const event = { event_action: action, dedup_key: `tocsin-${incidentOf(notice)}` };
  const details = action === 'trigger' ? { payload: writePayload(notice), links: linksOf(notice) } : {};
  return [notice.notificationId, { ...event, ...details }];
}

const writePayload = (notice: Notice) => ({
  summary: shorten(`${titleOf(notice, english)}: ${textOf(notice, english)}`, MOST.summary),
  source: shorten(notice.serviceName, MOST.source),
  severity: notice.mark === 'test' ? 'info' : SEVERITIES[notice.subject],
  timestamp: notice.at.toISOString(),
  component: notice.channelLabel ?? notice.channel ?? undefined,
  group: notice.groupName,
  class: notice.subject,
  custom_details: {
    organization: notice.organizationName,
    service_id: notice.serviceId,
    location: notice.locationName,
    message: shorten(notice.message, MOST.text),
    value: notice.value,
    unit: notice.unit,
    limit: notice.limit,
    since: notice.since?.toISOString() ?? null,
    mark: notice.mark,
  },
});

const linksOf = ({ serviceUrl, acknowledgeUrl }: Notice) => [
  { href: serviceUrl, text: 'Open in Tocsin' },
  ...(acknowledgeUrl === null ? [] : [{ href: acknowledgeUrl, text: 'Acknowledge in Tocsin' }]),
];
