// Compares an entry with what is stored. Reads nothing, writes nothing.
import { guessChannelKind } from '../../domain/equipment/channel-kind.ts';
import { DEFAULT_SETTINGS, type ServiceSettings } from '../../domain/equipment/service-settings.ts';
import { type Guidance, NO_GUIDANCE } from '../../domain/guidance/guidance.ts';
import { areSameLimits, type Limits } from '../../domain/judging/limits.ts';
import { NO_RESCUE, type Rescue } from '../../domain/rescue/rescue.ts';
import type { ChannelFields } from '../../engine/equipment/channels.ts';
import type { ServiceFields } from '../../engine/services/service-rows.ts';
import { findAssetName } from './apply-assets.ts';
import type { KnownOrganization } from './apply-organization.ts';
import { describeChanges } from './describe-changes.ts';
import type { Equipment, StoredService } from './load-equipment.ts';
import { listReleased, type Match } from './match-services.ts';
import { findDifference, planGuidance } from './plan-guidance.ts';
import { planRescue } from './plan-rescue.ts';
import type { FaultBook } from './read/faults.ts';
import { describeLimits, describeUnsaved, toLimits } from './read/limits-entry.ts';
import {
  devicesOf,
  type LabChannel,
  type LabDevice,
  type LabLimits,
  type LabService,
} from './read/read-lab-file.ts';
import type { DeviceRow } from './service-queries.ts';

type ChannelPlan = Omit<ChannelFields, 'serviceId'>;
type DevicePlan = Pick<DeviceRow, 'key' | 'uplinkIntervalMinutes'>;

export interface ServicePlan {
  entry: LabService;
  organization: KnownOrganization;
  stored: StoredService | null;
  fields: ServiceFields;
  settings: ServiceSettings;
  /** Devices that leave the service. */
  releasedDeviceIds: number[];
  /** Devices to attach or change. */
  devices: DevicePlan[];
  channels: ChannelPlan[];
  limits: Limits[];
  archiving: 'archive' | 'restore' | null;
  /** null: as it is. */
  guidance: Guidance | null;
  /** null: as it is. */
  rescue: Rescue | null;
  /** Nothing to do when empty. */
  changes: string[];
}

export function planService(
  match: Match,
  organization: KnownOrganization,
  { devices }: Equipment,
  assetIds: Map<string, number>,
  faults: FaultBook,
): ServicePlan {
  const { entry, stored } = match;
  const { name } = entry;
  const label = `${organization.name}/${name}`;
  const key = entry.key ?? stored?.key ?? null;
  const asset = findAssetName(match);
  const settings = planSettings(match, organization, faults);
  const planned = planDevices(match, devices);
  const channels = (entry.channels ?? []).map((channel) => planChannel(channel, stored));
  const limits = (entry.limits ?? []).map((limitsEntry) => planLimits(limitsEntry, stored, label));
  const template = entry.template === undefined ? (stored?.template ?? null) : entry.template;
  const before = stored?.guidance ?? NO_GUIDANCE;
  const guidance = planGuidance(entry.guidance, before, faults);
  const rescueBefore = stored?.rescue ?? NO_RESCUE;
  const rescue = planRescue(entry.rescue, rescueBefore);
  const rescueChanges = describeChanges({ ...rescueBefore }, { ...rescue });
  const wasArchived = stored?.isArchived ?? false;
  const isArchived = entry.archived ?? wasArchived;
  const archiving = isArchived === wasArchived ? null : isArchived ? 'archive' : 'restore';

  const changes = [
    ...describeChanges({ ...stored, asset: stored?.assetName }, { key, name, asset, template }),
    ...describeChanges({ ...before }, { ...guidance }),
    ...rescueChanges,
    ...planned.changes,
    ...channels.flatMap((channel) => channel.changes),
    ...describeSettings(stored ?? DEFAULT_SETTINGS, settings, organization),
    ...(archiving === null ? [] : [`${archiving}d`]),
  ].map((change) => `~ service ${label}: ${change}`);

  return {
    entry,
    organization,
    stored,
    fields: { key, name, assetId: asset === null ? null : (assetIds.get(asset) ?? null), template },
    settings,
    releasedDeviceIds: planned.released.map(({ id }) => id),
    devices: planned.devices,
    channels: channels.flatMap((plan) => (plan.changes.length > 0 ? [plan.channel] : [])),
    limits: limits.flatMap((plan) => (plan.change === null ? [] : [plan.limits])),
    archiving,
    guidance: findDifference(before, guidance),
    rescue: rescueChanges.length > 0 ? rescue : null,
    changes: [...(stored ? changes : [`+ service ${label}`]), ...limits.flatMap((plan) => plan.change ?? [])],
  };
}

