// PagerDuty, Events API v2: an incident per episode, which our acknowledgement acknowledges and our recovery resolves.
import type { Notice } from '../../../domain/notice.ts';
import type { Letter } from '../transport.ts';
import { fitLines, shorten } from './fit-text.ts';
import { type Happening, happeningOf, incidentOf, textOf, titleOf, titleOfDigest } from './notice-words.ts';
import { postJson, type Shape } from './shape.ts';

const MOST = { summary: 1_024, source: 255, text: 4_000 };
/** Of a larger digest, everything raised becomes one incident. */
const MOST_INCIDENTS = 20;

const ACTIONS: Record<Happening, PagerDutyEvent['event_action']> = {
  critical: 'trigger',
  warning: 'trigger',
  stale: 'trigger',
  acknowledgement: 'acknowledge',
  recovery: 'resolve',
  back: 'resolve',
};
const SEVERITIES: Partial<Record<Happening, string>> = {
  critical: 'critical',
  warning: 'warning',
  stale: 'error',
};

interface PagerDutyEvent {
  event_action: 'trigger' | 'acknowledge' | 'resolve';
  dedup_key: string;
  payload?: object;
  links?: object[];
}

export const shapeForPagerDuty: Shape = (letter, { url, secret }, { publicUrl }) => {
  const base = { routing_key: secret?.trim(), client: 'Tocsin', client_url: publicUrl };
  return eventsOf(letter).map(([part, event]) => ({
    ...postJson(new URL(url), { ...base, ...event }),
    part,
  }));
};

/** PagerDuty takes one event at a time. Acknowledgements and recoveries always go by their episode, or incidents would stay open. */
function eventsOf(letter: Letter): [part: string, event: PagerDutyEvent][] {
  const raised = letter.notices.filter((notice) => actionOf(notice) === 'trigger');
  const [first, ...others] = raised;
  if (!first || raised.length <= MOST_INCIDENTS) return letter.notices.map(writeEvent);
  const rest = letter.notices.filter((notice) => actionOf(notice) !== 'trigger');
  const shared = triggerForAll({ ...letter, notices: [first, ...others] });
  return [['digest', shared], ...rest.map(writeEvent)];
}

const actionOf = (notice: Notice) => (notice.mark === 'test' ? 'trigger' : ACTIONS[happeningOf(notice)]);

function writeEvent(notice: Notice): [part: string, event: PagerDutyEvent] {
  const action = actionOf(notice);
  const event = { event_action: action, dedup_key: `tocsin-${incidentOf(notice)}` };
  const details = action === 'trigger' ? { payload: writePayload(notice), links: linksOf(notice) } : {};
  return [notice.notificationId, { ...event, ...details }];
}

const writePayload = (notice: Notice) => ({
  summary: shorten(`${titleOf(notice)}: ${textOf(notice)}`, MOST.summary),
  source: shorten(notice.serviceName, MOST.source),
  severity: notice.mark === 'test' ? 'info' : SEVERITIES[happeningOf(notice)],
  timestamp: notice.at.toISOString(),
  component: notice.channelLabel ?? notice.channel ?? undefined,
  group: notice.groupName,
  class: happeningOf(notice),
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

function triggerForAll(letter: Letter): PagerDutyEvent {
  const [worst] = letter.notices;
  const writeLine = (notice: Notice) => shorten(`${titleOf(notice)}: ${textOf(notice)}`, 300);
  return {
    event_action: 'trigger',
    dedup_key: `tocsin-digest-${letter.id}`,
    payload: {
      summary: shorten(titleOfDigest(letter), MOST.summary),
      source: shorten(worst.groupName, MOST.source),
      severity: writePayload(worst).severity,
      timestamp: letter.createdAt.toISOString(),
      group: worst.groupName,
      class: 'digest',
      custom_details: {
        organization: worst.organizationName,
        messages: fitLines(letter.notices, writeLine, MOST.text * 2),
        note: 'Many alarms at once share this incident. Tocsin does not resolve it: close it when all is well.',
      },
    },
  };
}
