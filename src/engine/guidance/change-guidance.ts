// What to do, changed: whoever calls it has looked that the requester may. With its record.

import type { Requester } from '../../domain/accounts/requester.ts';
import { findChanges } from '../../domain/changes.ts';
import {
  type Guidance,
  NO_GUIDANCE,
  type RefusedGuidance,
  readGuidance,
  type TypedGuidance,
} from '../../domain/guidance/guidance.ts';
import { ok, type Result } from '../../domain/result.ts';
import type { AuditAction } from '../../domain/words/audit-words.ts';
import type { Tx } from '../../platform/db/database.ts';
import { writeAudit } from '../audit/write-audit.ts';
import { type GuidanceOf, saveGuidance, selectGuidance } from './guidance-rows.ts';

/** `also`: what else is changed with it, for the record. */
export async function changeGuidance(
  tx: Tx,
  requester: Requester,
  {
    of,
    name,
    typed,
    also = {},
  }: { of: GuidanceOf; name: string; typed: TypedGuidance; also?: ReturnType<typeof findChanges> },
  now: Date,
): Promise<Result<Guidance, RefusedGuidance>> {
  const read = readGuidance(typed);
  if (!read.ok) return read;
  const before = (await selectGuidance(tx, of)) ?? NO_GUIDANCE;
  const said = findChanges({ ...before }, { ...read.value });
  const changes = { ...also, ...said };
  if (Object.keys(said).length > 0) await saveGuidance(tx, [{ of, guidance: read.value }], now);
  if (Object.keys(changes).length > 0) {
    const { organizationId } = of;
    const serviceId = 'serviceId' in of ? of.serviceId : null;
    const detail = { name, changes };
    await writeAudit(tx, requester, { action: actionOf(of), organizationId, serviceId, detail }, now);
  }
  return ok(read.value);
}

function actionOf(of: GuidanceOf): AuditAction {
  if ('serviceId' in of) return 'service.what_to_do';
  return 'template' in of ? 'template.what_to_do' : 'location.what_to_do';
}
