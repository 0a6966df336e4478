// What happens to the services of an organization happens in one order: readings that are taken, limits that change, time
// that passes. Whoever has a turn is alone with the organization's services until its transaction ends. Turns are locks and
// a sequence rather than a row that counts: a backup would keep all its versions, for everybody to pass.
import sql, { type Sql } from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import { NOT_STANDING_STILL, type Tx } from '../../platform/db/database.ts';
import { packInts } from '../../platform/db/pack-numbers.ts';
import type { OneRow } from '../../platform/db/statement.ts';
import { LOCK_KEYS } from '../../platform/lock-keys.ts';

declare const turn: unique symbol;

/** Only `takeTurn` makes one. */
export interface Turn {
  position: number;
  readonly [turn]: true;
}

/** Lasts until the end of the transaction. What others did before is seen by the statements after it. */
export const takeTurn = (organizationId: OrganizationId): OneRow<Turn> => sql`
  select ${waitFor(sql`${organizationId}`)} as "waited", nextval('journal_position')::float8 as "position"`;

const waitFor = (organizationId: Sql): Sql =>
  sql`pg_advisory_xact_lock(${LOCK_KEYS.turn}, ${organizationId}::int)`;

/**
 * For those who change what services are judged by: the turns of their organizations, in ascending order, on the way of the
 * next statement. A program that stands still loses them soon.
 */
export function takeTurns(tx: Tx, serviceIds: readonly ServiceId[]): void {
  tx.later(NOT_STANDING_STILL);
  tx.later(sql`
    with concerned as materialized (
      select distinct organization_id from alarm_state where service_id = any(${packInts(serviceIds)}::int[])
      order by organization_id)
    select ${waitFor(sql`organization_id`)}, nextval('journal_position') from concerned`);
}

/**
 * People who change services come one after the other in each organization, and hold up no reading while they look and
 * write. Their turn is for what readings are judged by.
 */
export const queueToChange = (tx: Tx, serviceIds: readonly ServiceId[]): void =>
  tx.later(sql`
    with concerned as materialized (
      select distinct organization_id from alarm_state where service_id = any(${packInts(serviceIds)}::int[])
      order by organization_id)
    select pg_advisory_xact_lock(${LOCK_KEYS.changing}, organization_id) from concerned`);

/** In statements of somebody who has a turn: nobody of the organization has a later one. */
export const OWN_POSITION = sql`currval('journal_position')`;
