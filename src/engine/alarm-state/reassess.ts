// After new limits every channel is judged again at once, from the stored readings.
import sql from 'sql-template-tag';
import type { ServiceId } from '../../domain/ids.ts';
import { isInBreach } from '../../domain/judging/judge.ts';
import type { Tx } from '../../platform/db/database.ts';
import { bringUpToNow, selectEntriesOf } from '../journal/bring-up-to-now.ts';
import { lockAlarmRows, watch } from './alarm-rows.ts';
import { assessAgain } from './assess.ts';
import { replayReadings } from './replay-readings.ts';
import { askServiceConfigs, toServiceConfigs } from './service-config.ts';
import { writeAssessments } from './write-assessments.ts';

export async function reassess(
  tx: Tx,
  serviceIds: ServiceId[],
  now: Date,
  mostReadings?: number,
): Promise<void> {
  const ids = sql`${serviceIds}::int[]`;
  const { rows, entries, ...parts } = await tx.queryAll({
    rows: lockAlarmRows(serviceIds),
    entries: selectEntriesOf(ids),
    ...askServiceConfigs(ids),
  });
  await bringUpToNow(tx, ids, { entries, rows });
  const byService = new Map(rows.map((row) => [row.serviceId, row]));
  const services = toServiceConfigs(parts).flatMap((config) => {
    const row = byService.get(config.serviceId);
    return row && !config.isArchived ? [watch(config, row)] : [];
  });
  // Where nothing is breached, nothing that was read before changes anything.
  const breached = services.filter(({ config: { limits }, channels }) => isInBreach({ limits, channels }));
  const replayed = new Map(
    (await replayReadings(tx, breached, now, mostReadings)).map(({ watched, channels }) => [
      watched,
      channels,
    ]),
  );
  const assessed = services.map((watched) =>
    assessAgain(watched, replayed.get(watched) ?? new Map(), now.getTime()),
  );
  await writeAssessments(tx, rows, assessed, now);
}
