// What receivers publish about the messages they take, checked as they would: a broken rule is a message that is lost.
import type { WebhookKind } from '../../src/engine/transports/webhook/kinds.ts';

interface Posted {
  url: URL;
  headers: Record<string, unknown>;
  text: string;
}

// biome-ignore lint/suspicious/noExplicitAny: anything may have been posted
type Anything = any;
type Rule = [rule: string, holds: (body: Anything, posted: Posted) => boolean];

const isText = (value: unknown, most: number) =>
  typeof value === 'string' && value.trim().length > 0 && value.length <= most;
const isAddress = (value: unknown) => typeof value === 'string' && /^https?:\/\/\S+$/.test(value);
const isIso = (value: unknown) => typeof value === 'string' && !Number.isNaN(Date.parse(value));
const bytesOf = (text: string) => Buffer.byteLength(text, 'utf8');
const hasKeys = (value: object, keys: string[]) =>
  JSON.stringify(Object.keys(value).sort()) === JSON.stringify([...keys].sort());

const slackBlocks = (body: Anything): Anything[] => [
  ...body.blocks,
  ...body.attachments.flatMap(({ blocks }: Anything) => blocks),
];
/** Every < in Slack's own language begins a link or a date. */
const isEscaped = (text: string) =>
  !/[<>]/.test(text.replace(/<(https?:\/\/[^<>|]+\|[^<>]*|!date\^\d+\^[^<>|]+\|[^<>]+)>/g, '')) &&
  !/&(?!(amp|lt|gt);)/.test(text);

const slackTexts = (body: Anything): string[] => [
  body.text,
  ...slackBlocks(body).flatMap(({ text, fields = [] }) =>
    [text, ...fields].filter(Boolean).map((one) => one.text),
  ),
];

const discordSize = ({ title = '', description = '', fields = [] }: Anything): number =>
  [title, description, ...fields.flatMap(({ name, value }: Anything) => [name, value])].join('').length;

