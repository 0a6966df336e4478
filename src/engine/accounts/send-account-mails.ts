// Mails about accounts leave by a queue of their own: they belong to no service, no group and no alarm.
import type { Database } from '../../platform/db/database.ts';
import { languageFor } from '../../platform/languages/languages.ts';
import type { Log } from '../../platform/log.ts';
import type { Mail } from '../../platform/mail/mail.ts';
import type { Mailer } from '../mail/mailer.ts';
import { AT_ONCE, LEASE_MS, sendQueued } from '../mail/send-queued.ts';
import { planRetry } from '../transports/retry.ts';
import { insertLinks, LINK_LIFETIME_MS, type LinkPurpose, makeLink, type NewLink } from './account-links.ts';
import { type ClaimedMail, leaseMails, type MailEnd, markMails } from './account-mail-queries.ts';
import { nameAccountMail } from './queue-account-mail.ts';
import { writeAccountMail } from './write-account-mail.tsx';

interface AccountMailDeps {
  db: Database;
  mailer: Mailer;
  log: Log;
  /** Without a slash at its end. */
  publicUrl: () => string;
}

/** What the clock calls every second: sends what is due, and answers how many it took. */
export async function sendAccountMails(deps: AccountMailDeps, now: Date): Promise<number> {
  // A link that counts as private never ends up where administrators can read it.
  const exit = deps.mailer.choose();
  const claimed = await claim(deps, exit.isKept, now);
  const mails = claimed.map(({ mail, link }) => ({
    id: mail.id,
    kind: mail.kind,
    named: { accountMail: mail.id },
    owner: { accountId: mail.accountId, organizationId: mail.invitation?.organizationId ?? null },
    write: () => write(deps, { mail, link }),
    planNext: () => planNextAttempt(mail, now),
  }));
  const mark = (end: MailEnd) => markMails(deps.db, [end], now);
  await sendQueued({ ...deps, mailer: exit, what: 'a mail about an account', mark }, mails, now);
  return claimed.length;
}

interface MailWithLink {
  mail: ClaimedMail;
  link: NewLink | null;
}

/** Each attempt has a link of its own: what was sent, or may have been, cannot be read back from its hash. */
const claim = ({ db }: AccountMailDeps, isKept: boolean, now: Date): Promise<MailWithLink[]> =>
  db.transaction(async (tx) => {
    const mails = await leaseMails(tx, AT_ONCE, new Date(now.getTime() + LEASE_MS), now);
    const dropped = mails.flatMap((mail): MailEnd[] => {
      const error = reasonToDrop(mail);
      return error === null ? [] : [{ id: mail.id, state: 'dropped', error, nextAttemptAt: null }];
    });
    if (dropped.length > 0) await markMails(tx, dropped, now);
    const claimed = mails
      .filter((mail) => reasonToDrop(mail) === null)
      .map((mail) => ({ mail, link: linkFor(mail, !isKept, now) }));
    const links = claimed.flatMap(({ link }) => link ?? []);
    if (links.length > 0) await insertLinks(tx, links, now);
    return claimed;
  });

function reasonToDrop({ kind, isActive, hasPassword, invitation }: ClaimedMail): string | null {
  if (kind in WITHOUT_A_LINK) return null;
  if (!isActive) return 'The account is deactivated';
  if (kind === 'invitation' && !invitation) return 'The invitation is no longer open';
  return kind === 'activation' && hasPassword && !invitation ? 'The account is activated already' : null;
}

function linkFor(mail: ClaimedMail, isPrivate: boolean, now: Date): NewLink | null {
  const purpose = purposeOf(mail, isPrivate);
  const { accountId, invitation } = mail;
  return purpose && makeLink({ accountId, purpose, invitationId: invitation?.id ?? null, isPrivate }, now);
}

/**
 * Whether an invited person has an account may have changed since the mail was asked for. Where mail is kept, a link would
 * let an administrator answer for an account that is not his: its owner signs in, unless somebody who is out of it by now
 * may know the password, and it is anew whose the account is.
 */
function purposeOf(mail: ClaimedMail, isPrivate: boolean): LinkPurpose | null {
  if (mail.kind in WITHOUT_A_LINK) return null;
  if (mail.kind === 'password_reset') return 'password_reset';
  if (!mail.hasPassword) return 'activation';
  return isPrivate || (mail.passwordMayBeKnown && !mail.isMemberSomewhere) ? 'invitation' : null;
}

const PATHS: Record<LinkPurpose, string> = {
  activation: '/activate',
  password_reset: '/reset-password',
  invitation: '/join',
};

const WITHOUT_A_LINK: Partial<Record<ClaimedMail['kind'], string>> = {
  password_changed: '/forgot-password',
  passkey_added: '/profile',
  contact_off: '/profile/contacts',
  phone_pin_changed: '/profile/contacts',
};

const pathOf = ({ kind }: ClaimedMail, link: NewLink | null): string => {
  if (link) return `${PATHS[link.purpose]}/${link.token}`;
  return WITHOUT_A_LINK[kind] ?? '/invitations';
};

function write(deps: AccountMailDeps, { mail, link }: MailWithLink): Mail {
  const { subject, text, html } = writeAccountMail({
    ...mail,
    language: languageFor(...mail.languages),
    kind: mail.kind === 'activation' && mail.hasPassword ? 'invitation' : mail.kind,
    role: mail.invitation?.role ?? null,
    at: mail.createdAt,
    url: deps.publicUrl() + pathOf(mail, link),
    expiresAt: link?.expiresAt ?? null,
  });
  return {
    subject,
    body: { text, html, pictures: [] },
    id: nameAccountMail(mail),
    threadId: null,
    to: { name: mail.name, address: mail.email },
    headers: { 'X-Tocsin-Kind': mail.kind },
    isUrgent: false,
  };
}

/** Nobody waits a day for a link to choose a new password. */
function planNextAttempt({ kind, createdAt, attempt }: ClaimedMail, now: Date): Date | null {
  const next = planRetry({ createdAt, attempt, retryAfterMs: null, isLasting: false }, now, Math.random);
  const givenUpAt = createdAt.getTime() + LINK_LIFETIME_MS.password_reset;
  return kind === 'password_reset' && next && next.getTime() > givenUpAt ? null : next;
}
