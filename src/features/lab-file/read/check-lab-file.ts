// What can be told from the file alone, once its values can be read.

import { findLimitsFault } from '../../../domain/judging/limits.ts';
import { english } from '../../../domain/language/english.ts';
import { MOSTS, sayMost } from '../../../domain/mosts.ts';
import { MOST_WINDOWS } from '../../../domain/on-call/lab-hours.ts';
import { MOST_HANDOVERS, MOST_MEMBERS } from '../../../domain/on-call/rota-version.ts';
import { kindNamed, sayProtocols, WEB_PROTOCOLS } from '../../../engine/transports/webhook/kinds.ts';
import { findSecretFault } from '../../../engine/transports/webhook/webhook-check.ts';
import type { FaultBook } from './faults.ts';
import { toBands } from './limits-entry.ts';
import {
  devicesOf,
  handoversOf,
  type LabFile,
  type LabGroup,
  type LabLimits,
  type LabOrganization,
  type LabRota,
  type LabService,
} from './read-lab-file.ts';

export function checkLabFile(file: LabFile, faults: FaultBook): void {
  refuseTwins(faults, file.accounts, 'email', ({ email }) => email);
  refuseTwins(faults, file.organizations, 'name', ({ name }) => name);
  const sources = file.organizations.flatMap((organization) => organization.sources ?? []);
  refuseTwins(faults, sources, 'secret', ({ secret }) => secret, 'the same secret');
  for (const organization of file.organizations) checkOrganization(organization, faults);
}

function checkOrganization(
  { path, members, sources, groups, services, rotas, holidays, lab_hours: hours }: LabOrganization,
  faults: FaultBook,
): void {
  refuseTwins(faults, members, 'email', ({ email }) => email);
  refuseTwins(faults, sources, 'name', ({ name }) => name);
  refuseTwins(faults, groups, 'name', ({ name }) => name);
  for (const group of groups ?? []) checkGroup(group, faults);
  refuseTwins(faults, rotas, 'name', ({ name }) => name);
  refuseTwins(faults, holidays, 'day', ({ day }) => day);
  if ((rotas ?? []).length > MOSTS.rotas.most) faults.add(`${path}.rotas`, sayMost('rotas'));
  for (const rota of rotas ?? []) checkRota(rota, faults);
  const windows = hours?.weekly ?? [];
  if (hours && windows.length > MOST_WINDOWS) faults.add(`${hours.path}.weekly`, sayMost('labHours'));

  refuseTwins(faults, services, 'key', ({ key }) => key);
  const devices = services?.flatMap((service) => devicesOf(service) ?? []);
  refuseTwins(faults, devices, 'key', ({ key }) => key.toLowerCase());
  const namedOnly = services?.filter((service) => service.key === undefined && !devicesOf(service)?.length);
  refuseTwins(faults, namedOnly, 'name', ({ name }) => name);
  for (const service of services ?? []) checkService(service, faults);
  const inAssets = (services ?? []).flatMap(({ path, asset, location }) =>
    asset ? [{ path, asset, location }] : [],
  );
  checkPlaces(inAssets, faults);
}

/** Said in two ways, or in none, it could mean either. */
function checkRota(rota: LabRota, faults: FaultBook): void {
  const { path, timezone, handover, members, handovers } = rota;
  const isOne = handover !== undefined && members !== undefined;
  const isBoth = handovers !== undefined && (handover !== undefined || members !== undefined);
  // What could not be read counts as left out, and is on record already.
  if (isBoth || (!handovers && !isOne && !faults.hasBelow(path)))
    faults.add(path, 'must have either handover and members, or handovers');
  const all = handoversOf(rota);
  if (handovers?.length === 0) faults.add(`${path}.handovers`, 'must not be empty');
  if (all.length > MOST_HANDOVERS) faults.add(`${path}.handovers`, sayMost('handovers'));
  refuseTwins(faults, all, 'at', (one) => `${one.at} ${one.timezone ?? timezone}`);
  for (const { path: place, members: people } of all) {
    if (people.length === 0) faults.add(`${place}.members`, 'must not be empty');
    if (people.length > MOST_MEMBERS) faults.add(`${place}.members`, sayMost('rotaMembers'));
    refuseTwins(faults, people, null, ({ value }) => value);
  }
}

