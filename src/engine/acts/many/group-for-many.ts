import sql from 'sql-template-tag';
import { findChanges } from '../../../domain/changes.ts';
import { isNobodyTold, nameSettings } from '../../../domain/equipment/edit-form.ts';
import type { ServiceSettings } from '../../../domain/equipment/service-settings.ts';
import type { OrganizationId, ServiceId } from '../../../domain/ids.ts';
import { first, type Tx } from '../../../platform/db/database.ts';
import { writeAudits } from '../../audit/write-audit.ts';
import { administerServices } from '../../services/administer-service.ts';
import { reconfigureServices } from '../../services/reconfigure-services.ts';
import { updateSettings } from '../../services/service-rows.ts';
import { SETTINGS } from '../../sql-parts/settings.ts';
import type { ManyAct, UnitStep } from './many-act.ts';

export interface GroupStep extends UnitStep {
  beforeName: string | null;
  afterName: string | null;
  before: ServiceSettings;
  after: ServiceSettings;
}

/** null: from now on they notify nobody. Where nobody was notified of anything, the group is notified of everything. */
export const groupForMany = (groupId: number | null): ManyAct<GroupStep> => ({
  name: 'group',
  async plan(tx, requester, serviceIds) {
    const { permitted, refused } = await administerServices(tx, requester, serviceIds);
    const own = requester.memberships.map(({ organizationId }) => organizationId);
    const group = groupId === null ? null : await lockGroup(tx, own, groupId);
    const settings = new Map((await selectSettings(tx, serviceIds)).map((row) => [row.serviceId, row]));
    const planned: Awaited<ReturnType<ManyAct<GroupStep>['plan']>> = { steps: [], refused: [...refused] };
    for (const { id: serviceId, organizationId, name } of permitted) {
      const row = settings.get(serviceId);
      if (!row) continue;
      const { serviceId: _, groupName: beforeName, ...before } = row;
      const refuse = (refusal: 'group_elsewhere' | 'same_group') =>
        planned.refused.push({ serviceId, name, refusal });
      if (groupId !== null && group?.organizationId !== organizationId) refuse('group_elsewhere');
      else if (before.notificationGroupId === groupId) refuse('same_group');
      else
        planned.steps.push({
          serviceId,
          organizationId,
          name,
          beforeName,
          afterName: group?.name ?? null,
          before,
          after: { ...before, ...(isSilent(before) && ALL_TOLD), notificationGroupId: groupId },
        });
    }
    return planned;
  },
  async carryOut(tx, requester, steps, together, now) {
    await changeSettings(
      tx,
      steps.map(({ serviceId, after }) => ({ id: serviceId, changes: after })),
      now,
    );
    writeAudits(
      tx,
      requester,
      steps.map(({ serviceId, organizationId, before, after }) => ({
        action: 'service.edit',
        organizationId,
        serviceId,
        detail: { changes: findChanges(nameSettings(before), nameSettings(after)), ...together },
      })),
      now,
    );
    return steps.map(({ serviceId, name, before, after }) => ({
      serviceId,
      name,
      settings: { before: chosen(before), after: chosen(after) },
    }));
  },
});

const ALL_TOLD = {
  sendCritical: true,
  sendWarning: true,
  sendAcknowledgements: true,
  sendRecoveries: true,
  enableSystemNotifications: true,
} as const satisfies Partial<ServiceSettings>;

const isSilent = (settings: ServiceSettings): boolean =>
  isNobodyTold(
    Object.fromEntries(
      Object.entries(nameSettings(settings)).map(([name, value]) => [name, value ? 'on' : '']),
    ),
  );

/** What choosing a group changes. */
const chosen = (settings: ServiceSettings): Partial<ServiceSettings> =>
  Object.fromEntries(
    Object.entries(settings).filter(([name]) => name === 'notificationGroupId' || name in ALL_TOLD),
  );

export const changeSettings = (
  tx: Tx,
  rows: { id: ServiceId; changes: Partial<ServiceSettings> }[],
  now: Date,
): Promise<null> => {
  const ids = rows.map(({ id }) => id);
  return reconfigureServices(tx, ids, now, async (changing) => {
    updateSettings(changing, rows);
    return { changed: ids, value: null };
  });
};

export const selectSettings = (tx: Tx, serviceIds: readonly ServiceId[]) =>
  tx.query<ServiceSettings & { serviceId: ServiceId; groupName: string | null }>(sql`
    select service_id as "serviceId", ${SETTINGS},
      (select name from notification_group where id = notification_group_id) as "groupName"
    from service_settings where service_id = any(${serviceIds}::int[]) order by service_id`);

/** Locked, so that it is still there when settings name it. */
const lockGroup = async (tx: Tx, own: readonly OrganizationId[], groupId: number) =>
  first(
    await tx.query<{ name: string; organizationId: OrganizationId }>(sql`
      select name, organization_id as "organizationId" from notification_group
      where id = ${groupId} and organization_id = any(${own}::int[]) for key share`),
  );
