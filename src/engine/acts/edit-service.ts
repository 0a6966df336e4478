import sql from 'sql-template-tag';
import type { Requester } from '../../domain/accounts/requester.ts';
import { findChanges } from '../../domain/changes.ts';
import {
  type EditFault,
  type EditFields,
  nameSettings,
  parseEditForm,
} from '../../domain/equipment/edit-form.ts';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import { findLimitsChanges, nameChannel } from '../../domain/judging/limits.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { first, type Tx } from '../../platform/db/database.ts';
import type { Statement } from '../../platform/db/statement.ts';
import { writeAudits } from '../audit/write-audit.ts';
import { type AdministerRefusal, administerService } from '../services/administer-service.ts';
import { adoptLimits } from '../services/adopt-limits.ts';
import { askLimitsInForce } from '../services/limits-in-force.ts';
import { askConfiguration, toConfiguration } from '../services/read-edit-form.ts';
import { updateServices, updateSettings } from '../services/service-rows.ts';

export type EditRefusal = AdministerRefusal | { fault: EditFault };

/** Replaces the whole configuration. Every save is a new version of the channel's limits, also one that changes nothing. */
export async function editService(
  tx: Tx,
  requester: Requester,
  { serviceId, fields }: { serviceId: ServiceId; fields: EditFields },
  now: Date,
): Promise<Result<ServiceId, EditRefusal>> {
  const permitted = await administerService(tx, requester, serviceId);
  if (!permitted.ok) return permitted;
  const { service, accountId } = permitted.value;
  const { organizationId } = service;
  const parsed = parseEditForm(fields);
  if (!parsed.ok) return refuse({ fault: parsed.refusal });
  const { limits } = parsed.value;

  const { configuration, inForce, group } = await tx.queryAll({
    configuration: askConfiguration(serviceId),
    inForce: askLimitsInForce(serviceId),
    group: lockGroup(organizationId, parsed.value.settings.notificationGroupId),
  });
  const before = toConfiguration(configuration);
  if (!before) throw new Error(`Service ${serviceId} has no settings`);
  const settings = { ...parsed.value.settings, notificationGroupId: first(group)?.id ?? null };
  const name = parsed.value.name ?? service.name;

  const author = { id: accountId, name: requester.name };
  const adoption = { serviceId, organizationId, limits, origin: 'edit' as const, author, now };
  const version = await adoptLimits(tx, adoption, async (held) => {
    if (name !== service.name) updateServices(held, [{ id: serviceId, changes: { name } }]);
    updateSettings(held, [{ id: serviceId, changes: { ...settings, metricChannel: limits.channel } }]);
  });

  const changes = {
    ...findChanges(
      { name: service.name, ...nameSettings(before.settings) },
      { name, ...nameSettings(settings) },
    ),
    ...findLimitsChanges(inForce.find(({ channel }) => channel === limits.channel) ?? null, limits),
  };
  const detail = { metric_channel: nameChannel(limits.channel), version, changes };
  writeAudits(tx, requester, [{ action: 'service.edit', organizationId, serviceId, detail }], now);
  return ok(serviceId);
}

/** If the organization has it. Locked, so that it is still there when the settings name it. */
const lockGroup = (organizationId: OrganizationId, groupId: number | null): Statement<{ id: number }> => sql`
  select id from notification_group
  where id = ${groupId} and organization_id = ${organizationId} for key share`;
