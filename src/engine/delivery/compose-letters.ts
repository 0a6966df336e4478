// Letters get what they say: their notices, worst first, the curve where there is room for one, and where there is a ladder
// the link by which their reader says to have them.

import type { Language } from '../../domain/language/speak.ts';
import type { Notice } from '../../domain/notifications/notice.ts';
import { trimEnd } from '../../domain/trim-sign.ts';
import { writeFailure } from '../../domain/words/failure-words.ts';
import type { TokenSigner } from '../../platform/auth/token.ts';
import type { Database } from '../../platform/db/database.ts';
import { PassingFault } from '../../platform/db/passing-fault.ts';
import type { Log } from '../../platform/log.ts';
import { pathOfPersonal } from '../outbox/personal-path.ts';
import { pathOfReceipt } from '../outbox/receipt-path.ts';
import { createCurveReader } from '../readings/read-curves.ts';
import { createRescueReader } from '../rescue/rescue-reader.ts';
import type { ClaimedLetter } from './claim-letters.ts';
import { composeNotices } from './read-notices.ts';
import { compareWorstFirst } from './worst-first.ts';

export interface ReadyLetter extends ClaimedLetter {
  language: Language;
  notices: readonly [Notice, ...Notice[]];
  receiptUrl: string | undefined;
  personalUrl: string | undefined;
}

interface ComposerDeps {
  db: Database;
  log: Log;
  publicUrl: () => string;
  signer: Pick<TokenSigner, 'prove'>;
}

type Fail = (letter: ClaimedLetter, error: string) => void;

export function createComposer({ db, log, publicUrl, signer }: ComposerDeps) {
  const readCurves = createCurveReader({ db, log });
  const readRescue = createRescueReader({ db, log });

  /** One that cannot be written is an attempt that failed, and holds up no other. */
  return async function compose(letters: ClaimedLetter[], fail: Fail): Promise<ReadyLetter[]> {
    try {
      return await composeAll(letters);
    } catch (error) {
      const letterIds = letters.map(({ id }) => id);
      log.error({ err: error, letterIds }, 'letters could not be written');
      if (letters.length === 1 || error instanceof PassingFault) {
        for (const letter of letters) fail(letter, writeFailure('unwritten'));
        return [];
      }
    }
    const middle = Math.ceil(letters.length / 2);
    return [
      ...(await compose(letters.slice(0, middle), fail)),
      ...(await compose(letters.slice(middle), fail)),
    ];
  };

  async function composeAll(letters: ClaimedLetter[]): Promise<ReadyLetter[]> {
    if (letters.length === 0) return [];
    const ids = letters.flatMap(({ deliveries }) => deliveries.map(({ notificationId }) => notificationId));
    // Only a mail of its own shows a curve.
    const drawn = new Set(
      letters.flatMap(({ recipient, deliveries: [one, ...others] }) =>
        one && others.length === 0 && recipient.transport === 'email' ? [one.notificationId] : [],
      ),
    );
    const isDrawn = ({ id }: { id: string }) => drawn.has(id);
    const notices = await composeNotices(
      db,
      [...new Set(ids)],
      publicUrl(),
      (rows) => readCurves(rows.filter(isDrawn)),
      (rows) => readRescue(rows.filter(isDrawn)),
    );
    const named = new WeakMap<Notice, Notice>();
    const nameOne = (notice: Notice): Notice => {
      const known = named.get(notice) ?? { ...notice, isOneOfSeveral: true };
      named.set(notice, known);
      return known;
    };
    return letters.map((letter) => {
      const { language, hasSeveral } = letter.recipient;
      const [worst, ...rest] = letter.deliveries
        .flatMap(({ notificationId }) => notices(notificationId, language) ?? [])
        .map((notice) => (hasSeveral ? nameOne(notice) : notice))
        .sort(compareWorstFirst);
      if (!worst) throw new Error(`There is nothing to say in letter ${letter.id}`);
      const personalUrl =
        rest.length === 0 && worst.acknowledgeUrl !== null ? namePersonal(letter) : undefined;
      return { ...letter, language, notices: [worst, ...rest], receiptUrl: nameReceipt(letter), personalUrl };
    });
  }

  function nameReceipt(letter: ClaimedLetter): string | undefined {
    if (!letter.hasSteps || letter.recipient.transport !== 'email') return undefined;
    return trimEnd(publicUrl(), '/') + pathOfReceipt(signer, letter);
  }

  function namePersonal({ id, createdAt, recipient: { signsAs } }: ClaimedLetter): string | undefined {
    return signsAs && trimEnd(publicUrl(), '/') + pathOfPersonal(signer, { id, createdAt, signsAs });
  }
}
