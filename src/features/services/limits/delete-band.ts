import type { Requester } from '../../../domain/accounts/requester.ts';
import { unlessBlank } from '../../../domain/blank.ts';
import type { ServiceId } from '../../../domain/ids.ts';
import { type BandName, readBandName } from '../../../domain/judging/band.ts';
import {
  findLimitsChanges,
  type Limits,
  nameChannel,
  noLimits,
  readChannel,
} from '../../../domain/judging/limits.ts';
import { ok, type Result, refuse } from '../../../domain/result.ts';
import { writeAudits } from '../../../engine/audit/write-audit.ts';
import { type AdministerRefusal, administerService } from '../../../engine/services/administer-service.ts';
import { adoptLimits } from '../../../engine/services/adopt-limits.ts';
import { selectLimitsInForce } from '../../../engine/services/limits-in-force.ts';
import type { Tx } from '../../../platform/db/database.ts';

export type DeleteBandRefusal = AdministerRefusal | 'unknown_band' | 'no_limits';

export type BandRemoval = { removed: BandName } | 'all_cleared' | 'empty_entry_created';

export interface DeleteBandForm {
  metric_channel?: string;
  band_name?: string;
  clear_all?: string;
}

/** The version without the band is a version like any other, also one without any band. */
export async function deleteBand(
  tx: Tx,
  requester: Requester,
  { serviceId, form }: { serviceId: ServiceId; form: DeleteBandForm },
  now: Date,
): Promise<Result<BandRemoval, DeleteBandRefusal>> {
  const permitted = await administerService(tx, requester, serviceId);
  if (!permitted.ok) return permitted;
  const { service, accountId } = permitted.value;
  const { organizationId } = service;

  const wanted = readWanted(form);
  if (wanted === null) return refuse('unknown_band');
  const channel = readChannel(form.metric_channel);
  const inForce = (await selectLimitsInForce(tx, serviceId)).find((limits) => limits.channel === channel);
  if (!inForce && wanted !== 'all') return refuse('no_limits');

  const limits = withoutBand(inForce ?? noLimits(channel), wanted);
  const author = { id: accountId, name: requester.name };
  const adoption = { serviceId, organizationId, limits, origin: 'band_delete' as const, author, now };
  const version = await adoptLimits(tx, adoption);

  const changes = findLimitsChanges(inForce ?? null, limits);
  const detail = { metric_channel: nameChannel(channel), band_name: wanted, version, changes };
  writeAudits(tx, requester, [{ action: 'service.band.delete', organizationId, serviceId, detail }], now);
  if (wanted !== 'all') return ok({ removed: wanted });
  return ok(inForce ? 'all_cleared' : 'empty_entry_created');
}

/** Contract, Delete band: `clear_all` beats the name, and an empty name means all. null: no such band. */
function readWanted({ band_name, clear_all }: DeleteBandForm): BandName | 'all' | null {
  const name = unlessBlank(band_name);
  return clear_all === 'true' || name === null ? 'all' : readBandName(name);
}

const withoutBand = (limits: Limits, wanted: BandName | 'all'): Limits => ({
  ...limits,
  bands: wanted === 'all' ? [] : limits.bands.filter(({ band }) => band !== wanted),
});
