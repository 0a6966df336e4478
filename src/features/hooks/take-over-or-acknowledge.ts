import type { Requester } from '../../domain/accounts/requester.ts';
import type { ServiceId } from '../../domain/ids.ts';
import type { Result } from '../../domain/result.ts';
import { type AcknowledgeRefusal, acknowledge } from '../../engine/acts/acknowledge.ts';
import { takeOver } from '../../engine/acts/take-over.ts';
import type { Tx } from '../../platform/db/database.ts';

/** By phone it is the same answer: whoever is handed an alarm takes it, everybody else acknowledges. */
export async function takeOverOrAcknowledge(
  tx: Tx,
  requester: Requester,
  wanted: { serviceId: ServiceId; comment: string | undefined },
  now: Date,
): Promise<Result<unknown, AcknowledgeRefusal>> {
  const taken = await takeOver(tx, requester, wanted, now);
  return taken.ok ? taken : acknowledge(tx, requester, wanted, now);
}
