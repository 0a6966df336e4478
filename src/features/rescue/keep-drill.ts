import type { Requester } from '../../domain/accounts/requester.ts';
import { roleIn } from '../../domain/accounts/requester.ts';
import { canOperate } from '../../domain/accounts/role.ts';
import type { OrganizationId } from '../../domain/ids.ts';
import { type KeptDrillRefusal, readKeptDrill } from '../../domain/rescue/kept-drill.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import { insertKeptDrill } from '../../engine/rescue/kept-drill-rows.ts';
import type { DrillPlan } from '../../engine/rescue/read-drill.ts';
import type { Tx } from '../../platform/db/database.ts';

export type KeepDrillRefusal = KeptDrillRefusal | 'outside_organization' | 'viewer_only';

interface Held {
  organizationId: OrganizationId;
  place: string;
  /** As it stands now: what was missing on a day long past nobody knows. */
  plan: DrillPlan;
  typed: { heldOn: string | undefined; remarks: string | undefined };
  today: string;
}

/** Puts down that a drill was held, with what it came to. */
export async function keepDrill(
  tx: Tx,
  requester: Requester,
  { organizationId, place, plan, typed, today }: Held,
  now: Date,
): Promise<Result<null, KeepDrillRefusal>> {
  const role = roleIn(requester, organizationId);
  if (!role || requester.accountId === null) return refuse('outside_organization');
  if (!canOperate(role)) return refuse('viewer_only');
  const read = readKeptDrill(typed, today);
  if (!read.ok) return read;
  const { units, racks, unsaid, lacking } = plan;
  const by = { accountId: requester.accountId, name: requester.name };
  insertKeptDrill(tx, { ...read.value, organizationId, place, units, racks, unsaid, lacking, by }, now);
  const detail = { name: place, held_on: read.value.heldOn, units, racks };
  await writeAudit(tx, requester, { action: 'rescue.drill', organizationId, detail }, now);
  return ok(null);
}
