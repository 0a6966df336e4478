import sql from 'sql-template-tag';
import type { ServiceId } from '../../domain/ids.ts';
import type { Limits } from '../../domain/judging/limits.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import type { Statement } from '../../platform/db/statement.ts';
import { BANDS } from '../sql-parts/limits.ts';

export interface LimitsInForce extends Limits {
  version: number;
}

/** Of every channel that has any, and the service-wide ones first. */
export const selectLimitsInForce = (db: ReadDatabase, serviceId: ServiceId) =>
  db.query(askLimitsInForce(serviceId));

export const askLimitsInForce = (serviceId: ServiceId): Statement<LimitsInForce> => sql`
  select channel, version, is_percentage as "isPercentage", setpoint_channel as "setpointChannel",
    state_channel as "stateChannel",
    ${BANDS} as "bands"
  from limits_version where service_id = ${serviceId} and retired_at is null
  order by channel nulls first`;
