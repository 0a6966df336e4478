// People end their own sessions, one or all but this. What is on record says which.

import type { SignedIn } from '../../domain/accounts/requester.ts';
import type { SessionId } from '../../domain/ids.ts';
import { describeProgram } from '../../domain/words/program-words.ts';
import { endOtherSessions, endSession } from '../../engine/accounts/sessions.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import type { Database } from '../../platform/db/database.ts';

/** False: the account has no such session, or none any more. */
export const endOwnSession = (
  db: Database,
  requester: SignedIn,
  id: SessionId,
  now: Date,
): Promise<boolean> =>
  db.transaction(async (tx) => {
    const [ended] = await endSession(tx, requester.accountId, id, now);
    if (!ended) return false;
    const detail = { program: describeProgram(ended.userAgent), from: ended.address };
    await writeAudit(tx, requester, { action: 'auth.end_session', detail }, now);
    tx.announce();
    return true;
  });

export const endOwnOtherSessions = (
  db: Database,
  requester: SignedIn,
  kept: SessionId | null,
  now: Date,
): Promise<void> =>
  db.transaction(async (tx) => {
    const ended = await endOtherSessions(tx, requester.accountId, kept, now);
    if (ended.length === 0) return;
    await writeAudit(
      tx,
      requester,
      { action: 'auth.end_other_sessions', detail: { sessions: ended.length } },
      now,
    );
    tx.announce();
  });
