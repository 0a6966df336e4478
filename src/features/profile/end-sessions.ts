// People end their own sessions, one or all but this. What is on record says which.

import type { SignedIn } from '../../domain/accounts/requester.ts';
import type { DeviceSessionId, SessionId } from '../../domain/ids.ts';
import { english } from '../../domain/language/english.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { describeProgram } from '../../domain/words/program-words.ts';
import { endDevice, endOtherDevices, selectDeviceOf } from '../../engine/accounts/device-sessions.ts';
import { endOtherSessions, endSession } from '../../engine/accounts/sessions.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import type { Tx } from '../../platform/db/database.ts';

/** Refused: the account has no such session, or none any more. */
export async function endOwnSession(
  tx: Tx,
  requester: SignedIn,
  { id }: { id: SessionId },
  now: Date,
): Promise<Result<null, 'no_such_session'>> {
  const deviceId = await selectDeviceOf(tx, requester.accountId, id);
  const [ended] = await endSession(tx, requester.accountId, id, now);
  if (!ended) return refuse('no_such_session');
  // It would begin the next one by itself.
  if (deviceId !== null) await endDevice(tx, requester.accountId, deviceId);
  const detail = { program: describeProgram(ended.userAgent, english), from: ended.address };
  await writeAudit(tx, requester, { action: 'auth.end_session', detail }, now);
  tx.announce();
  return ok(null);
}

export async function endOwnOtherSessions(
  tx: Tx,
  requester: SignedIn,
  { kept }: { kept: SessionId | null },
  now: Date,
): Promise<Result<null, never>> {
  const ended = await endOtherSessions(tx, requester.accountId, kept, now);
  const devices = await endOtherDevices(tx, requester.accountId, kept);
  if (ended.length === 0 && devices.length === 0) return ok(null);
  const detail = { sessions: ended.length, ...(devices.length > 0 && { devices: devices.length }) };
  await writeAudit(tx, requester, { action: 'auth.end_other_sessions', detail }, now);
  tx.announce();
  return ok(null);
}

/** Refused: the account stays signed in on no such device, or not any more. */
export async function endOwnDevice(
  tx: Tx,
  requester: SignedIn,
  { id }: { id: DeviceSessionId },
  now: Date,
): Promise<Result<null, 'no_such_device'>> {
  const ended = await endDevice(tx, requester.accountId, id);
  if (!ended) return refuse('no_such_device');
  const detail = { program: describeProgram(ended.userAgent, english), from: ended.address };
  await writeAudit(tx, requester, { action: 'auth.end_device', detail }, now);
  tx.announce();
  return ok(null);
}
