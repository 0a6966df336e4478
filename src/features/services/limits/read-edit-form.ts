import { writeEditForm } from '../../../domain/equipment/edit-form.ts';
import type { ServiceId } from '../../../domain/ids.ts';
import { noLimits } from '../../../domain/judging/limits.ts';
import { askLimitsInForce } from '../../../engine/services/limits-in-force.ts';
import type { ReadDatabase } from '../../../platform/db/database.ts';
import { askConfiguration, toConfiguration } from './queries.ts';

/**
 * The values of the edit form's fields as they stand, with the limits of the given channel (null: service-wide), or
 * else of the one that a person would look for first. null: no such service.
 */
export async function readEditForm(
  db: ReadDatabase,
  serviceId: ServiceId,
  wanted?: string | null,
): Promise<Record<string, string> | null> {
  const answer = await db.queryAll({
    configuration: askConfiguration(serviceId),
    inForce: askLimitsInForce(serviceId),
  });
  const { inForce } = answer;
  const configuration = toConfiguration(answer.configuration);
  if (!configuration) return null;
  const { name, metricChannel, settings } = configuration;
  const channel = wanted === undefined ? (metricChannel ?? inForce[0]?.channel ?? null) : wanted;
  const limits = inForce.find((one) => one.channel === channel) ?? noLimits(channel);
  return writeEditForm({ name, limits, settings });
}
