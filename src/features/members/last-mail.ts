// What became of the last mail to somebody who was invited, or who is to choose a new password.

import type { OrganizationId } from '../../domain/ids.ts';
import type { Language } from '../../domain/language/speak.ts';
import {
  findOutcome,
  isTrouble,
  type LetterFacts,
  type Outcome,
  sayOutcome,
  timeOf,
} from '../../domain/notifications/outcome.ts';
import { nameAccountMail } from '../../engine/accounts/queue-account-mail.ts';
import { selectReadable } from '../../engine/mail/kept-mail.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { type Reader, type ShownTime, showTime } from '../../platform/html/time.tsx';

/** As it is stored, in JSON. */
export interface StoredMail {
  id: string;
  createdAt: string;
  state: LetterFacts['state'];
  attempts: number;
  nextAttemptAt: string;
  lastError: string | null;
  finishedAt: string | null;
  handedTo: string | null;
  isKept: boolean | null;
}

export interface LastMail {
  words: string;
  at: ShownTime | null;
  isTrouble: boolean;
  /** Where whoever asks can read it, and hand on the link in it; null: it is not kept, or not for them to read. */
  keptPath: string | null;
}

/** `organizationIds`: those that the reader administers. */
export async function readLastMails(
  db: ReadDatabase,
  mails: readonly StoredMail[],
  {
    organizationIds,
    hasMailServer,
    ...reader
  }: Reader & { organizationIds: OrganizationId[]; hasMailServer: boolean },
): Promise<Map<string, LastMail>> {
  const named = mails.map((mail) => ({
    mail,
    name: nameAccountMail({ id: mail.id, createdAt: new Date(mail.createdAt) }),
  }));
  const kept = await selectReadable(
    db,
    organizationIds,
    named.filter(({ mail }) => mail.isKept).map(({ name }) => name),
  );
  return new Map(
    named.map(({ mail, name }) => {
      const outcome = findOutcome(factsOf(mail));
      const at = timeOf(outcome);
      const readable = kept.find(({ mailId }) => mailId === name);
      return [
        mail.id,
        {
          words: sayMail(outcome, hasMailServer, reader.language),
          at: at && showTime(at, reader),
          isTrouble: isTrouble(outcome),
          keptPath: readable ? `/settings/mail/${readable.id}` : null,
        },
      ];
    }),
  );
}

/**
 * That it was left out would tell whoever invites that there is an account, and that it is deactivated: what has not left
 * reads the same, whatever the reason.
 */
function sayMail(outcome: Outcome, hasMailServer: boolean, language: Language): string {
  const hasNotLeft = outcome.state === 'left_out' || (outcome.state === 'waiting' && outcome.attempts === 0);
  if (!hasNotLeft) return sayOutcome(outcome, true, language);
  return hasMailServer
    ? language.say('Not handed over yet')
    : language.say('There is no mail server: it is kept here in a moment, and does not leave');
}

const factsOf = ({
  state,
  attempts,
  nextAttemptAt,
  lastError,
  finishedAt,
  handedTo,
  isKept,
}: StoredMail): LetterFacts => ({
  state,
  attempts,
  nextAttemptAt: new Date(nextAttemptAt),
  lastError,
  sentAt: finishedAt === null ? null : new Date(finishedAt),
  handedTo,
  isKept,
});
