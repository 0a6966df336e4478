// A letter that has left, once more as it was written: for whoever wants to hear it again.
import sql from 'sql-template-tag';
import type { Notice } from '../../domain/notifications/notice.ts';
import { type Database, first } from '../../platform/db/database.ts';
import type { Letter } from '../letters/letter.ts';
import type { MethodRecipient } from '../transports/method/recipient.ts';
import { askRecipients, toRecipients } from './find-recipients.ts';
import { composeNotices } from './read-notices.ts';
import { compareWorstFirst } from './worst-first.ts';

/** null: there is nothing left in it, or its recipient is not reached through the group any more. */
export async function readSentLetter(
  db: Database,
  letterId: string,
  publicUrl: string,
): Promise<{ letter: Letter; recipient: MethodRecipient } | null> {
  const sent = first(await selectSent(db, letterId));
  const asked = await db.queryAll(askRecipients(sql`array[${letterId}::bigint]`));
  const recipient = toRecipients(asked).get(letterId);
  if (!sent || recipient?.transport !== 'method') return null;
  const { createdAt, notificationIds } = sent;
  const notices = await composeNotices(db, notificationIds, publicUrl, async () => new Map());
  const { language, hasSeveral } = recipient;
  const [worst, ...rest] = notificationIds
    .flatMap((id) => notices(id, language) ?? [])
    .map((notice): Notice => ({ ...notice, isOneOfSeveral: hasSeveral }))
    .sort(compareWorstFirst);
  return worst
    ? { letter: { id: letterId, createdAt, language, notices: [worst, ...rest] }, recipient }
    : null;
}

const selectSent = (db: Database, letterId: string) =>
  db.query<{ createdAt: Date; notificationIds: string[] }>(sql`
    select letter.created_at as "createdAt",
      array(select notification_id::text from delivery where letter_id = letter.id and state <> 'dropped'
        order by id) as "notificationIds"
    from letter where letter.id = ${letterId}::bigint`);
