// When an alarm of a channel is over, beside its limits: how far within them it has to be, and for how long.
import type { Requester } from '../../../domain/accounts/requester.ts';
import { findChanges } from '../../../domain/changes.ts';
import type { ServiceId } from '../../../domain/ids.ts';
import { LONGEST_CLEARING_MINUTES } from '../../../domain/judging/judge.ts';
import { ok, type Result, refuse } from '../../../domain/result.ts';
import { writeAudit } from '../../../engine/audit/write-audit.ts';
import { type ChannelClearing, selectClearing, updateClearing } from '../../../engine/equipment/channels.ts';
import { type AdministerRefusal, administerService } from '../../../engine/services/administer-service.ts';
import { reconfigureServices } from '../../../engine/services/reconfigure-services.ts';
import type { Tx } from '../../../platform/db/database.ts';

export type ClearingRefusal = AdministerRefusal | { field: string; fault: ClearingFault };
export type ClearingFault = 'not_a_margin' | 'not_minutes';

type Typed = Record<string, string | undefined>;

export const fieldsOf = (channelId: number) => ({
  margin: `margin_${channelId}`,
  minutes: `minutes_${channelId}`,
});

export async function changeClearing(
  tx: Tx,
  requester: Requester,
  { serviceId, form }: { serviceId: ServiceId; form: Typed },
  now: Date,
): Promise<Result<ServiceId, ClearingRefusal>> {
  const permitted = await administerService(tx, requester, serviceId);
  if (!permitted.ok) return permitted;
  const { organizationId } = permitted.value.service;
  const channels = await selectClearing(tx, serviceId);
  const wanted: ChannelClearing[] = [];
  for (const channel of channels) {
    const { margin, minutes } = fieldsOf(channel.id);
    const clearMargin = readNumber(form[margin], channel.clearMargin);
    if (clearMargin === null) return refuse({ field: margin, fault: 'not_a_margin' });
    const clearMinutes = readNumber(form[minutes], channel.clearMinutes);
    if (clearMinutes === null || clearMinutes > LONGEST_CLEARING_MINUTES)
      return refuse({ field: minutes, fault: 'not_minutes' });
    wanted.push({ ...channel, clearMargin, clearMinutes });
  }
  const changes = findChanges(describe(channels), describe(wanted));
  if (Object.keys(changes).length === 0) return ok(serviceId);
  await reconfigureServices(tx, [serviceId], now, async (held) => {
    await updateClearing(held, wanted);
    return { changed: [serviceId], value: null };
  });
  const entry = { action: 'service.clearing' as const, organizationId, serviceId, detail: { changes } };
  await writeAudit(tx, requester, entry, now);
  return ok(serviceId);
}

/** Left out: as it is. Blank: 0. null: no number of 0 or more. */
function readNumber(typed: string | undefined, before: number): number | null {
  if (typed === undefined) return before;
  const text = typed.trim().replace(',', '.');
  if (text === '') return 0;
  return /^\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : null;
}

const describe = (channels: readonly ChannelClearing[]) =>
  Object.fromEntries(
    channels.flatMap(({ name, clearMargin, clearMinutes }) => [
      [`${name} clear_margin`, clearMargin],
      [`${name} clear_minutes`, clearMinutes],
    ]),
  );