function planSettings(
  { entry, stored }: Match,
  organization: KnownOrganization,
  faults: FaultBook,
): ServiceSettings {
  const base = stored ?? DEFAULT_SETTINGS;
  const told = entry.notifications;
  const group = told?.group ? organization.groups.get(told.group.value) : null;
  if (told?.group && !group) {
    const message = `there is no group ${JSON.stringify(told.group.value)} in ${organization.name}, neither in this file nor in the database`;
    faults.add(told.group.path, message);
  }
  return {
    staleAfterMinutes: entry.stale_after_minutes ?? base.staleAfterMinutes,
    notificationGroupId: told?.group === undefined ? base.notificationGroupId : (group?.id ?? null),
    sendCritical: told?.send_critical ?? base.sendCritical,
    sendWarning: told?.send_warning ?? base.sendWarning,
    sendAcknowledgements: told?.send_acknowledgements ?? base.sendAcknowledgements,
    sendRecoveries: told?.send_recoveries ?? base.sendRecoveries,
    repeatIntervalMinutes: told?.repeat_interval_minutes ?? base.repeatIntervalMinutes,
    enableSystemNotifications: told?.enable_system_notifications ?? base.enableSystemNotifications,
    systemNotificationDelayMinutes:
      told?.system_notification_delay_minutes ?? base.systemNotificationDelayMinutes,
  };
}

function describeSettings(
  { notificationGroupId: groupBefore, ...before }: ServiceSettings,
  { notificationGroupId: groupAfter, ...after }: ServiceSettings,
  { groups }: KnownOrganization,
): string[] {
  const nameOf = (id: number | null) => [...groups].find(([, group]) => group.id === id)?.[0];
  return describeChanges({ ...before, group: nameOf(groupBefore) }, { ...after, group: nameOf(groupAfter) });
}

/** The same key in other letters is the same device. */
function planDevices(match: Match, known: Map<string, DeviceRow>) {
  const { entry, stored } = match;
  const before = stored?.devices ?? [];
  const given = (devicesOf(entry) ?? []).map((device) => planDevice(device, known));
  const released = listReleased(match);
  const added = given.filter(({ row }) => !row || !before.includes(row));
  const stay = before.filter((row) => !released.includes(row));
  const moved = describeChanges(
    { device: nameAll(before) },
    { device: nameAll([...stay, ...added.map(({ device }) => device)]) },
  );
  const changed = given.filter(({ row }) => row && before.includes(row) && !released.includes(row));
  return {
    released,
    devices: [...added, ...changed.filter(({ changes }) => changes.length > 0)].map(({ device }) => device),
    changes: [
      ...moved,
      ...changed.flatMap(({ device, changes }) =>
        given.length > 1 ? changes.map((change) => `device ${device.key}: ${change}`) : changes,
      ),
    ],
  };
}

const nameAll = (devices: readonly { key: string }[]): string | null =>
  devices.map(({ key }) => key).join(', ') || null;

function planDevice({ key, uplink_interval_minutes: given }: LabDevice, known: Map<string, DeviceRow>) {
  const row = known.get(key.toLowerCase());
  const uplinkIntervalMinutes = given === undefined ? (row?.uplinkIntervalMinutes ?? null) : given;
  const device: DevicePlan = { key, uplinkIntervalMinutes };
  return { row, device, changes: describeChanges({ ...row }, { uplinkIntervalMinutes }) };
}

function planChannel(entry: LabChannel, stored: StoredService | null) {
  const before = stored?.channels.get(entry.name);
  const { name, label = before?.label ?? null, unit = before?.unit ?? null } = entry;
  const { off_word: offWord = before?.offWord ?? null, on_word: onWord = before?.onWord ?? null } = entry;
  const kind = entry.kind ?? before?.kind ?? guessChannelKind(name, false);
  const { clear_margin: clearMargin = before?.clearMargin ?? 0 } = entry;
  const { clear_minutes: clearMinutes = before?.clearMinutes ?? 0 } = entry;
  const channel: ChannelPlan = { name, label, unit, kind, offWord, onWord, clearMargin, clearMinutes };
  if (!before) return { channel, changes: [`+ channel ${name}`] };
  const differences = describeChanges({ ...before }, { ...channel });
  return { channel, changes: differences.map((difference) => `channel ${name}: ${difference}`) };
}

function planLimits(entry: LabLimits, stored: StoredService | null, label: string) {
  const limits = toLimits(entry);
  const before = stored?.limits.get(limits.channel);
  if (before && areSameLimits(before, limits)) return { limits, change: null };
  const from = before ? `${describeLimits(before)} -> ` : '';
  const change = `${before ? '~' : '+'} limits ${label}/${entry.channel}: ${from}${describeLimits(limits)}${describeUnsaved(entry)}`;
  return { limits, change };
}
