// Workflows of Microsoft Teams: an adaptive card.

import { english } from '../../../../domain/language/english.ts';
import { message } from '../../../../domain/language/message.ts';
import { formatLocalTime } from '../../../../domain/local-time.ts';
import type { Notice } from '../../../../domain/notifications/notice.ts';
import type { Subject } from '../../../../domain/notifications/subject.ts';
import { countJsonBytes, fitLines, shorten } from '../../../letters/fit-text.ts';
import type { Letter } from '../../../letters/letter.ts';
import { factsOf, isDigest, textOf, titleOf, titleOfLetter } from '../../../letters/notice-words.ts';
import { type Kind, type Shape, writeJsonRequest } from '../../../letters/webhook-kind.ts';

const COLORS: Record<Subject, string> = {
  critical: 'Attention',
  warning: 'Warning',
  stale: 'Default',
  acknowledgement: 'Accent',
  arrival: 'Accent',
  recovery: 'Good',
  back: 'Good',
};
/** Of JSON, so that a whole card stays below 28 KB. */
const MOST_BYTES = { title: 1_000, text: 6_000, fact: 4_000, line: 800, list: 17_000 };

const shape: Shape = (letter, { url }, { publicUrl }) => [
  writeJsonRequest(new URL(url), {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            {
              type: 'TextBlock',
              text: fit(titleOfLetter(letter), MOST_BYTES.title),
              weight: 'Bolder',
              size: 'Medium',
              color: COLORS[letter.notices[0].subject],
              wrap: true,
            },
            ...(isDigest(letter) ? listNotices(letter) : tellNotice(letter.notices[0])),
          ],
          actions: isDigest(letter)
            ? [openUrl('Open Tocsin', publicUrl)]
            : [
                openUrl('Open', letter.notices[0].serviceUrl),
                ...(letter.notices[0].acknowledgeUrl === null
                  ? []
                  : [openUrl('Acknowledge', letter.notices[0].acknowledgeUrl)]),
              ],
        },
      },
    ],
  }),
];

export const teams: Kind<'teams'> = {
  name: 'teams',
  label: message('Microsoft Teams'),
  secret: null,
  shape,
  joinsDigests: true,
};

const tellNotice = (notice: Notice) => [
  textBlock(fit(textOf(notice, english), MOST_BYTES.text)),
  {
    type: 'FactSet',
    facts: factsOf(notice, english).map(({ title, value }) => ({
      title,
      value: value instanceof Date ? formatLocalTime(value, 'UTC') : fit(value, MOST_BYTES.fact),
    })),
  },
];

function listNotices({ notices }: Letter) {
  const writeLine = (notice: Notice) =>
    fit(`${titleOf(notice, english)}: ${textOf(notice, english)}`, MOST_BYTES.line);
  return fitLines(notices, writeLine, MOST_BYTES.list, english, countJsonBytes).map((line) => ({
    ...textBlock(line),
    spacing: 'Small',
  }));
}

const textBlock = (text: string) => ({ type: 'TextBlock', text, wrap: true });
const openUrl = (title: string, url: string) => ({ type: 'Action.OpenUrl', title, url });

/** A link that somebody typed stays text: cards read Markdown. */
const fit = (text: string, mostBytes: number): string =>
  shorten(text.replaceAll('](', '] ('), mostBytes, countJsonBytes);
