import sql from 'sql-template-tag';
import { fitCopied, fitTemplate } from '../../../domain/equipment/fit-limits.ts';
import { TEMPLATES, type TemplateName } from '../../../domain/equipment/templates.ts';
import { groupBy } from '../../../domain/group-by.ts';
import type { ServiceId } from '../../../domain/ids.ts';
import {
  areSameLimits,
  findLimitsChanges,
  type Limits,
  nameChannel,
} from '../../../domain/judging/limits.ts';
import type { ReadDatabase, Tx } from '../../../platform/db/database.ts';
import { writeAudits } from '../../audit/write-audit.ts';
import { type ListedChannel, selectChannelsOf } from '../../equipment/channels.ts';
import { administerServices } from '../../services/administer-service.ts';
import { adoptAllLimits } from '../../services/adopt-limits.ts';
import { BANDS } from '../../sql-parts/limits.ts';
import type { ManyAct, UnitStep } from './many-act.ts';

/** Where the limits come from. */
export type LimitsSource = { template: TemplateName } | { copiedFrom: ServiceId };

export interface LimitsStep extends UnitStep {
  channels: ListedChannel[];
  /** before null: of this channel there were none. */
  changed: { before: Limits | null; after: Limits }[];
}

/** Channels that get none keep theirs. As every change of limits it ends what was acknowledged. */
export const limitsForMany = (source: LimitsSource): ManyAct<LimitsStep> => ({
  name: 'limits',
  async plan(tx, requester, serviceIds) {
    const { permitted, refused } = await administerServices(tx, requester, serviceIds);
    const find = await openSource(
      tx,
      source,
      requester.memberships.map(({ organizationId }) => organizationId),
    );
    const ids = permitted.map(({ id }) => id as ServiceId);
    const channels = groupBy(await selectChannelsOf(tx, ids), ({ serviceId }) => serviceId);
    const inForce = groupBy(await selectInForce(tx, ids), ({ serviceId }) => serviceId);
    const planned: Awaited<ReturnType<ManyAct<LimitsStep>['plan']>> = { steps: [], refused: [...refused] };
    for (const { id: serviceId, organizationId, name } of permitted) {
      const own = channels.get(serviceId) ?? [];
      const fitted = find(own);
      const changed = fitted
        .map((after) => ({ before: findOwn(inForce.get(serviceId) ?? [], after.channel), after }))
        .filter(({ before, after }) => before === null || !areSameLimits(before, after));
      if (changed.length > 0) planned.steps.push({ serviceId, organizationId, name, channels: own, changed });
      else
        planned.refused.push({
          serviceId,
          name,
          refusal: fitted.length === 0 ? 'no_fitting_channel' : 'same_limits',
        });
    }
    return planned;
  },
  async carryOut(tx, requester, steps, together, now) {
    const author = { id: requester.accountId, name: requester.name };
    const adoptions = steps.flatMap(({ serviceId, organizationId, changed }) =>
      changed.map(({ after }) => ({
        serviceId,
        organizationId,
        limits: after,
        origin: 'edit' as const,
        author,
      })),
    );
    const versions = await adoptAllLimits(tx, adoptions, now);
    const versionOf = (serviceId: ServiceId, { channel }: Limits) =>
      versions.find((one) => one.serviceId === serviceId && one.channel === channel)?.version ?? 0;
    writeAudits(
      tx,
      requester,
      steps.flatMap(({ serviceId, organizationId, changed }) => [
        {
          action: 'service.edit',
          organizationId,
          serviceId,
          detail: { limits: changed.map(describe), ...together },
        },
      ]),
      now,
    );
    return steps.map(({ serviceId, name, changed }) => ({
      serviceId,
      name,
      limits: changed.map((one) => ({ ...one, version: versionOf(serviceId, one.after) })),
    }));
  },
});

export const describe = ({ before, after }: { before: Limits | null; after: Limits }) => ({
  metric_channel: nameChannel(after.channel),
  changes: findLimitsChanges(before, after),
});

const findOwn = <Own extends Limits>(inForce: readonly Own[], channel: string | null): Limits | null => {
  const found = inForce.find((limits) => limits.channel === channel);
  if (!found) return null;
  const { isPercentage, setpointChannel, stateChannel, bands } = found;
  return { channel, isPercentage, setpointChannel, stateChannel, bands };
};

/** What a unit with these channels gets. One that somebody else has gives nothing. */
async function openSource(
  tx: Tx,
  source: LimitsSource,
  organizationIds: readonly number[],
): Promise<(channels: readonly ListedChannel[]) => Limits[]> {
  if ('template' in source)
    return (channels) => {
      const limits = fitTemplate(TEMPLATES[source.template], channels);
      return limits ? [limits] : [];
    };
  const [own] = await tx.query<{ id: ServiceId }>(sql`
    select id from service where id = ${source.copiedFrom} and organization_id = any(${organizationIds}::int[])`);
  const ids = own ? [own.id] : [];
  const from = await selectChannelsOf(tx, ids);
  const copied = (await selectInForce(tx, ids)).flatMap(({ channel }, _, all) => findOwn(all, channel) ?? []);
  return (channels) => fitCopied(copied, from, channels);
}

export interface OwnInForce extends Limits {
  serviceId: ServiceId;
  version: number;
}

export const selectInForce = (db: ReadDatabase, serviceIds: readonly ServiceId[]) =>
  db.query<OwnInForce>(sql`
    select service_id as "serviceId", channel, version, is_percentage as "isPercentage",
      setpoint_channel as "setpointChannel", state_channel as "stateChannel", ${BANDS} as "bands"
    from limits_version where service_id = any(${serviceIds}::int[]) and retired_at is null
    order by service_id, channel nulls first`);
