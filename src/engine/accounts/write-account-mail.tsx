// What mails about an account say.

import type { Role } from '../../domain/accounts/role.ts';
import type { Language } from '../../domain/language/speak.ts';
import { formatLocalTime } from '../../domain/local-time.ts';
import { isTimeZone } from '../../domain/time-zone.ts';
import { Button, Heading, Paragraph, renderMail } from '../../platform/mail/mail-page.tsx';
import type { AccountMailKind } from './queue-account-mail.ts';

export interface AccountMailFacts {
  kind: AccountMailKind;
  name: string;
  email: string;
  timeZone: string;
  language: Language;
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
  const { language, name, email } = facts;
  const { say } = language;
  const words = WORDS[facts.kind](facts);
  const greeting = say('Hello {name},', { name });
  const footer = say(
    'This mail was sent to {email}, an account of Tocsin, the alarm monitoring of your lab.',
    { email },
  );
  const text = [
    greeting,
    '',
    ...words.before,
    '',
    say('{button}:', { button: words.button }),
    facts.url,
    '',
    ...words.after,
    '',
    '-- ',
    footer,
    '',
  ];
  const html = renderMail({
    language,
    title: words.subject,
    preview: words.before[0] ?? '',
    footer,
    children: (
      <>
        <Heading>{words.heading}</Heading>
        <Paragraph>{greeting}</Paragraph>
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
  activation: (facts) => {
    const { say } = facts.language;
    return {
      // For translators: the subject of a mail to somebody who has a new account and no password yet
      subject: say('Activate your Tocsin account'),
      heading: say('Activate your account'),
      before: [invitationOf(facts)],
      button: say('Choose a password'),
      after: [sayExpiry(facts)],
    };
  },
  invitation: (facts) => {
    const { say } = facts.language;
    const organization = facts.organizationName ?? say('an organization');
    const owned = say(
      'You have an account already: it stays yours, and belongs to them only once you accept.',
    );
    return {
      // For translators: the subject of a mail to somebody who has an account and is asked to join one more organization
      subject: say('Invitation to {organization} in Tocsin', { organization }),
      heading: say('Invitation to {organization}', { organization }),
      before: [`${offerOf(facts)} ${owned}`],
      button: say('Accept or decline'),
      after: [
        ...(facts.expiresAt
          ? [
              say('The link works until {time}. After that, sign in to answer.', {
                time: showTime(facts.expiresAt, facts),
              }),
            ]
          : []),
        say('If you do nothing, nothing changes.'),
      ],
    };
  },
  password_reset: (facts) => {
    const { say } = facts.language;
    return {
      // For translators: the subject of a mail to somebody who forgot the password
      subject: say('Choose a new Tocsin password'),
      heading: say('Choose a new password'),
      before: [say('Somebody, probably you, asked for a new password for your account.')],
      button: say('Choose a new password'),
      after: [sayExpiry(facts), say('If it was not you, do nothing: your password stays as it is.')],
    };
  },
  password_changed: (facts) => {
    const { authorName: person } = facts;
    const { say } = facts.language;
    const time = showTime(facts.at, facts);
    return {
      // For translators: the subject of a mail that warns: whoever did not do this has to act
      subject: say('Your Tocsin password was changed'),
      heading: say('Your password was changed'),
      before: [
        person === null
          ? say(
              'Your password was changed at {time}. Everything that was signed in with the old one has to sign in again.',
              { time },
            )
          : say(
              'Your password was changed at {time} by {person}. Everything that was signed in with the old one has to sign in again.',
              { time, person },
            ),
      ],
      button: say('Not you? Choose a new password'),
      after: [say('If you did not expect this, tell your administrator as well.')],
    };
  },
  passkey_added: (facts) => {
    const { say } = facts.language;
    return {
      // For translators: the subject of a mail that warns: whoever did not do this has to act
      subject: say('A passkey was added to your Tocsin account'),
      heading: say('A passkey was added'),
      before: [
        say('Since {time} your account can also be signed in to with a new passkey.', {
          time: showTime(facts.at, facts),
        }),
      ],
      button: say('See your passkeys'),
      after: [
        say(
          'If it was not you, remove it there, choose a new password, and tell your administrator as well.',
        ),
      ],
    };
  },
  contact_off: (facts) => {
    const { say } = facts.language;
    return {
      subject: say('You are no longer notified by one of your contact methods'),
      heading: say('A contact method was switched off'),
      before: [
        say(
          'Since {time} one of the ways by which you are notified of alarms takes nothing any more. Alarms reach you by the others, or by mail.',
          { time: showTime(facts.at, facts) },
        ),
      ],
      button: say('See how you are notified'),
      after: [say('Remove it there, or put it to use again with a new code.')],
    };
  },
  phone_pin_changed: (facts) => {
    const { say } = facts.language;
    return {
      // For translators: the subject of a mail that warns: whoever did not do this has to act
      subject: say('Your PIN for answers by phone was changed'),
      heading: say('Your PIN was changed'),
      before: [
        say(
          'At {time} the PIN by which you acknowledge alarms by SMS or in a call was set, changed or removed.',
          { time: showTime(facts.at, facts) },
        ),
      ],
      button: say('See how you are notified'),
      after: [
        say('If it was not you, choose a new password and a new PIN, and tell your administrator as well.'),
      ],
    };
  },
};

const invitationOf = (facts: AccountMailFacts): string => {
  const waits = facts.language.say('An account of Tocsin waits for you: choose a password to activate it.');
  return facts.authorName === null ? waits : `${offerOf(facts)} ${waits}`;
};

function offerOf({ authorName, organizationName: organization, role, language }: AccountMailFacts): string {
  const { say } = language;
  const person = authorName ?? say('Somebody');
  if (organization === null) return say('{person} invited you.', { person });
  return role === null
    ? say('{person} invited you to {organization}.', { person, organization })
    : say(
        '{person} invited you to {organization} as {role, select, administrator {administrator} operator {operator} other {viewer}}.',
        { person, organization, role },
      );
}

const sayExpiry = (facts: AccountMailFacts): string =>
  facts.expiresAt === null
    ? facts.language.say('The link works once, until it is used.')
    : facts.language.say('The link works once, until {time}.', { time: showTime(facts.expiresAt, facts) });

function showTime(at: Date, { timeZone }: AccountMailFacts): string {
  const known = isTimeZone(timeZone) ? timeZone : 'UTC';
  const time = formatLocalTime(new Date(Math.floor(at.getTime() / 60_000) * 60_000), known);
  return known === 'UTC' ? time : `${time} (${known})`;
}
