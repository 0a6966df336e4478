// Notes at a moment of a unit: pinned by operators, changed and removed by whoever wrote them and by administrators.
import { type Requester, roleIn } from '../../../domain/accounts/requester.ts';
import {
  mayChangeNote,
  type NoteFault,
  readNote,
  type TypedNote,
} from '../../../domain/equipment/unit-note.ts';
import type { ServiceId } from '../../../domain/ids.ts';
import { formatInstant } from '../../../domain/instant.ts';
import { ok, type Result, refuse } from '../../../domain/result.ts';
import { writeAudit } from '../../../engine/audit/write-audit.ts';
import {
  deleteUnitNote,
  insertUnitNote,
  selectUnitNote,
  type UnitNote,
  updateUnitNote,
} from '../../../engine/equipment/unit-notes.ts';
import { type OperateRefusal, operateOnService } from '../../../engine/services/operate-on-service.ts';
import type { Tx } from '../../../platform/db/database.ts';

export type NoteRefusal = NoteFault | OperateRefusal | 'no_such_note' | 'not_your_note';

/** Answers with its moment. */
export async function pinNote(
  tx: Tx,
  requester: Requester,
  { serviceId, typed }: { serviceId: ServiceId; typed: TypedNote },
  now: Date,
): Promise<Result<Date, NoteRefusal>> {
  const operation = await operateOnService(tx, requester, serviceId, { evenIfArchived: false });
  if (!operation.ok) return operation;
  const note = readNote(typed, { timezone: requester.timezone, now });
  if (!note.ok) return note;
  const { service, accountId } = operation.value;
  const { at, text } = note.value;
  await insertUnitNote(tx, { serviceId, at, text, author: { accountId, name: requester.name } }, now);
  const detail = { at: formatInstant(at), note: text };
  await writeAudit(
    tx,
    requester,
    { action: 'note.pin', organizationId: service.organizationId, serviceId, detail },
    now,
  );
  return ok(at);
}

interface WhichNote {
  serviceId: ServiceId;
  noteId: string;
}

export async function changeNote(
  tx: Tx,
  requester: Requester,
  { typed, ...which }: WhichNote & { typed: TypedNote },
  now: Date,
): Promise<Result<Date, NoteRefusal>> {
  const found = await findNote(tx, requester, which);
  if (!found.ok) return found;
  const note = readNote(typed, { timezone: requester.timezone, now });
  if (!note.ok) return note;
  const { organizationId, ...before } = found.value;
  const { at, text } = note.value;
  if (at.getTime() === before.at.getTime() && text === before.text) return ok(at);
  await updateUnitNote(tx, { id: before.id, at, text, by: requester.name }, now);
  const changes = {
    ...(text === before.text ? {} : { note: { before: before.text, after: text } }),
    ...(at.getTime() === before.at.getTime()
      ? {}
      : { at: { before: formatInstant(before.at), after: formatInstant(at) } }),
  };
  const record = { action: 'note.change', organizationId, serviceId: which.serviceId } as const;
  await writeAudit(tx, requester, { ...record, detail: { changes } }, now);
  return ok(at);
}

export async function removeNote(
  tx: Tx,
  requester: Requester,
  which: WhichNote,
  now: Date,
): Promise<Result<Date, NoteRefusal>> {
  const found = await findNote(tx, requester, which);
  if (!found.ok) return found;
  const { id, organizationId, at, text, authorName } = found.value;
  await deleteUnitNote(tx, id);
  const detail = { at: formatInstant(at), note: text, author: authorName };
  const record = { action: 'note.remove', organizationId, serviceId: which.serviceId, detail } as const;
  await writeAudit(tx, requester, record, now);
  return ok(at);
}

/** For whoever may change it. Under the lock of the unit nobody else does meanwhile. */
async function findNote(
  tx: Tx,
  requester: Requester,
  { serviceId, noteId }: WhichNote,
): Promise<Result<UnitNote, NoteRefusal>> {
  const operation = await operateOnService(tx, requester, serviceId, { evenIfArchived: true });
  if (!operation.ok) return operation;
  const note = await selectUnitNote(tx, serviceId, noteId);
  if (!note) return refuse('no_such_note');
  const role = roleIn(requester, note.organizationId);
  return role && mayChangeNote(role, requester, note) ? ok(note) : refuse('not_your_note');
}
