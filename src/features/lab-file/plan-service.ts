// Compares an entry with what is stored. Reads nothing, writes nothing.
import { areSameLimits, type Limits } from '../../domain/limits.ts';
import { DEFAULT_SETTINGS, type ServiceSettings } from '../../engine/services.ts';
import { findAssetName } from './apply-assets.ts';
import type { KnownOrganization } from './apply-organization.ts';
import { describeChanges } from './describe-changes.ts';
import type { FaultBook } from './faults.ts';
import { describeLimits, describeUnsaved, toLimits } from './limits-entry.ts';
import type { Equipment, StoredService } from './load-equipment.ts';
import { givesUpDevice, type Match } from './match-services.ts';
import type { LabChannel, LabLimits, LabService } from './read-lab-file.ts';
import type { ChannelRow } from './service-queries.ts';

type ChannelPlan = Omit<ChannelRow, 'serviceId'>;

export interface ServicePlan {
  entry: LabService;
  organization: KnownOrganization;
  stored: StoredService | null;
  row: { key: string | null; name: string; assetId: number | null };
  settings: ServiceSettings;
  /** The device that leaves the service. */
  releasedDeviceId: number | null;
  /** The device to attach or change. */
  device: { key: string; uplinkIntervalMinutes: number | null } | null;
  channels: ChannelPlan[];
  limits: Limits[];
  archiving: 'archive' | 'restore' | null;
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
  const label = `${organization.name}/${entry.name}`;
  const asset = findAssetName(match);
  const key = entry.key ?? stored?.key ?? null;
  const row = { key, name: entry.name, assetId: asset === null ? null : (assetIds.get(asset) ?? null) };
  const settings = planSettings(match, organization, faults);
  const isArchived = entry.archived ?? stored?.isArchived ?? false;
  const archiving = isArchived === (stored?.isArchived ?? false) ? null : isArchived ? 'archive' : 'restore';

  const device = entry.device && {
    key: entry.device.key,
    uplinkIntervalMinutes:
      entry.device.uplink_interval_minutes !== undefined
        ? entry.device.uplink_interval_minutes
        : (devices.get(entry.device.key.toLowerCase())?.uplinkIntervalMinutes ?? null),
  };
  const deviceChanges = entry.device === undefined ? [] : describeDevice(stored, device ?? null);
  const channels = (entry.channels ?? []).map((channel) => planChannel(channel, stored));
  const limits = (entry.limits ?? []).map((limitsEntry) => planLimits(limitsEntry, stored, label));

  const groupName = (id: number | null) => [...organization.groups].find(([, group]) => group.id === id)?.[0];
  const { notificationGroupId: groupBefore, ...settingsBefore } = stored ?? DEFAULT_SETTINGS;
  const { notificationGroupId: groupAfter, ...settingsAfter } = settings;
  const changes = [
    ...describeChanges({ ...stored, asset: stored?.assetName }, { key, name: entry.name, asset }),
    ...deviceChanges,
    ...channels.flatMap(({ changes }) => changes),
    ...describeChanges({ ...settingsBefore }, settingsAfter),
    ...describeChanges({ group: groupName(groupBefore) }, { group: groupName(groupAfter) }),
    ...(archiving === null ? [] : [`${archiving}d`]),
  ].map((change) => `~ service ${label}: ${change}`);

  return {
    entry,
    organization,
    stored,
    row,
    settings,
    releasedDeviceId: givesUpDevice(match) ? (stored?.device?.id ?? null) : null,
    device: device && deviceChanges.length > 0 ? device : null,
    channels: channels.filter((channel) => channel.changes.length > 0).map(({ channel }) => channel),
    limits: limits.flatMap(({ limits, change }) => (change === null ? [] : [limits])),
    archiving,
    changes: [
      ...(stored ? changes : [`+ service ${label}`]),
      ...limits.flatMap(({ change }) => change ?? []),
    ],
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

/** The same key in other letters is the same device. */
function describeDevice(stored: StoredService | null, device: ServicePlan['device']): string[] {
  const before = stored?.device ?? null;
  const isSame = device?.key.toLowerCase() === before?.key.toLowerCase();
  if (!isSame) return describeChanges({ device: before?.key }, { device: device?.key });
  const { uplinkIntervalMinutes } = device ?? { uplinkIntervalMinutes: null };
  return before ? describeChanges({ ...before }, { uplinkIntervalMinutes }) : [];
}

function planChannel(entry: LabChannel, stored: StoredService | null) {
  const before = stored?.channels.get(entry.name);
  const { name, label = before?.label ?? null, unit = before?.unit ?? null } = entry;
  const channel: ChannelPlan = { name, label, unit, kind: entry.kind ?? before?.kind ?? 'metric' };
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
