import sql from 'sql-template-tag';
import type { ServiceId } from '../../domain/ids.ts';
import type { Severity } from '../../domain/judging/severity.ts';
import { first, type Tx } from '../../platform/db/database.ts';

/** Call it with the alarm state locked. */
export const selectAlarmState = async (tx: Tx, serviceId: ServiceId) =>
  first(
    await tx.query<{ severity: Severity; episodeId: string | null }>(sql`
      select severity, episode_id as "episodeId" from alarm_state where service_id = ${serviceId}`),
  );
