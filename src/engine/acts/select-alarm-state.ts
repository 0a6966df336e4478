import sql from 'sql-template-tag';
import type { Severity } from '../../domain/judging/severity.ts';
import { first, type Tx } from '../../platform/db/database.ts';
import type { LockedService } from '../journal/lock-alarm-states.ts';

export const selectAlarmState = async (tx: Tx, serviceId: LockedService) =>
  first(
    await tx.query<{ severity: Severity; episodeId: string | null }>(sql`
      select severity, episode_id as "episodeId" from alarm_state where service_id = ${serviceId}`),
  );
