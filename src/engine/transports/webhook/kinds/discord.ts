import { english } from '../../../../domain/language/english.ts';
import { message } from '../../../../domain/language/message.ts';
import type { Notice } from '../../../../domain/notifications/notice.ts';
import { fitLines, shorten } from '../../../letters/fit-text.ts';
import type { Letter } from '../../../letters/letter.ts';
import { factsOf, isDigest, textOf, titleOf, titleOfLetter } from '../../../letters/notice-words.ts';
import { type Kind, type Shape, writeJsonRequest } from '../../../letters/webhook-kind.ts';
import { COLORS } from './colors.ts';

/** 4096, 256 and 1024 are what Discord takes; together they have to stay below 6000. */
const MOST = { content: 2_000, title: 256, description: 3_500, field: 400 };

const shape: Shape = (letter, { url }, { publicUrl }) => {
  const address = new URL(url);
  // Without it a message that is lost gives no error.
  address.searchParams.set('wait', 'true');
  return [
    writeJsonRequest(address, {
      username: 'Tocsin',
      // What a phone shows before the message is opened.
      content: fit(titleOfLetter(letter), MOST.content),
      embeds: [isDigest(letter) ? listNotices(letter, publicUrl) : tellNotice(letter.notices[0])],
      allowed_mentions: { parse: [] },
    }),
  ];
};

export const discord: Kind<'discord'> = {
  name: 'discord',
  label: message('Discord'),
  secret: null,
  shape,
  joinsDigests: true,
};

const tellNotice = (notice: Notice) => ({
  title: fit(notice.serviceName, MOST.title),
  url: notice.serviceUrl,
  description: [
    fit(textOf(notice, english), MOST.description - (notice.acknowledgeUrl?.length ?? 0) - 50),
    ...(notice.acknowledgeUrl === null ? [] : [`[Acknowledge](${notice.acknowledgeUrl})`]),
  ].join('\n'),
  color: colorOf(notice),
  timestamp: notice.at.toISOString(),
  fields: factsOf(notice, english).map(({ title, value }) => ({
    name: title,
    value: value instanceof Date ? writeTime(value) : fit(value, MOST.field),
    inline: title !== 'Comment',
  })),
});

function listNotices({ notices, createdAt }: Letter, publicUrl: string) {
  const writeLine = (notice: Notice) => fit(`${titleOf(notice, english)}: ${textOf(notice, english)}`, 300);
  return {
    title: 'Tocsin',
    url: publicUrl,
    description: fitLines(notices, writeLine, MOST.description, english).join('\n'),
    color: colorOf(notices[0]),
    timestamp: createdAt.toISOString(),
  };
}

const colorOf = (notice: Notice): number => Number.parseInt(COLORS[notice.subject].slice(1), 16);

const escapeMarkdown = (text: string): string => text.replace(/[\\*_~`|>#[\]<@]/g, '\\$&');
const fit = (text: string, most: number): string =>
  escapeMarkdown(shorten(text, most, (part) => escapeMarkdown(part).length));

/** In the reader's own zone. */
const writeTime = (at: Date): string => `<t:${Math.floor(at.getTime() / 1000)}:f>`;
