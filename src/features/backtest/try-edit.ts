// What an edit would have meant for the last 30 days, before anybody saves it. Changes nothing.

import { type Requester, roleIn } from '../../domain/accounts/requester.ts';
import { canAdminister } from '../../domain/accounts/role.ts';
import type { Backtest } from '../../domain/advisor/recommendation.ts';
import {
  type EditFault,
  type EditFields,
  findLostLimits,
  type LostLimit,
  parseEditForm,
} from '../../domain/equipment/edit-form.ts';
import type { ServiceId } from '../../domain/ids.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { compareLimits, planComparison } from '../../engine/advice/compare-limits.ts';
import { gatherMaterial } from '../../engine/advice/gather-material.ts';
import { startAnalyst } from '../../engine/advice/start-analyst.ts';
import { loadServiceConfigs } from '../../engine/alarm-state/service-config.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import type { Gate } from '../../platform/turns.ts';

export type TryRefusal = 'signed_out' | 'no_such_service' | 'not_administrator' | 'no_readings' | 'busy';

export interface TriedEdit {
  /** What the limits are about, as people call it; null: all channels without limits of their own. */
  subject: string | null;
  backtest: Backtest;
  /** Whether the stored readings go as far back as is looked at. */
  isWholeWindow: boolean;
  /** What the edit would not save of what was typed. */
  lost: LostLimit[];
}

interface EditToTry {
  serviceId: ServiceId;
  fields: EditFields;
  /** Nobody waits for it any more. */
  signal: AbortSignal;
}

const DAY_MS = 24 * 60 * 60 * 1000;

export async function tryEdit(
  { db, gate }: { db: ReadDatabase; gate: Gate },
  requester: Requester,
  { serviceId, fields, signal }: EditToTry,
  now: Date,
): Promise<Result<TriedEdit, TryRefusal | { fault: EditFault }>> {
  if (requester.accountId === null) return refuse('signed_out');
  const [config] = await loadServiceConfigs(db, [serviceId]);
  const role = config && !config.isArchived ? roleIn(requester, config.organizationId) : null;
  if (!config || !role) return refuse('no_such_service');
  if (!canAdminister(role)) return refuse('not_administrator');
  const edit = parseEditForm(fields);
  if (!edit.ok) return refuse({ fault: edit.refusal });

  const { limits } = edit.value;
  const comparison = planComparison(config, limits);
  const about = { channels: comparison.channels, limits: [comparison.current, comparison.proposed] };
  if (gate.isFull(config.organizationId)) return refuse('busy');
  const tried = await gate.pass(config.organizationId, async () => {
    signal.throwIfAborted();
    const { histories, ...material } = await gatherMaterial(db, config, about, now);
    if (material.firstReadingAt === null) return null;
    const analyst = startAnalyst(histories, { signal });
    try {
      const backtest = await compareLimits(analyst, comparison, material);
      return { backtest, isWholeWindow: material.firstReadingAt < material.window.from + DAY_MS };
    } finally {
      await analyst.dismiss();
    }
  });
  if (!tried?.backtest) return refuse('no_readings');
  const channel = limits.channel === null ? null : config.channels.get(limits.channel);
  return ok({
    subject: channel?.label ?? limits.channel,
    backtest: tried.backtest,
    isWholeWindow: tried.isWholeWindow,
    lost: findLostLimits(fields),
  });
}
