import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import { writeAudits } from '../../engine/audit/write-audit.ts';
import { saveChannels } from '../../engine/equipment/channels.ts';
import { attachDevices, releaseDevices } from '../../engine/equipment/devices.ts';
import { saveGuidance } from '../../engine/guidance/guidance-rows.ts';
import { saveRescues } from '../../engine/rescue/rescue-rows.ts';
import { adoptAllLimits } from '../../engine/services/adopt-limits.ts';
import { type ReconfiguringTx, reconfigureServices } from '../../engine/services/reconfigure-services.ts';
import { updateServices, updateSettings } from '../../engine/services/service-rows.ts';
import { archiveServices, createServices, restoreServices } from '../../engine/services/services.ts';
import { applyAssets } from './apply-assets.ts';
import type { KnownOrganization } from './apply-organization.ts';
import type { ApplyRun, Known } from './apply-run.ts';
import { pickChanges } from './describe-changes.ts';
import { loadEquipment } from './load-equipment.ts';
import { checkDevices, matchServices } from './match-services.ts';
import { planService, type ServicePlan } from './plan-service.ts';
import type { LabOrganization } from './read/read-lab-file.ts';

export type KnownServices = Map<ServicePlan, Known<ServiceId>>;

interface Written {
  plan: ServicePlan;
  serviceId: ServiceId;
  organizationId: OrganizationId;
}

/** Finds out what has to be done to the services of an organization; writes nothing but assets and locations. */
export async function planServices(
  run: ApplyRun,
  organization: KnownOrganization,
  { services = [] }: LabOrganization,
): Promise<{ plans: ServicePlan[]; changes: string[] }> {
  if (services.length === 0) return { plans: [], changes: [] };
  const equipment = await loadEquipment(run.tx, organization.id);
  const matches = matchServices(services, equipment.services, run.faults);
  checkDevices(matches, equipment, run.faults);
  const { assetIds, changes } = await applyAssets(run, organization, matches, equipment);
  const plans = matches.map((match) => planService(match, organization, equipment, assetIds, run.faults));
  return { plans, changes };
}

/** Takes the plans of all organizations at once: alarm states are locked in one ascending row, and rows travel together. */
export async function applyServices(run: ApplyRun, plans: ServicePlan[]): Promise<KnownServices> {
  const { tx, requester, now } = run;
  const changed = plans.filter(({ changes }) => changes.length > 0);
  const storedIds = changed.flatMap(({ stored }) => stored?.id ?? []);
  const { known, written } = await reconfigureServices(tx, storedIds, now, async (held) => {
    const value = await writePlans(held, plans, changed, now);
    return { changed: value.written.map(({ serviceId }) => serviceId), value };
  });

  const idsOf = (archiving: ServicePlan['archiving']) =>
    written.filter(({ plan }) => plan.archiving === archiving).map(({ serviceId }) => serviceId);
  const restored = idsOf('restore');
  if (restored.length > 0) await restoreServices(tx, restored, now);
  const author = { id: requester.accountId, name: requester.name };
  const adoptions = written.flatMap(({ plan, serviceId, organizationId }) =>
    plan.limits.map((limits) => ({ serviceId, organizationId, limits, origin: 'lab_file' as const, author })),
  );
  if (adoptions.length > 0) await adoptAllLimits(tx, adoptions, now);
  const archived = idsOf('archive');
  if (archived.length > 0) await archiveServices(tx, archived, now);
  if (written.length > 0) writeAudits(tx, requester, written.map(describeWritten(run)), now);
  return known;
}

async function writePlans(tx: ReconfiguringTx, plans: ServicePlan[], changed: ServicePlan[], now: Date) {
  const known = await writeRows(tx, plans, changed, now);
  const written: Written[] = changed.flatMap((plan) => {
    const serviceId = known.get(plan)?.id;
    return serviceId === undefined ? [] : [{ plan, serviceId, organizationId: plan.organization.id }];
  });
  await writeDevices(tx, written, now);
  const channels = written.flatMap(({ plan, serviceId }) =>
    plan.channels.map((channel) => ({ serviceId, ...channel })),
  );
  if (channels.length > 0) await saveChannels(tx, channels, now);
  const guidance = written.flatMap(({ plan, serviceId, organizationId }) =>
    plan.guidance ? [{ of: { organizationId, serviceId }, guidance: plan.guidance }] : [],
  );
  if (guidance.length > 0) await saveGuidance(tx, guidance, now);
  const rescues = written.flatMap(({ plan, serviceId, organizationId }) =>
    plan.rescue ? [{ serviceId, organizationId, ...plan.rescue }] : [],
  );
  if (rescues.length > 0) await saveRescues(tx, rescues, now);
  return { known, written };
}

async function writeRows(
  tx: ReconfiguringTx,
  plans: ServicePlan[],
  changed: ServicePlan[],
  now: Date,
): Promise<KnownServices> {
  const known: KnownServices = new Map();
  for (const plan of plans) if (plan.stored) known.set(plan, { id: plan.stored.id, isNew: false });
  const stored = changed.flatMap((plan) => (plan.stored ? [{ ...plan, stored: plan.stored }] : []));
  const newFields = stored.map((plan) => ({
    id: plan.stored.id,
    changes: pickChanges(plan.stored, plan.fields),
  }));
  const newSettings = stored.map((plan) => ({
    id: plan.stored.id,
    changes: pickChanges(plan.stored, plan.settings),
  }));
  updateServices(tx, newFields.filter(hasChanges));
  updateSettings(tx, newSettings.filter(hasChanges));
  const missing = changed.filter(({ stored }) => !stored);
  if (missing.length === 0) return known;
  const rows = missing.map(({ organization, fields, settings }) => ({
    organizationId: organization.id,
    ...fields,
    settings,
  }));
  const ids = await createServices(tx, rows, now);
  for (const [index, plan] of missing.entries()) {
    const id = ids[index];
    if (id !== undefined) known.set(plan, { id, isNew: true });
  }
  return known;
}

const hasChanges = ({ changes }: { changes: object }) => Object.keys(changes).length > 0;

async function writeDevices(tx: ReconfiguringTx, written: Written[], now: Date): Promise<void> {
  // Before any is attached, so that two services can swap theirs.
  const released = written.flatMap(({ plan }) => plan.releasedDeviceIds);
  if (released.length > 0) await releaseDevices(tx, released);
  const devices = written.flatMap(({ plan, ...ids }) =>
    plan.devices.map((device) => ({ ...device, ...ids })),
  );
  if (devices.length === 0) return;
  const attached = new Set((await attachDevices(tx, devices, now)).map(nameDevice));
  const lost = devices.find((device) => !attached.has(nameDevice(device)));
  if (lost)
    throw new Error(`Device ${lost.key} was adopted by somebody else meanwhile: apply the file again`);
}

const nameDevice = ({ serviceId, key }: { serviceId: ServiceId; key: string }) =>
  `${serviceId} ${key.toLowerCase()}`;

const describeWritten =
  ({ fileName }: ApplyRun) =>
  ({ plan, serviceId, organizationId }: Written) => ({
    action: 'lab_file.apply' as const,
    organizationId,
    serviceId,
    detail: { file: fileName, changes: plan.changes },
  });
