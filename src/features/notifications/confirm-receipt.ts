// The link beside the one that acknowledges: its reader says to have the mail. Whoever has the link needs no session for
// that. It acknowledges nothing and stops nothing.
import type { Requester } from '../../domain/accounts/requester.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import { provesReceipt, type ReceiptLink } from '../../engine/outbox/receipt-path.ts';
import { noteConfirmed } from '../../engine/outbox/receipts.ts';
import { readBigId } from '../../engine/pages/page-routes.ts';
import type { TokenSigner } from '../../platform/auth/token.ts';
import type { ReadDatabase, Tx } from '../../platform/db/database.ts';
import { lockLetter, selectLetter, selectToldAlarms, type ToldAlarm } from './receipt-queries.ts';

/** As many as a mail lists. */
const MOST_ALARMS = 50;

/** null: the link was never sent, or what it was sent with is forgotten. */
export async function readReceipt(
  db: ReadDatabase,
  signer: TokenSigner,
  { letterId, proof }: ReceiptLink,
): Promise<[ToldAlarm, ...ToldAlarm[]] | null> {
  const id = readBigId(letterId);
  const letter = id === null ? null : await selectLetter(db, id);
  if (!letter || !provesReceipt(signer, letter, proof)) return null;
  const [worst, ...others] = await selectToldAlarms(db, letter.id, MOST_ALARMS);
  return worst ? [worst, ...others] : null;
}

/** All of the letter at once, and once: a second time changes nothing. */
export async function confirmReceipt(
  tx: Tx,
  requester: Requester,
  { signer, link: { letterId, proof } }: { signer: TokenSigner; link: ReceiptLink },
  now: Date,
): Promise<Result<null, 'no_such_link'>> {
  const id = readBigId(letterId);
  const letter = id === null ? null : await lockLetter(tx, id);
  if (!letter || !provesReceipt(signer, letter, proof)) return refuse('no_such_link');
  const [told] = await selectToldAlarms(tx, letter.id, 1);
  if (!told) return refuse('no_such_link');
  const confirmed = await noteConfirmed(tx, letter.id, 'button', now);
  if (confirmed.length > 0) {
    const { organizationId, serviceId } = told;
    const detail = { letter: letter.id, to: letter.recipient, messages: confirmed.length };
    const about = confirmed.length === 1 ? { organizationId, serviceId } : { organizationId };
    await writeAudit(tx, requester, { action: 'alarm.receipt', ...about, detail }, now);
  }
  return ok(null);
}
