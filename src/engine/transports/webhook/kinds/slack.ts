// Incoming webhooks of Slack, and of what understands the same, such as Mattermost.

import { english } from '../../../../domain/language/english.ts';
import { message } from '../../../../domain/language/message.ts';
import { formatLocalTime } from '../../../../domain/local-time.ts';
import type { Notice } from '../../../../domain/notifications/notice.ts';
import { fitLines, shorten } from '../../../letters/fit-text.ts';
import type { Letter } from '../../../letters/letter.ts';
import { factsOf, isDigest, textOf, titleOf, titleOfLetter } from '../../../letters/notice-words.ts';
import { type Kind, type Shape, writeJsonRequest } from '../../../letters/webhook-kind.ts';
import { COLORS } from './colors.ts';

const MOST = { header: 150, section: 3_000, field: 2_000, fallback: 3_000 };

const shape: Shape = (letter, { url }) => [writeJsonRequest(new URL(url), writeMessage(letter))];

export const slack: Kind<'slack'> = {
  name: 'slack',
  label: message('Slack'),
  secret: null,
  shape,
  // Slack says ok, some that understand the same say it in JSON. A page of a proxy says neither.
  isThanks: (text) => /^\s*ok\s*$|"(ok|success)"\s*:\s*true/.test(text),
  joinsDigests: true,
};

function writeMessage(letter: Letter) {
  const [worst] = letter.notices;
  const title = titleOfLetter(letter);
  const fallback = isDigest(letter) ? title : `${title}: ${textOf(worst, english)}`;
  return {
    text: fit(fallback, MOST.fallback),
    blocks: [{ type: 'header', text: plain(title, MOST.header) }],
    attachments: [
      {
        color: COLORS[worst.subject],
        blocks: isDigest(letter) ? [listNotices(letter.notices)] : tellNotice(worst),
      },
    ],
  };
}

function tellNotice(notice: Notice) {
  const fields = factsOf(notice, english).map(({ title, value }) =>
    markdown(`*${title}*\n${value instanceof Date ? writeTime(value) : fit(value, MOST.field - 50)}`),
  );
  return [
    { type: 'section', text: plain(textOf(notice, english), MOST.section) },
    { type: 'section', fields },
    {
      type: 'actions',
      elements: [
        button('Open', notice.serviceUrl),
        ...(notice.acknowledgeUrl === null ? [] : [button('Acknowledge', notice.acknowledgeUrl)]),
      ],
    },
  ];
}

function listNotices(notices: Letter['notices']) {
  const writeLine = (notice: Notice) =>
    `• <${escapeSigns(notice.serviceUrl)}|${fit(titleOf(notice, english), 120)}>: ${fit(textOf(notice, english), 200)}`;
  return { type: 'section', text: markdown(fitLines(notices, writeLine, MOST.section, english).join('\n')) };
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escapeSigns = (text: string): string => text.replace(/[&<>]/g, (sign) => ESCAPES[sign] ?? sign);

const fit = (text: string, most: number): string =>
  escapeSigns(shorten(text, most, (part) => escapeSigns(part).length));

const plain = (text: string, most: number) => ({ type: 'plain_text', text: fit(text, most), emoji: false });
/** Verbatim: an @ or a # that somebody typed calls nobody. */
const markdown = (text: string) => ({ type: 'mrkdwn', text, verbatim: true });

const button = (label: string, url: string) => ({
  type: 'button',
  text: { type: 'plain_text', text: label },
  url,
});

/** In the reader's own zone; in UTC where that cannot be shown. */
const writeTime = (at: Date): string =>
  `<!date^${Math.floor(at.getTime() / 1000)}^{date_short_pretty} {time}|${formatLocalTime(at, 'UTC')}>`;
