// `tocsin import`: takes in the readings of a CSV file, and goes on where it was interrupted.

import type { Readable } from 'node:stream';
import type { OrganizationId } from '../../domain/ids.ts';
import type { MostDays } from '../../domain/readings/retention.ts';
import type { Target } from '../../domain/readings/telemetry.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { createCatalogue } from '../../engine/alarm-state/catalogue.ts';
import { chooseOrganization } from '../../engine/organizations/choose-organization.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Bar } from '../../platform/progress-bar.ts';
import { openProgress, type Progress } from '../../platform/readings-progress.ts';
import type { Output } from '../../platform/terminal.ts';
import { hasTarget } from './import-queries.ts';
import { importReadings, type ReadableFile } from './import-readings.ts';
import type { ImportMemory, ImportPosition } from './import-state.ts';
import { openReadingsFile, readHeader } from './open-readings-file.ts';
import { openRefusedLines, type RefusedLines } from './refused-lines.ts';

export interface ImportCommand {
  /** A path, or - for standard input. */
  file: string;
  organization: string | null;
  device: string | null;
  service: string | null;
  refusedFile: string | null;
  isRestart: boolean;
  isJson: boolean;
}

export interface ImportCommandDeps {
  db: Database;
  clock: Clock;
  retentionDays: MostDays;
  out: Output;
  bar: Bar | null;
  stdin: Readable;
  /** Stops after the batch that is under way. */
  signal: AbortSignal;
}

type ExitCode = 0 | 1 | 2 | 130;

const KEEP_EVERY_MS = 1_000;

export async function runImport(deps: ImportCommandDeps, command: ImportCommand): Promise<ExitCode> {
  try {
    return await importFile(deps, command);
  } finally {
    // Whoever still writes to it would keep the program alive.
    if (command.file === '-') deps.stdin.destroy();
  }
}

async function importFile(deps: ImportCommandDeps, command: ImportCommand): Promise<ExitCode> {
  const { db, clock, out } = deps;
  const fileName = command.file === '-' ? 'standard input' : command.file;
  const fail = (message: string): ExitCode => {
    out.stderr(message);
    return 1;
  };

  const target = readTarget(command);
  if (!target.ok) return fail(target.refusal);
  const organization = await chooseOrganization(db, command.organization);
  if (!organization.ok) return fail(organization.refusal);
  const { id: organizationId, name } = organization.value;
  if (target.value && !(await hasTarget(db, organizationId, target.value)))
    return fail(
      `${name} has no ${'device' in target.value ? `device ${command.device} with a service` : `service ${command.service}`}`,
    );

  const whose =
    command.device === null ? command.service && `service ${command.service}` : `device ${command.device}`;
  const opened = await openReadingsFile(deps, { ...command, organization: name, target: whose });
  if (!opened.ok) return fail(`${fileName} ${opened.refusal}`);
  const { size, memory, start } = opened.value;
  const header = await readHeader(opened.value, target.value);
  if (!header.ok) return fail(`${fileName} ${header.refusal}`);
  const { layout } = header.value;
  if (layout.kind === 'long' && layout.ignored.length > 0)
    out.stderr(`Columns that are not needed: ${layout.ignored.join(', ')}`);

  const progress = openProgress(deps, { first: start.offset, all: size });
  const refused = await openRefusedFile(command.refusedFile, start.offset > 0, progress);
  if (!refused.ok) return fail(refused.refusal);
  const startedAt = clock().getTime();
  const run = { ...header.value, organizationId, start, memory, progress, refused: refused.value };
  const { position, end } = await importAll(deps, run).finally(() => refused.value.close());
  progress.end();

  const seconds = (clock().getTime() - startedAt) / 1000;
  tellSummary(out, command.isJson, position, seconds);
  if (end === 'finished')
    return position.refused === 0 ? 0 : position.accepted + position.duplicates > 0 ? 2 : 1;
  const way = memory
    ? 'Run the same command again to continue, or with --restart to begin anew.'
    : 'Run the same command again: what is stored already is skipped.';
  out.stderr(`${end.interrupted} before line ${position.line} of ${fileName}. ${way}`);
  return end.exitCode;
}

function readTarget({ device, service }: ImportCommand): Result<Target | null, string> {
  if (device !== null && service !== null) return refuse('Give either --device or --service, not both');
  if (device !== null)
    return device.trim() === '' ? refuse('--device must name a device') : ok({ device: device.trim() });
  if (service === null) return ok(null);
  return /^\d{1,9}$/.test(service)
    ? ok({ serviceId: Number(service) })
    : refuse('--service must be the id of a service');
}

async function openRefusedFile(
  path: string | null,
  isContinued: boolean,
  progress: Progress,
): Promise<Result<RefusedLines, string>> {
  try {
    return ok(await openRefusedLines(path, isContinued, progress.say));
  } catch (error) {
    return refuse(`The file for refused lines cannot be written: ${(error as Error).message}`);
  }
}

type Run = ReadableFile & {
  organizationId: OrganizationId;
  start: ImportPosition;
  memory: ImportMemory | null;
  progress: Progress;
  refused: RefusedLines;
};

type End = 'finished' | { interrupted: string; exitCode: 1 | 130 };

async function importAll(
  { db, clock, retentionDays, signal }: ImportCommandDeps,
  { memory, progress, refused, start, ...file }: Run,
): Promise<{ position: ImportPosition; end: End }> {
  const deps = { db, clock, retentionDays, catalogue: createCatalogue() };
  let position = start;
  let keptAt = 0;
  let canKeep = true;
  const keep = async () => {
    const isKept = (await memory?.keep(position)) ?? true;
    if (!isKept && canKeep)
      progress.say('The folder cannot be written: the import could not be continued after an interruption.');
    canKeep = isKept;
    keptAt = clock().getTime();
  };
  const count = () => position.accepted + position.duplicates - start.accepted - start.duplicates;

  try {
    for await (const batch of importReadings(deps, file, start, signal)) {
      position = batch.position;
      await refused.add(batch.refused);
      progress.update(position.offset, count());
      if (clock().getTime() - keptAt >= KEEP_EVERY_MS) await keep();
    }
  } catch (error) {
    progress.say((error as Error).message);
    await keep();
    return { position, end: { interrupted: 'Failed', exitCode: 1 } };
  }
  if (signal.aborted) {
    await keep();
    return { position, end: { interrupted: 'Stopped', exitCode: 130 } };
  }
  await memory?.drop();
  return { position, end: 'finished' };
}

function tellSummary(out: Output, isJson: boolean, position: ImportPosition, seconds: number): void {
  const { accepted, duplicates, refused } = position;
  const summary = { accepted, duplicates, refused, seconds: Math.round(seconds * 10) / 10 };
  out.stdout(
    isJson
      ? JSON.stringify(summary)
      : `${accepted} readings accepted, ${duplicates} duplicates, ${refused} lines refused, ${summary.seconds} seconds.`,
  );
}
