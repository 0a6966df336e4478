// Deliveries become letters: one each while it is calm, one digest for each recipient in a storm. Webhooks of a kind that
// joins no digests always get one each. Who has much to send has it formed apart (apart.ts).
import sql, { type Sql } from 'sql-template-tag';
import type { OrganizationId } from '../../domain/ids.ts';
import { type Database, NOT_STANDING_STILL, type Tx } from '../../platform/db/database.ts';
import { handOn } from '../../platform/db/hand-on.ts';
import { ASK_UNTOUCHED, type Statement } from '../../platform/db/statement.ts';
import { planDigests } from '../groups/groups.ts';
import { dropWithoutGroup, insertLetters, WAITS } from '../outbox/letters.ts';
import { shareOut, takeShare } from '../outbox/share-out.ts';
import { WEBHOOK_KINDS } from '../transports/webhook/kinds.ts';
import { HOLD_MS, MOST_SINGLE_MESSAGES, planDeparture } from './storm.ts';

export async function formLetters(db: Database, now: Date): Promise<void> {
  for (const organizationId of await formTogether(db, now)) while (await formShare(db, organizationId, now));
}

/**
 * Two round trips, however many deliveries there are. Groups that another program sorts are left to it. Answers with the
 * organizations that have much to send: nobody else is to wait for theirs.
 */
export const formTogether = (db: Database, now: Date): Promise<OrganizationId[]> =>
  db.transaction(async (tx) => {
    tx.later(NOT_STANDING_STILL);
    tx.later(dropWithoutGroup(now));
    const {
      tests,
      posts,
      look: [look],
    } = await tx.queryAll({
      tests: lockTests(),
      held: holdGroupsWithPost(now),
      posts: selectPosts(),
      look: ASK_UNTOUCHED,
    });
    if (look.isUntouched) tx.forgo();
    const { together, apart } = shareOut(posts);
    send(tx, together, tests, now);
    return apart;
  });

/** Answers whether there is more. */
export const formShare = (db: Database, organizationId: OrganizationId, now: Date): Promise<boolean> =>
  db.transaction(async (tx) => {
    tx.later(NOT_STANDING_STILL);
    const { posts } = await tx.queryAll({
      held: holdGroupsWithPost(now, organizationId),
      posts: selectPosts(),
    });
    const share = takeShare(posts);
    send(tx, share, [], now);
    return share.length < posts.length;
  });

function send(tx: Tx, posts: readonly StoredPost[], tests: readonly { id: string }[], now: Date): void {
  const plans = posts.map((post) => ({ ...post, ...planDeparture(post, now) }));
  const changed = plans.filter((plan, index) => plan.nextDigestAt !== posts[index]?.nextDigestAt);
  if (changed.length > 0) planDigests(tx, changed);
  const digestGroups = plans.filter(({ leaves }) => leaves === 'digest').map(({ groupId }) => groupId);
  const singles = plans.flatMap(({ leaves, deliveryIds }) =>
    leaves === 'single letters' ? (deliveryIds ?? []) : [],
  );
  singles.push(...tests.map(({ id }) => id));
  if (digestGroups.length > 0 || singles.length > 0)
    insertLetters(tx, { digestGroups, singles, withoutDigests: WITHOUT_DIGESTS }, now);
}

/** Somebody watches for the outcome of a test, or is asked to go: it waits for nothing and joins no digest. */
const lockTests = (): Statement<{ id: string }> => sql`
  select delivery.id from delivery join notification on notification.id = notification_id
  where delivery.state = 'queued' and letter_id is null and not ${WAITS}
  for update of delivery skip locked`;

const HELD = handOn('tocsin.held_groups', sql`int`);

/** Locks the groups whose post may leave now, so that each message finds exactly one letter. */
const holdGroupsWithPost = (now: Date, organizationId: OrganizationId | null = null): Sql =>
  HELD.keep(sql`
    select id from notification_group
    where (${organizationId}::int is null or organization_id = ${organizationId}) and (next_digest_at <= ${now}
      or (next_digest_at is null and id in (
        select group_id from delivery join notification on notification.id = notification_id
        where delivery.state = 'queued' and letter_id is null and ${WAITS}
          and delivery.created_at <= ${new Date(now.getTime() - HOLD_MS)})))
    order by id for no key update skip locked`);

interface StoredPost {
  groupId: number;
  organizationId: OrganizationId;
  deliveries: number;
  nextDigestAt: Date | null;
  oldestAt: Date | null;
  messages: number;
  /** Only of a few messages: exactly those that were counted. */
  deliveryIds: string[] | null;
}

const selectPosts = (): Statement<StoredPost> => sql`
    select notification_group.id as "groupId", organization_id as "organizationId", next_digest_at as "nextDigestAt",
      count(waiting.id)::int as "deliveries",
      min(waiting.created_at) as "oldestAt", count(distinct waiting.notification_id)::int as "messages",
      case when count(distinct waiting.notification_id) <= ${MOST_SINGLE_MESSAGES}
        then array_agg(waiting.id) filter (where waiting.id is not null) end as "deliveryIds"
    from notification_group
    left join (
      select delivery.id, delivery.created_at, notification_id, group_id
      from delivery join notification on notification.id = notification_id
      where delivery.state = 'queued' and letter_id is null and ${WAITS}) as waiting
      on waiting.group_id = notification_group.id
    where notification_group.id = any(${HELD.ids})
    group by notification_group.id`;

const WITHOUT_DIGESTS = WEBHOOK_KINDS.filter(({ joinsDigests }) => !joinsDigests).map(({ name }) => name);
