// A session of eight hours is over, but its browser stays signed in: it begins the next one by itself, on record as what it is.
import { provedToBe, type Requester } from '../../domain/accounts/requester.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import type { TokenSigner } from '../../platform/auth/token.ts';
import type { Tx } from '../../platform/db/database.ts';
import { beginSignedIn } from '../accounts/begin-signed-in.ts';
import { type KeptDevice, resumeDevice, tieToDevice } from '../accounts/device-sessions.ts';

interface Resumed {
  token: string;
  device: KeptDevice;
}

export async function resumeByDevice(
  tx: Tx,
  requester: Requester,
  { signer, secret, userAgent }: { signer: TokenSigner; secret: string; userAgent: string | null },
  now: Date,
): Promise<Result<Resumed, 'no_such_device'>> {
  const found = await resumeDevice(tx, { secret, address: requester.address ?? '' }, now);
  if (!found) return refuse('no_such_device');
  const { account, days } = found;
  const owner = provedToBe(requester, account);
  const proved = { owner, account, detail: { by: 'device' }, userAgent, replaces: null };
  const { token, sessionId } = await beginSignedIn(tx, signer, proved, now);
  await tieToDevice(tx, sessionId, found.id);
  return ok({ token, device: { secret, days } });
}
