// People end their own sessions, one or all but this. What is on record says which.
import type { SessionId } from '../../domain/ids.ts';
import { describeProgram } from '../../domain/words/program-words.ts';
import { endOtherSessions, endSession } from '../../engine/accounts/sessions.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import type { Database } from '../../platform/db/database.ts';
import type { OwnActor } from './change-profile.ts';

/** False: the account has no such session, or none any more. */
export const endOwnSession = (db: Database, actor: OwnActor, id: SessionId, now: Date): Promise<boolean> =>
  db.transaction(async (tx) => {
    const [ended] = await endSession(tx, actor.accountId, id, now);
    if (!ended) return false;
    const detail = { program: describeProgram(ended.userAgent), from: ended.address };
    await writeAudit(tx, actor, { action: 'auth.end_session', detail }, now);
    tx.announce();
    return true;
  });

export const endOwnOtherSessions = (
  db: Database,
  actor: OwnActor,
  kept: SessionId | null,
  now: Date,
): Promise<void> =>
  db.transaction(async (tx) => {
    const ended = await endOtherSessions(tx, actor.accountId, kept, now);
    if (ended.length === 0) return;
    await writeAudit(
      tx,
      actor,
      { action: 'auth.end_other_sessions', detail: { sessions: ended.length } },
      now,
    );
    tx.announce();
  });
