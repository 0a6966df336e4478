import sql from 'sql-template-tag';
import type { Session } from '../../platform/db/session.ts';

/** What text means must not depend on how a server or a role is set up. */
const SETTINGS = {
  client_encoding: 'UTF8',
  timezone: 'UTC',
  datestyle: 'ISO, YMD',
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  // Every digit it takes to get the same number back.
  extra_float_digits: '1',
  // Only newer servers have it.
  transaction_timeout: '0',
};

export const settle = (session: Session) =>
  session.query(sql`
    select set_config(s.name, given.value, false)
    from pg_settings s join json_each_text(${JSON.stringify(SETTINGS)}) given(name, value) on given.name = lower(s.name)`);
