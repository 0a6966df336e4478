import sql from 'sql-template-tag';
import type { Database } from '../../platform/db/database.ts';

/** Of one organization. All of them are read whenever the alarms list is asked for. */
const MOST_KEPT = 100;

/**
 * A note of its own takes the place of those that go, and says that anything may have changed: without it, a program that has
 * seen none of them would not notice.
 */
export const forgetListChanges = (db: Database) =>
  db.query(sql`
    with gone as (
      delete from alarm_list_change where organization_id in (
        select organization_id from alarm_list_change group by organization_id having count(*) > ${MOST_KEPT})
      returning organization_id)
    insert into alarm_list_change (organization_id) select distinct organization_id from gone`);
