import sql from 'sql-template-tag';
import { writeEditForm } from '../../domain/equipment/edit-form.ts';
import type { ServiceSettings } from '../../domain/equipment/service-settings.ts';
import type { ServiceId } from '../../domain/ids.ts';
import { noLimits } from '../../domain/judging/limits.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import type { Statement } from '../../platform/db/statement.ts';
import { SETTINGS } from '../sql-parts/settings.ts';
import { askLimitsInForce } from './limits-in-force.ts';

interface ConfigurationRow extends ServiceSettings {
  name: string;
  /** Chosen last in the edit form; null: none, or the service-wide limits. */
  metricChannel: string | null;
}

export const askConfiguration = (serviceId: ServiceId): Statement<ConfigurationRow> => sql`
  select name, metric_channel as "metricChannel", ${SETTINGS}
  from service join service_settings on service_settings.service_id = service.id
  where service.id = ${serviceId}`;

export function toConfiguration([row]: ConfigurationRow[]) {
  if (!row) return null;
  const { name, metricChannel, ...settings } = row;
  return { name, metricChannel, settings };
}

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
