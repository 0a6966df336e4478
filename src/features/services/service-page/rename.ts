import type { Requester } from '../../../domain/accounts/requester.ts';
import type { ServiceId } from '../../../domain/ids.ts';
import { type NameRefusal, readName } from '../../../domain/names.ts';
import { ok, type Result } from '../../../domain/result.ts';
import { writeAudit } from '../../../engine/audit/write-audit.ts';
import { type AdministerRefusal, administerService } from '../../../engine/services/administer-service.ts';
import { updateServices } from '../../../engine/services/service-rows.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { FormFields } from '../../../platform/http/form-body.ts';

/** Nothing is judged by a name: acknowledgements stay. */
export async function rename(
  tx: Tx,
  requester: Requester,
  { serviceId, form }: { serviceId: ServiceId; form: FormFields },
  now: Date,
): Promise<Result<null, AdministerRefusal | NameRefusal>> {
  const permitted = await administerService(tx, requester, serviceId);
  if (!permitted.ok) return permitted;
  const name = readName(form.name);
  if (!name.ok) return name;
  const { organizationId, name: before } = permitted.value.service;
  if (name.value === before) return ok(null);
  updateServices(tx, [{ id: serviceId, changes: { name: name.value } }]);
  const detail = { changes: { name: { before, after: name.value } } };
  await writeAudit(tx, requester, { action: 'service.rename', organizationId, serviceId, detail }, now);
  return ok(null);
}
