// After new limits every channel is judged again at once, from the stored readings.
import type { ServiceId } from '../../domain/ids.ts';
import type { Tx } from '../../platform/db/database.ts';
import { lockAlarmRows, watch } from './alarm-rows.ts';
import { assessAgain } from './assess.ts';
import { type Pages, replayReadings } from './replay-readings.ts';
import { loadServiceConfigs } from './service-config.ts';
import { writeAssessments } from './write-assessments.ts';

export async function reassess(tx: Tx, serviceIds: ServiceId[], now: Date, pages?: Pages): Promise<void> {
  const rows = await tx.query(lockAlarmRows(serviceIds));
  const byService = new Map(rows.map((row) => [row.serviceId, row]));
  const services = (await loadServiceConfigs(tx, serviceIds)).flatMap((config) => {
    const row = byService.get(config.serviceId);
    return row && !config.isArchived ? [watch(config, row)] : [];
  });
  const replayed = await replayReadings(tx, services, now, pages);
  const assessed = replayed.map(({ watched, channels }) => assessAgain(watched, channels, now.getTime()));
  await writeAssessments(tx, rows, assessed, now);
}
