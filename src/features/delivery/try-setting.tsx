// "Send me one now": by what is in force, to the keeper's own address and to nobody else's.
import { createHash, randomUUID } from 'node:crypto';
import sql from 'sql-template-tag';
import type { SignedIn } from '../../domain/accounts/requester.ts';
import { message } from '../../domain/language/message.ts';
import type { Language } from '../../domain/language/speak.ts';
import { METHOD_KINDS, type MethodKind } from '../../domain/on-call/contact-method.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { sayFailure } from '../../domain/words/failure-words.ts';
import { fitSms } from '../../domain/words/fit-sms.ts';
import { type OwnMethod, selectMethods } from '../../engine/accounts/contact-methods.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import type { InForce } from '../../engine/delivery-settings/in-force.ts';
import { kindOf, languageBy, nameMethod } from '../../engine/providers/providers.ts';
import type { Message } from '../../engine/providers/record/message.ts';
import { tellPersonAloud } from '../../engine/transports/method/method.ts';
import { first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';
import { renderFragment } from '../../platform/html/fragment.ts';
import { sayWith } from '../../platform/html/language.tsx';
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

interface Trier extends SignedIn {
  language: Language;
}

interface TryDeps {
  db: ReadDatabase;
  inForce: InForce;
  linkBase: string;
}

export async function tryKind(
  { db, inForce, linkBase }: TryDeps,
  requester: Trier,
  kind: MethodKind,
  now: Date,
): Promise<Tried> {
  if (kind === 'email') return tryMail(inForce, requester, linkBase, now);
  const { language } = requester;
  const { say } = language;
  const own = (await selectMethods(db, requester.accountId)).find((method) => method.kind === kind);
  if (!own || !isInUse(own))
    return {
      kind,
      isSent: false,
      summary: say(
        'You have no {way} of your own yet: add it on your profile, under How you are notified. It goes to you alone.',
        { way: nameMethod(kind, language) },
      ),
      answer: null,
    };
  const { providers, unread } = inForce;
  const settings = { providers, publicUrl: linkBase, allowPrivate: false };
  const signal = new AbortController().signal;
  const recipient = { kind, address: own.address, secret: own.secret };
  const { outcome, answer } = await tellPersonAloud(
    settings,
    sayTry(linkBase, languageBy(kind, language)),
    recipient,
    now,
    signal,
  );
  if (outcome.isSent)
    return {
      kind,
      isSent: true,
      summary: say('{host} took it. It has not arrived before you see it there.', {
        host: outcome.handedTo ?? '',
      }),
      answer,
    };
  const error = sayFailure(outcome.error, language);
  const summary =
    unread.length > 0 ? say('{error}. This program has not the key.', { error }) : say('{error}.', { error });
  return { kind, isSent: false, summary, answer };
}

const isInUse = ({ verifiedAt, disabledReason }: OwnMethod): boolean =>
  verifiedAt !== null && disabledReason === null;

async function tryMail(inForce: InForce, to: Trier, linkBase: string, now: Date): Promise<Tried> {
  const { mail: way, mailFrom } = inForce;
  if (way.kind !== 'server') {
    const summary =
      way.kind === 'kept'
        ? message('There is no mail server: mail is kept in the database.')
        : message('This program has not the key to the settings of the mail server.');
    return { kind: 'email', isSent: false, summary: to.language.say(summary), answer: null };
  }
  const { isReady, summary, answer } = await sendOnce(
    way.server,
    mailFrom,
    writeTry(to, linkBase),
    now,
    to.language,
  );
  return { kind: 'email', isSent: isReady, summary, answer };
}

const TITLE = message('Tocsin: a message to try the way');
const TEXT = message('You asked for it on the page Delivery. Messages leave by this way.');

const writeTry = ({ name, email, language }: Trier, linkBase: string): Mail => ({
  id: randomUUID(),
  threadId: null,
  to: { name, address: email },
  subject: language.say(TITLE),
  body: {
    text: `${language.say(TEXT)}\n\n${language.say('Links begin with {address}', { address: linkBase })}\n`,
    html: renderFragment(
      <>
        <p>{language.say(TEXT)}</p>
        <p>
          {sayWith(language, 'Links begin with {address}', { address: <a href={linkBase}>{linkBase}</a> })}
        </p>
      </>,
      language,
    ),
    pictures: [],
  },
  headers: { 'X-Tocsin-Kind': 'try' },
  isUrgent: false,
});

function sayTry(linkBase: string, language: Language): Message {
  const { say } = language;
  const [title, text] = [say(TITLE), say(TEXT)];
  const id = randomUUID();
  return {
    id,
    language,
    title,
    text,
    sms: fitSms(`${title}. ${text}`, '', language),
    link: { label: say('Open Tocsin'), url: linkBase },
    urgency: 'none',
    isFirstCritical: true,
    topic: createHash('sha256').update(id).digest('base64url').slice(0, 32),
    spoken: `${title}. ${text}`,
    answer: 'nothing',
  };
}
