// What mails about an account say.

import type { Role } from '../../domain/accounts/role.ts';
import { formatLocalTime } from '../../domain/local-time.ts';
import { isTimeZone } from '../../domain/time-zone.ts';
import { Button, Heading, Paragraph, renderMail } from '../../platform/mail/mail-page.tsx';
import type { AccountMailKind } from './queue-account-mail.ts';

export interface AccountMailFacts {
  kind: AccountMailKind;
  name: string;
  email: string;
  timeZone: string;
  authorName: string | null;
  organizationName: string | null;
  /** That an invitation offers. */
  role: Role | null;
  /** When the password was changed, or the mail asked for. */
  at: Date;
  /** Of the page the mail leads to. */
  url: string;
  expiresAt: Date | null;
}

interface Words {
  subject: string;
  heading: string;
  before: string[];
  button: string;
  after: string[];
}

export function writeAccountMail(facts: AccountMailFacts): { subject: string; text: string; html: string } {
  const words = WORDS[facts.kind](facts);
  const footer = `This mail was sent to ${facts.email}, an account of Tocsin, the alarm monitoring of your lab.`;
  const text = [
    `Hello ${facts.name},`,
    '',
    ...words.before,
    '',
    `${words.button}:`,
    facts.url,
    '',
    ...words.after,
    '',
    '-- ',
    footer,
    '',
  ];
  const html = renderMail({
    title: words.subject,
    preview: words.before[0] ?? '',
    footer,
    children: (
      <>
        <Heading>{words.heading}</Heading>
        <Paragraph>Hello {facts.name},</Paragraph>
        {words.before.map((line) => (
          <Paragraph key={line}>{line}</Paragraph>
        ))}
        <Button href={facts.url}>{words.button}</Button>
        {words.after.map((line) => (
          <Paragraph key={line}>{line}</Paragraph>
        ))}
      </>
    ),
  });
  return { subject: words.subject, text: text.join('\n'), html };
}

const WORDS: Record<AccountMailKind, (facts: AccountMailFacts) => Words> = {
  activation: (facts) => ({
    subject: 'Activate your Tocsin account',
    heading: 'Activate your account',
    before: [invitationOf(facts)],
    button: 'Choose a password',
    after: [`The link works once, until ${showExpiry(facts)}.`],
  }),
  invitation: (facts) => ({
    subject: `Invitation to ${facts.organizationName ?? 'an organization'} in Tocsin`,
    heading: `Invitation to ${facts.organizationName ?? 'an organization'}`,
    before: [
      `${offerOf(facts)} You have an account already: it stays yours, and belongs to them only once you accept.`,
    ],
    button: 'Accept or decline',
    after: [
      ...(facts.expiresAt
        ? [`The link works until ${showExpiry(facts)}. After that, sign in to answer.`]
        : []),
      'If you do nothing, nothing changes.',
    ],
  }),
  password_reset: (facts) => ({
    subject: 'Choose a new Tocsin password',
    heading: 'Choose a new password',
    before: ['Somebody, probably you, asked for a new password for your account.'],
    button: 'Choose a new password',
    after: [
      `The link works once, until ${showExpiry(facts)}.`,
      'If it was not you, do nothing: your password stays as it is.',
    ],
  }),
  password_changed: (facts) => ({
    subject: 'Your Tocsin password was changed',
    heading: 'Your password was changed',
    before: [
      `Your password was changed at ${showTime(facts.at, facts)}${facts.authorName === null ? '' : ` by ${facts.authorName}`}. Everything that was signed in with the old one has to sign in again.`,
    ],
    button: 'Not you? Choose a new password',
    after: ['If you did not expect this, tell your administrator as well.'],
  }),
  passkey_added: (facts) => ({
    subject: 'A passkey was added to your Tocsin account',
    heading: 'A passkey was added',
    before: [`Since ${showTime(facts.at, facts)} your account can also be signed in to with a new passkey.`],
    button: 'See your passkeys',
    after: [
      'If it was not you, remove it there, choose a new password, and tell your administrator as well.',
    ],
  }),
  contact_off: (facts) => ({
    subject: 'You are no longer told by one of your contact methods',
    heading: 'A contact method was switched off',
    before: [
      `Since ${showTime(facts.at, facts)} one of the ways by which you are told of alarms takes nothing any more. Alarms reach you by the others, or by mail.`,
    ],
    button: 'See how you are told',
    after: ['Remove it there, or put it to use again with a new code.'],
  }),
  phone_pin_changed: (facts) => ({
    subject: 'Your PIN for answers by phone was changed',
    heading: 'Your PIN was changed',
    before: [
      `At ${showTime(facts.at, facts)} the PIN by which you acknowledge alarms by SMS or in a call was set, changed or removed.`,
    ],
    button: 'See how you are told',
    after: ['If it was not you, choose a new password and a new PIN, and tell your administrator as well.'],
  }),
};

const invitationOf = (facts: AccountMailFacts): string => {
  const waits = 'An account of Tocsin waits for you: choose a password to activate it.';
  return facts.authorName === null ? waits : `${offerOf(facts)} ${waits}`;
};

const offerOf = ({ authorName, organizationName, role }: AccountMailFacts): string =>
  [
    `${authorName ?? 'Somebody'} invited you`,
    organizationName === null ? '' : ` to ${organizationName}`,
    role === null ? '' : ` as ${role}`,
    '.',
  ].join('');

const showExpiry = (facts: AccountMailFacts): string =>
  facts.expiresAt === null ? 'it is used' : showTime(facts.expiresAt, facts);

function showTime(at: Date, { timeZone }: AccountMailFacts): string {
  const known = isTimeZone(timeZone) ? timeZone : 'UTC';
  const time = formatLocalTime(new Date(Math.floor(at.getTime() / 60_000) * 60_000), known);
  return known === 'UTC' ? time : `${time} (${known})`;
}