const RULES: Record<WebhookKind, Rule[]> = {
  mqtt: [
    ['how it stands', ({ severity }) => ['critical', 'warning', 'stale', 'normal'].includes(severity)],
    ['a time', ({ told_at }) => isIso(told_at)],
    ['below 100 KB', (_, { text }) => bytesOf(text) < 100_000],
  ],
  generic: [
    ['type, timestamp, data', (body) => hasKeys(body, ['type', 'timestamp', 'data'])],
    ['a known type', ({ type }) => TYPES.includes(type)],
    ['a time', ({ timestamp }) => isIso(timestamp)],
    ['an id', (_, { headers }) => isText(headers['webhook-id'], 100)],
    ['seconds', (_, { headers }) => /^\d{10}$/.test(String(headers['webhook-timestamp']))],
    ['below 100 KB', (_, { text }) => bytesOf(text) < 100_000],
  ],
  slack: [
    ['a fallback', ({ text }) => isText(text, 4_000)],
    ['at most 50 blocks', (body) => slackBlocks(body).length <= 50],
    ['a header of 150', ({ blocks }) => isText(blocks[0].text.text, 150)],
    [
      'sections of 3000, with 1 to 10 fields of 2000',
      (body) =>
        slackBlocks(body)
          .filter(({ type }) => type === 'section')
          .every(({ text, fields }) =>
            fields
              ? fields.length > 0 &&
                fields.length <= 10 &&
                fields.every((one: Anything) => isText(one.text, 2_000))
              : isText(text.text, 3_000),
          ),
    ],
    [
      'buttons that lead somewhere',
      (body) =>
        slackBlocks(body)
          .filter(({ type }) => type === 'actions')
          .every(
            ({ elements }) => elements.length > 0 && elements.every(({ url }: Anything) => isAddress(url)),
          ),
    ],
    ['a colour', ({ attachments }) => /^#[0-9a-f]{6}$/.test(attachments[0].color)],
    ['escaped texts', (body) => slackTexts(body).every(isEscaped)],
  ],
  teams: [
    ['below 28 KB', (_, { text }) => bytesOf(text) < 28_000],
    ['a message', ({ type, attachments }) => type === 'message' && attachments.length === 1],
    [
      'an adaptive card',
      ({ attachments: [{ contentType, contentUrl, content }] }) =>
        contentType === 'application/vnd.microsoft.card.adaptive' &&
        contentUrl === null &&
        content.$schema === 'http://adaptivecards.io/schemas/adaptive-card.json' &&
        content.type === 'AdaptiveCard' &&
        content.version === '1.4',
    ],
    [
      'texts and facts',
      ({ attachments: [{ content }] }) =>
        content.body.every(({ type, text, facts }: Anything) =>
          type === 'TextBlock'
            ? isText(text, 10_000)
            : type === 'FactSet' &&
              facts.every((fact: Anything) => isText(fact.title, 50) && isText(fact.value, 10_000)),
        ),
    ],
    [
      'links that lead somewhere',
      ({ attachments: [{ content }] }) =>
        content.actions.every(({ type, url }: Anything) => type === 'Action.OpenUrl' && isAddress(url)),
    ],
  ],
  discord: [
    ['waits for the outcome', (_, { url }) => url.searchParams.get('wait') === 'true'],
    ['content of 2000', ({ content }) => isText(content, 2_000)],
    ['nobody is mentioned', ({ allowed_mentions }) => JSON.stringify(allowed_mentions) === '{"parse":[]}'],
    ['one embed below 6000', ({ embeds }) => embeds.length === 1 && discordSize(embeds[0]) <= 6_000],
    ['a title of 256', ({ embeds: [{ title }] }) => isText(title, 256)],
    ['a description of 4096', ({ embeds: [{ description }] }) => isText(description, 4_096)],
    ['a colour', ({ embeds: [{ color }] }) => Number.isInteger(color) && color >= 0 && color <= 0xffffff],
    ['a time', ({ embeds: [{ timestamp }] }) => isIso(timestamp)],
    [
      'at most 25 fields',
      ({ embeds: [{ fields = [] }] }) =>
        fields.length <= 25 &&
        fields.every(({ name, value }: Anything) => isText(name, 256) && isText(value, 1_024)),
    ],
  ],
  ntfy: [
    ['to the root', (_, { url }) => url.pathname === '/'],
    ['4096 bytes', (_, { text }) => bytesOf(text) <= 4_096],
    ['a topic', ({ topic }) => /^[-_A-Za-z0-9]{1,64}$/.test(topic)],
    ['title and message', ({ title, message }) => isText(title, 1_000) && isText(message, 4_096)],
    ['a priority', ({ priority }) => [1, 2, 3, 4, 5].includes(priority)],
    [
      'at most 3 actions',
      ({ actions }) =>
        actions.length <= 3 &&
        actions.every(
          ({ action, label, url }: Anything) => action === 'view' && isText(label, 50) && isAddress(url),
        ),
    ],
  ],
  gotify: [
    ['to its messages', (_, { url }) => url.pathname.endsWith('/message')],
    ['title and message', ({ title, message }) => isText(title, 500) && isText(message, 4_000)],
    ['a priority', ({ priority }) => [4, 8, 10].includes(priority)],
    ['where a tap leads', ({ extras }) => isAddress(extras['client::notification'].click.url)],
    ['the key of an application', (_, { headers }) => headers['x-gotify-key'] === 'R0uting'],
  ],
  matrix: [
    ['to a room', (_, { url }) => /\/rooms\/[^/]+\/send\/m\.room\.message\/[^/]+$/.test(url.pathname)],
    ['below 64 KB', (_, { text }) => bytesOf(text) < 65_536],
    ['a text', ({ msgtype, body }) => msgtype === 'm.text' && isText(body, 10_000)],
    [
      'the same in HTML, with no tags of people',
      ({ format, formatted_body }) =>
        format === 'org.matrix.custom.html' &&
        !/<(?!strong>|\/strong>|br>|a href="https?:|\/a>)/.test(formatted_body),
    ],
  ],
  pagerduty: [
    ['below 512 KB', (_, { text }) => bytesOf(text) < 512_000],
    ['a routing key', ({ routing_key }) => isText(routing_key, 100)],
    ['a key of 255', ({ dedup_key }) => isText(dedup_key, 255) && dedup_key.startsWith('tocsin-')],
    [
      'a trigger with all it needs',
      ({ event_action, payload, links = [] }) =>
        event_action !== 'trigger' ||
        (isText(payload.summary, 1_024) &&
          isText(payload.source, 1_024) &&
          ['critical', 'error', 'warning', 'info'].includes(payload.severity) &&
          isIso(payload.timestamp) &&
          links.every(({ href, text }: Anything) => isAddress(href) && isText(text, 100))),
    ],
    ['a known action', ({ event_action }) => ['trigger', 'acknowledge', 'resolve'].includes(event_action)],
  ],
  alertmanager: [
    [
      'the keys of version 4',
      (body) =>
        body.version === '4' &&
        hasKeys(body, [
          ...['version', 'groupKey', 'truncatedAlerts', 'status', 'receiver', 'groupLabels', 'commonLabels'],
          ...['commonAnnotations', 'externalURL', 'alerts'],
        ]),
    ],
    ['firing or resolved', ({ status }) => ['firing', 'resolved'].includes(status)],
    [
      'firing while one alert is',
      ({ status, alerts, truncatedAlerts }) =>
        truncatedAlerts > 0 ||
        (status === 'firing') === alerts.some((one: Anything) => one.status === 'firing'),
    ],
    [
      'labels of text',
      ({ alerts }) =>
        alerts.every(({ labels, annotations }: Anything) =>
          [...Object.values(labels), ...Object.values(annotations)].every(
            (value) => typeof value === 'string',
          ),
        ),
    ],
    [
      'an end only for what has ended',
      ({ alerts }) =>
        alerts.every(
          ({ status, startsAt, endsAt }: Anything) =>
            isIso(startsAt) && (status === 'firing' ? endsAt === '0001-01-01T00:00:00Z' : endsAt >= startsAt),
        ),
    ],
    [
      'fingerprints',
      ({ alerts }) => alerts.every(({ fingerprint }: Anything) => /^[0-9a-f]{16}$/.test(fingerprint)),
    ],
  ],
};

const TYPES = [
  ...['alarm.raised', 'alarm.repeated', 'alarm.acknowledged', 'alarm.recovered'],
  ...['service.stale', 'service.back', 'test', 'drill', 'digest'],
];

/** The rules that a post breaks; none, if all is well. */
export function findBrokenRules(kind: WebhookKind, posted: Posted): string[] {
  const body = JSON.parse(posted.text);
  const json: Rule = ['declared as JSON', (_, { headers }) => headers['content-type'] === 'application/json'];
  // A message to a broker has no headers.
  const ofWeb = kind === 'mqtt' ? [] : [json];
  return [...ofWeb, ...RULES[kind]].filter(([, holds]) => !holds(body, posted)).map(([rule]) => rule);
}
