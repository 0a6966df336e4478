// `tocsin apply`: brings the database to what the file says, all of it or nothing.
import type { Requester } from '../../domain/accounts/requester.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import type { Database } from '../../platform/db/database.ts';
import { pastConflicts } from '../../platform/db/passing-fault.ts';
import { MostReached } from '../../platform/most-reached.ts';
import { applyAccounts } from './apply-accounts.ts';
import { applyGateways } from './apply-gateways.ts';
import { applySharedGuidance } from './apply-guidance.ts';
import { applyOrganization, type KnownOrganization } from './apply-organization.ts';
import { applyPreferred } from './apply-preferred.ts';
import type { ApplyRun } from './apply-run.ts';
import { applyServices, planServices } from './apply-services.ts';
import { collectIds, type LabFileIds } from './outcome-ids.ts';
import { type FindNewHash, preparePasswords } from './passwords.ts';
import type { ServicePlan } from './plan-service.ts';
import { lockApplies } from './queries.ts';
import { checkLabFile } from './read/check-lab-file.ts';
import type { LabFileFault } from './read/faults.ts';
import { type LabFile, readLabFile } from './read/read-lab-file.ts';

export interface LabFileOutcome {
  /** One line for a person per change; never a secret. */
  changes: string[];
  /** What the file mentions; a dry run knows only what is there already. */
  ids: LabFileIds;
}

export interface LabFileInput {
  text: string;
  fileName: string;
  isDryRun: boolean;
}

type ApplyResult = Result<LabFileOutcome, LabFileFault[]>;

/** Thrown to leave a transaction with a result and without its changes. */
class RollBack extends Error {
  constructor(readonly outcome: ApplyResult) {
    super('Rolled back on purpose');
  }
}

export async function applyLabFile(
  db: Database,
  requester: Requester,
  input: LabFileInput,
  now: Date,
): Promise<ApplyResult> {
  const { file, faults } = readLabFile(input.text);
  checkLabFile(file, faults);
  if (!faults.isEmpty()) return refuse(faults.list());

  const findNewHash = await preparePasswords(db, file.accounts);
  return pastConflicts(() => applyOnce(db, requester, input, findNewHash, now));
}

/** Reads the text again, because faults that were found on the way are noted with it. */
async function applyOnce(
  db: Database,
  requester: Requester,
  { text, fileName, isDryRun }: LabFileInput,
  findNewHash: FindNewHash,
  now: Date,
): Promise<ApplyResult> {
  const { file, faults } = readLabFile(text);
  try {
    return await db.transaction(async (tx) => {
      await lockApplies(tx);
      const outcome = await applyAll({ tx, requester, now, fileName, faults }, file, findNewHash, isDryRun);
      if (isDryRun) throw new RollBack(ok(outcome));
      return ok(outcome);
    });
  } catch (error) {
    if (error instanceof RollBack) return error.outcome;
    if (error instanceof MostReached) {
      faults.add('organizations', error.message);
      return refuse(faults.list());
    }
    throw error;
  }
}

async function applyAll(
  run: ApplyRun,
  file: LabFile,
  findNewHash: FindNewHash,
  isDryRun: boolean,
): Promise<LabFileOutcome> {
  const { accounts, changes } = await applyAccounts(run, file, findNewHash);
  const organizations: KnownOrganization[] = [];
  const plans: ServicePlan[] = [];
  for (const entry of file.organizations) {
    const applied = await applyOrganization(run, entry, accounts);
    const planned = await planServices(run, applied.organization, entry);
    const ownChanges = [...applied.changes, ...planned.changes];
    await auditOrganization(run, applied.organization, ownChanges);
    changes.push(...ownChanges);
    organizations.push(applied.organization);
    plans.push(...planned.plans);
  }
  // Everything is known by now that can be wrong, and a plan that is must not be carried out.
  if (!run.faults.isEmpty()) throw new RollBack(refuse(run.faults.list()));
  const services = await applyServices(run, plans);
  changes.push(...plans.flatMap((plan) => plan.changes));
  for (const [index, entry] of file.organizations.entries()) {
    const organization = organizations[index] as KnownOrganization;
    const behind = [
      ...(await applyGateways(run, organization, entry)),
      ...(await applySharedGuidance(run, organization, entry)),
      ...(await applyPreferred(run, organization, entry, services)),
    ];
    await auditOrganization(run, organization, behind);
    changes.push(...behind);
  }
  if (!run.faults.isEmpty()) throw new RollBack(refuse(run.faults.list()));
  return { changes, ids: collectIds(file, { accounts, organizations, services }, isDryRun) };
}

async function auditOrganization(
  { tx, requester, now, fileName }: ApplyRun,
  { id: organizationId }: KnownOrganization,
  changes: string[],
): Promise<void> {
  if (changes.length === 0) return;
  const detail = { file: fileName, changes };
  await writeAudit(tx, requester, { action: 'lab_file.apply', organizationId, detail }, now);
}
