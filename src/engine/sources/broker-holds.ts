// One program at a time follows a broker, and says so every second. Whoever looks on measures by how long the same word
// stands, and not by anybody's clock.
import sql from 'sql-template-tag';
import { type Database, first } from '../../platform/db/database.ts';

export interface BrokerHold {
  holder: string;
  said: number;
}

/** false: another program has taken it. */
export const sayHold = async (db: Database, broker: string, holder: string): Promise<boolean> =>
  first(
    await db.query(sql`
      update broker_hold set said = said + 1 where broker = ${broker} and holder = ${holder}::uuid returning 1`),
  ) !== null;

/** null: nobody has it. */
export const selectHold = async (db: Database, broker: string) =>
  first(await db.query<BrokerHold>(sql`select holder, said from broker_hold where broker = ${broker}`));

/** `abandoned`: what stood there for too long; null: nothing did. false: somebody else was faster. */
export const takeHold = async (
  db: Database,
  broker: string,
  holder: string,
  abandoned: BrokerHold | null,
): Promise<boolean> =>
  first(
    await db.query(sql`
      insert into broker_hold (broker, holder, said) values (${broker}, ${holder}::uuid, 0)
      on conflict (broker) do update set holder = excluded.holder, said = broker_hold.said + 1
      where broker_hold.holder = ${abandoned?.holder ?? null}::uuid and broker_hold.said = ${abandoned?.said ?? 0}
      returning 1`),
  ) !== null;

export const leaveHold = (db: Database, broker: string, holder: string) =>
  db.query(sql`delete from broker_hold where broker = ${broker} and holder = ${holder}::uuid`);
