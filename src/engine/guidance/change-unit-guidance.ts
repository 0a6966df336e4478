// What to do at one unit, and which kind of equipment it is: for its page and for programs alike.
import type { Requester } from '../../domain/accounts/requester.ts';
import { findChanges } from '../../domain/changes.ts';
import { isTemplate, type TemplateName } from '../../domain/equipment/templates.ts';
import type { RefusedGuidance, TypedGuidance } from '../../domain/guidance/guidance.ts';
import type { ServiceId } from '../../domain/ids.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type AdministerRefusal, administerService } from '../services/administer-service.ts';
import { updateServices } from '../services/service-rows.ts';
import { changeGuidance } from './change-guidance.ts';
import { selectTemplate } from './guidance-rows.ts';

export type UnitGuidanceRefusal = AdministerRefusal | RefusedGuidance;

export interface TypedUnitGuidance extends TypedGuidance {
  /** Blank: none. Left out: as it is. What is no template is none. */
  template?: string | undefined;
}

export async function changeUnitGuidance(
  tx: Tx,
  requester: Requester,
  { serviceId, typed }: { serviceId: ServiceId; typed: TypedUnitGuidance },
  now: Date,
): Promise<Result<null, UnitGuidanceRefusal>> {
  const permitted = await administerService(tx, requester, serviceId);
  if (!permitted.ok) return permitted;
  const { service } = permitted.value;
  const before = await selectTemplate(tx, serviceId);
  const after = typed.template === undefined ? before : templateOf(typed.template);
  const of = { organizationId: service.organizationId, serviceId };
  const also = findChanges({ template: before }, { template: after });
  const changed = await changeGuidance(tx, requester, { of, name: service.name, typed, also }, now);
  if (!changed.ok) return refuse(changed.refusal);
  if (after !== before) updateServices(tx, [{ id: serviceId, changes: { template: after } }]);
  return ok(null);
}

const templateOf = (text: string): TemplateName | null => (isTemplate(text) ? text : null);
