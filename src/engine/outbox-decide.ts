// What becomes of what happened, and of what time brings: every second, services whose time has come are looked at with
// the state of now. Any number of programs may do so: each takes services that nobody else holds.
import sql from 'sql-template-tag';
import type { ServiceId } from '../domain/ids.ts';
import { decideTelling } from '../domain/notification-policy.ts';
import type { Database, Tx } from '../platform/db/database.ts';
import { loadKnowledge, loadWaiting } from './outbox-knowledge.ts';
import { loadSituations } from './outbox-situation.ts';
import { writeDecisions } from './outbox-write.ts';

const MOST_AT_ONCE = 500;

export async function decideDue(db: Database, now: Date): Promise<void> {
  for (;;) {
    const decided = await db.transaction((tx) => decideSome(tx, now), 'by_index');
    if (decided < MOST_AT_ONCE) return;
  }
}

/** A fixed number of statements, however many services. */
async function decideSome(tx: Tx, now: Date): Promise<number> {
  const serviceIds = (await lockDue(tx, now)).map(({ serviceId }) => serviceId);
  if (serviceIds.length === 0) return 0;
  const services = await loadSituations(tx, serviceIds, now);
  const knowledge = await loadKnowledge(tx, services);
  const waiting = await loadWaiting(tx, serviceIds);
  await writeDecisions(
    tx,
    services.map((service) => {
      const known = knowledge.get(service.serviceId);
      if (!known) throw new Error(`Nothing is known of service ${service.serviceId}`);
      const rows = waiting.get(service.serviceId) ?? [];
      return { service, known, waiting: rows, verdict: decideTelling(service.situation, known, rows, now) };
    }),
    now,
  );
  return serviceIds.length;
}

/**
 * Holds the services' own telling rows, not their alarm states: readings go on meanwhile, and what they bring waits for
 * the next look. Nobody ever waits for a lock here, so the order cannot deadlock.
 */
const lockDue = (tx: Tx, now: Date) =>
  tx.query<{ serviceId: ServiceId }>(sql`
    with due as materialized (
      (select service_id from telling where look_at <= ${now} order by look_at limit ${MOST_AT_ONCE})
      union
      (select service_id from notification where state = 'waiting' and due_at <= ${now}
        order by due_at limit ${MOST_AT_ONCE}))
    select telling.service_id as "serviceId" from telling join due on due.service_id = telling.service_id
    order by telling.service_id limit ${MOST_AT_ONCE} for update of telling skip locked`);
