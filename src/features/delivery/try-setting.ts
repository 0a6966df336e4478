// "Send me one now": by what is in force, to the keeper's own address and to nobody else's.
import { createHash, randomUUID } from 'node:crypto';
import sql from 'sql-template-tag';
import type { SignedIn } from '../../domain/accounts/requester.ts';
import { METHOD_KINDS, type MethodKind } from '../../domain/on-call/contact-method.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { type OwnMethod, selectMethods } from '../../engine/accounts/contact-methods.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import type { InForce } from '../../engine/delivery-settings/in-force.ts';
import { kindOf } from '../../engine/providers/providers.ts';
import type { Message } from '../../engine/providers/record/message.ts';
import { tellPersonAloud } from '../../engine/transports/method/method.ts';
import { first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';
import type { Mail } from '../../platform/mail/mail.ts';
import { sendOnce } from '../../platform/mail/send-once.ts';

/** By which it goes that a keeper sets up. */
export const TRIED_KINDS: readonly MethodKind[] = METHOD_KINDS.filter(
  (kind) => kind === 'email' || kindOf(kind).provider !== null,
);

export interface Tried {
  kind: MethodKind;
  isSent: boolean;
  summary: string;
  /** What the server answered, in its own words. */
  answer: string | null;
}

export const MOST_TRIES_A_MINUTE = 5;

/** Counted by what is on record, so that it holds for all programs together. */
export async function noteTry(
  tx: Tx,
  requester: SignedIn,
  { kind }: { kind: MethodKind },
  now: Date,
): Promise<Result<null, 'too_many'>> {
  // One after the other, so that none is counted twice.
  await tx.query(sql`select 1 from account where id = ${requester.accountId} for update`);
  const since = new Date(now.getTime() - 60_000);
  const tried = first(
    await tx.query<{ count: number }>(sql`
      select count(*)::int as count from audit
      where organization_id is null and account_id = ${requester.accountId} and happened_at > ${since}
        and action = 'delivery.try'`),
  );
  if ((tried?.count ?? 0) >= MOST_TRIES_A_MINUTE) return refuse('too_many');
  await writeAudit(tx, requester, { action: 'delivery.try', detail: { kind } }, now);
  return ok(null);
}

interface TryDeps {
  db: ReadDatabase;
  inForce: InForce;
  linkBase: string;
}

export async function tryKind(
  { db, inForce, linkBase }: TryDeps,
  requester: SignedIn,
  kind: MethodKind,
  now: Date,
): Promise<Tried> {
  if (kind === 'email') return tryMail(inForce, requester, linkBase, now);
  const { label } = kindOf(kind);
  const own = (await selectMethods(db, requester.accountId)).find((method) => method.kind === kind);
  if (!own || !isInUse(own))
    return {
      kind,
      isSent: false,
      summary: `You have no ${label} of your own yet: add it on your profile, under How you are told. It goes to you alone.`,
      answer: null,
    };
  const { providers, unread } = inForce;
  const settings = { providers, publicUrl: linkBase, allowPrivate: false };
  const signal = new AbortController().signal;
  const recipient = { kind, address: own.address, secret: own.secret };
  const { outcome, answer } = await tellPersonAloud(settings, sayTry(linkBase), recipient, now, signal);
  if (outcome.isSent)
    return {
      kind,
      isSent: true,
      summary: `${outcome.handedTo} took it. It has not arrived before you see it there.`,
      answer,
    };
  const summary = unread.length > 0 ? `${outcome.error}. This program has not the key` : outcome.error;
  return { kind, isSent: false, summary: `${summary}.`, answer };
}

const isInUse = ({ verifiedAt, disabledReason }: OwnMethod): boolean =>
  verifiedAt !== null && disabledReason === null;

async function tryMail(inForce: InForce, to: SignedIn, linkBase: string, now: Date): Promise<Tried> {
  const { mail: way, mailFrom } = inForce;
  if (way.kind !== 'server') {
    const summary =
      way.kind === 'kept'
        ? 'There is no mail server: mail is kept in the database.'
        : 'This program has not the key to the settings of the mail server.';
    return { kind: 'email', isSent: false, summary, answer: null };
  }
  const { isReady, summary, answer } = await sendOnce(way.server, mailFrom, writeTry(to, linkBase), now);
  return { kind: 'email', isSent: isReady, summary, answer };
}

const TITLE = 'Tocsin: a message to try the way';
const TEXT = 'You asked for it on the page Delivery. Messages leave by this way.';

const writeTry = ({ name, email }: SignedIn, linkBase: string): Mail => ({
  id: randomUUID(),
  threadId: null,
  to: { name, address: email },
  subject: TITLE,
  body: {
    text: `${TEXT}\n\nLinks begin with ${linkBase}\n`,
    html: `<p>${TEXT}</p><p>Links begin with <a href="${escapeAttribute(linkBase)}">${escapeAttribute(linkBase)}</a></p>`,
    pictures: [],
  },
  headers: { 'X-Tocsin-Kind': 'try' },
  isUrgent: false,
});

const escapeAttribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

function sayTry(linkBase: string): Message {
  const id = randomUUID();
  return {
    id,
    title: TITLE,
    text: TEXT,
    sms: `${TITLE}. ${TEXT}`.slice(0, 160),
    link: { label: 'Open Tocsin', url: linkBase },
    urgency: 'none',
    isFirstCritical: true,
    topic: createHash('sha256').update(id).digest('base64url').slice(0, 32),
    spoken: `${TITLE}. ${TEXT}`,
    answer: 'nothing',
  };
}
