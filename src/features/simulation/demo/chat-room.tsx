// The chat room of the demonstration is in the program itself: what is posted there is kept beside the mail, and nothing
// leaves the machine.

import { english } from '../../../domain/language/english.ts';
import type { Letter, Transport } from '../../../engine/letters/letter.ts';
import { factsOf, isDigest, textOf, titleOf, titleOfLetter } from '../../../engine/letters/notice-words.ts';
import { keepMail } from '../../../engine/mail/kept-mail.ts';
import type { WebhookRecipient } from '../../../engine/transports/webhook/recipient.ts';
import type { Database } from '../../../platform/db/database.ts';
import { Heading, Paragraph, renderMail } from '../../../platform/mail/mail-page.tsx';

/** A name that nobody can ever own. */
export const CHAT_ROOM = { kind: 'slack', url: 'https://chat.demo.invalid/hooks/cold-team' };

export const withChatRoom = (
  db: Database,
  outside: Transport<WebhookRecipient>,
): Transport<WebhookRecipient> => ({
  async send(letter, recipient, now, signal) {
    if (recipient.url !== CHAT_ROOM.url) return outside.send(letter, recipient, now, signal);
    const { organizationName, groupName } = letter.notices[0];
    await keepMail(db, writePost(letter, groupName), { organizationName }, now);
    return { isSent: true };
  },
});

function writePost(letter: Letter, groupName: string) {
  const subject = titleOfLetter(letter);
  const lines = linesOf(letter);
  const footer = `A post in the chat room of the ${groupName}, which is part of the demonstration.`;
  const children = [
    <Heading key="title">{subject}</Heading>,
    lines.map((line) => <Paragraph key={line}>{line}</Paragraph>),
  ];
  return {
    id: `chat-${letter.id}-${letter.createdAt.getTime()}`,
    threadId: null,
    to: { name: null, address: `the chat room of the ${groupName}` },
    subject,
    body: {
      text: [subject, '', ...lines, '', footer, ''].join('\n'),
      html: renderMail({
        language: letter.language,
        title: subject,
        preview: lines[0] ?? '',
        footer,
        children,
      }),
      pictures: [],
    },
    headers: {},
    isUrgent: false,
  };
}

function linesOf(letter: Letter): string[] {
  if (isDigest(letter))
    return letter.notices.map((notice) => `${titleOf(notice, english)}: ${textOf(notice, english)}`);
  const [notice] = letter.notices;
  const facts = factsOf(notice, english).flatMap(({ title, value }) =>
    value instanceof Date ? [] : [`${title}: ${value}`],
  );
  return [textOf(notice, english), ...facts];
}