function checkGroup({ emails, accounts, webhooks, steps, told }: LabGroup, faults: FaultBook): void {
  refuseTwins(faults, emails, null, ({ value }) => value);
  refuseTwins(faults, accounts, null, ({ value }) => value);
  refuseTwins(faults, webhooks, 'url', ({ kind, url }) => `${kind} ${url}`, 'the same webhook');
  checkSteps(steps ?? [], faults);
  for (const { path, account, email, rota, webhook } of told ?? []) {
    if ([account, email, rota, webhook].filter((one) => one !== undefined).length !== 1)
      faults.add(path, 'must name one of account, email, rota, webhook');
  }
  const placed = (told ?? []).flatMap(({ webhook }) => webhook ?? []);
  for (const { path, kind, url, secret } of [...(webhooks ?? []), ...placed]) {
    const { protocols = WEB_PROTOCOLS } = kindNamed(kind);
    if (!protocols.includes(new URL(url).protocol))
      faults.add(`${path}.url`, `must start with ${sayProtocols(kindNamed(kind), english)}`);
    if (secret === undefined) continue;
    const fault = kindNamed(kind).secret
      ? findSecretFault(kind, secret, english)
      : `a webhook of kind ${kind} has no secret`;
    if (fault) faults.add(`${path}.secret`, fault);
  }
}

function checkSteps(steps: NonNullable<LabGroup['steps']>, faults: FaultBook): void {
  refuseTwins(faults, steps, 'step', ({ step }) => String(step));
  const sorted = [...steps].sort((one, other) => one.step - other.step);
  for (const [index, { path, after_minutes: after, kinds }] of sorted.entries()) {
    const before = sorted[index - 1];
    if (before && after <= before.after_minutes)
      faults.add(`${path}.after_minutes`, `must be more than those of step ${before.step}`);
    if (kinds?.length === 0) faults.add(`${path}.kinds`, 'must not be empty');
  }
}

function checkService({ path, channels, limits, device, devices }: LabService, faults: FaultBook): void {
  if (device !== undefined && devices !== undefined)
    faults.add(`${path}.devices`, 'give either device or devices');
  refuseTwins(faults, channels, 'name', ({ name }) => name);
  refuseTwins(faults, limits, 'channel', ({ channel }) => channel);
  for (const entry of limits ?? []) checkLimits(entry, faults);
}

function checkLimits(entry: LabLimits, faults: FaultBook): void {
  const isPercentage = entry.is_percentage ?? false;
  const fault = findLimitsFault({ isPercentage, bands: toBands(entry) });
  if (fault) faults.add(`${entry.path}.bands`, fault);
  if (isPercentage) return;
  for (const key of ['setpoint_channel', 'state_channel'] as const) {
    if (entry[key])
      faults.add(`${entry.path}.${key}`, 'is only used in percentage mode (is_percentage: true)');
  }
}

interface PlacedAsset {
  path: string;
  asset: string;
  /** undefined: not said; null: nowhere. */
  location: string | null | undefined;
}

/** The location belongs to the asset, so services that share one cannot disagree on it. */
export function checkPlaces(services: PlacedAsset[], faults: FaultBook): void {
  const said = new Map<string, PlacedAsset>();
  for (const service of services.filter(({ location }) => location !== undefined)) {
    const earlier = said.get(service.asset);
    if (!earlier) said.set(service.asset, service);
    else if (earlier.location !== service.location) {
      const line = faults.lineOf(`${earlier.path}.location`);
      faults.add(
        `${service.path}.location`,
        `asset "${service.asset}" is given another location on line ${line}`,
      );
    }
  }
}

/** `field` null: the entry itself is the value. `shown` stands in for values that must not be printed. */
function refuseTwins<E extends { path: string }>(
  faults: FaultBook,
  entries: E[] | undefined,
  field: string | null,
  keyOf: (entry: E) => string | undefined,
  shown?: string,
): void {
  const pathOf = (entry: E) => (field === null ? entry.path : `${entry.path}.${field}`);
  const firsts = new Map<string, E>();
  for (const entry of entries ?? []) {
    const key = keyOf(entry);
    if (key === undefined) continue;
    const first = firsts.get(key);
    if (first) {
      const line = faults.lineOf(pathOf(first));
      faults.add(pathOf(entry), `${shown ?? JSON.stringify(key)} is already given on line ${line}`);
    } else firsts.set(key, entry);
  }
}
