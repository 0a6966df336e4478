// `tocsin export`: writes stored readings into a file that is there when it is whole, or not at all.

import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isId, type ServiceId } from '../../../domain/ids.ts';
import { formatMinute } from '../../../domain/instant.ts';
import { english } from '../../../domain/language/english.ts';
import { parseLocalTime } from '../../../domain/local-time.ts';
import { DAY_MS, type Span } from '../../../domain/readings/span.ts';
import { ok, type Result, refuse } from '../../../domain/result.ts';
import { chooseOrganization } from '../../../engine/organizations/choose-organization.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, ReadDatabase } from '../../../platform/db/database.ts';
import { formatBytes } from '../../../platform/format-bytes.ts';
import type { Bar } from '../../../platform/progress-bar.ts';
import { openProgress } from '../../../platform/readings-progress.ts';
import type { Output } from '../../../platform/terminal.ts';
import { writeWholeFile } from '../../../platform/whole-file.ts';
import { FORMATS, type Format, type Layout } from './layout.ts';
import { selectExported } from './queries.ts';
import { type ExportedService, type Rows, readRows, type Unreadable } from './read-rows.ts';
import { writeCsv } from './write-csv.ts';
import { writeParquet } from './write-parquet.ts';

export interface ExportCommand {
  /** A path, or - for standard output. */
  file: string;
  format: string | null;
  organization: string | null;
  service: string | null;
  channel: string | null;
  from: string | null;
  to: string | null;
  isJson: boolean;
}

export interface ExportCommandDeps {
  db: Database;
  clock: Clock;
  out: Output;
  bar: Bar | null;
  stdout: Writable & { isTTY?: boolean };
  signal: AbortSignal;
}

/** 2: written, without what could not be read. */
type ExitCode = 0 | 1 | 2 | 130;

const ROWS_AT_ONCE = 100_000;

export async function runExport(deps: ExportCommandDeps, command: ExportCommand): Promise<ExitCode> {
  const { db, clock, out, signal, stdout } = deps;
  const plan = await planExport(db, command, clock());
  if (!plan.ok) {
    out.stderr(plan.refusal);
    return 1;
  }
  if (command.file === '-' && plan.value.format === 'parquet' && stdout.isTTY) {
    out.stderr('Standard output is a terminal: name a file');
    return 1;
  }
  const startedAt = clock().getTime();
  try {
    const write = (sink: Writable) => writeExport(deps, plan.value, sink);
    const written = await (command.file === '-' ? write(stdout) : writeWholeFile(command.file, write));
    const seconds = Math.round((clock().getTime() - startedAt) / 100) / 10;
    tellSummary(out, command, { ...written, format: plan.value.format, seconds });
    return written.unreadable === 0 ? 0 : 2;
  } catch (error) {
    out.stderr(signal.aborted ? 'Stopped; nothing was written.' : (error as Error).message);
    return signal.aborted ? 130 : 1;
  }
}

interface Plan {
  services: ExportedService[];
  span: Span;
  format: Format;
  layout: Layout;
}

async function planExport(
  db: ReadDatabase,
  command: ExportCommand,
  now: Date,
): Promise<Result<Plan, string>> {
  const format = command.format ?? (command.file.endsWith('.parquet') ? 'parquet' : 'csv');
  if (!isFormat(format)) return refuse(`--format must be ${FORMATS.join(' or ')}, not ${format}`);
  const span = readSpan(command, now);
  if (!span.ok) return span;
  const services = await findServices(db, command);
  if (!services.ok) return services;
  const layout = command.service === null ? 'of_an_organization' : 'of_one_service';
  return ok({ services: services.value, span: span.value, format, layout });
}

const isFormat = (text: string): text is Format => (FORMATS as readonly string[]).includes(text);

/** Without limits: everything that is stored, also what came a little ahead of the clock. */
function readSpan({ from, to }: ExportCommand, now: Date): Result<Span, string> {
  const begin = from === null ? ok(new Date(0)) : parseLocalTime(from, 'UTC');
  const end = to === null ? ok(new Date(now.getTime() + DAY_MS)) : parseLocalTime(to, 'UTC');
  const form = 'is not a time. Write it like 2026-11-15 or 2026-11-15T02:00, with +01:00 if it is not UTC';
  if (!begin.ok) return refuse(`--from ${form}`);
  if (!end.ok) return refuse(`--to ${form}`);
  if (begin.value >= end.value) return refuse('--from has to be before --to');
  return ok({ from: begin.value.getTime(), to: end.value.getTime() });
}

async function findServices(
  db: ReadDatabase,
  { organization, service, channel }: ExportCommand,
): Promise<Result<ExportedService[], string>> {
  const id = service !== null && /^\d{1,10}$/.test(service) ? Number(service) : null;
  if (service !== null && !(id !== null && isId(id))) return refuse('--service must be the id of a service');
  const named = id !== null && organization === null ? ok(null) : await chooseOrganization(db, organization);
  if (!named.ok) return named;
  const services = await selectExported(db, {
    organizationId: named.value?.id ?? null,
    serviceId: id as ServiceId | null,
    channel,
  });
  if (service !== null && services.length === 0)
    return refuse(`${named.value ? `${named.value.name} has` : 'There is'} no service ${service}`);
  if (channel !== null && services.every(({ channels }) => channels.length === 0))
    return refuse(`There is no channel named ${channel}`);
  return ok(services.filter(({ channels }) => channels.length > 0));
}

interface Written {
  services: number;
  readings: number;
  bytes: number;
  /** Stretches of channels. */
  unreadable: number;
}

async function writeExport(
  deps: ExportCommandDeps,
  { services, span, format, layout }: Plan,
  sink: Writable,
): Promise<Written> {
  const { db, signal } = deps;
  const progress = openProgress(deps, { first: 0, all: 1 });
  const damages: Unreadable[] = [];
  let [readings, bytes, share] = [0, 0, 0];
  const blocks = readRows(db, services, span, {
    onRead: (read) => {
      share = read;
    },
    onDamage: (damage) => {
      damages.push(damage);
      progress.say(describeDamage(damage));
    },
  });
  const counted = async function* (): AsyncGenerator<Rows> {
    for await (const rows of blocks) {
      readings += rows.ats.length;
      progress.update(share, readings);
      yield rows;
    }
  };
  const chunks =
    format === 'csv'
      ? writeCsv(counted(), layout)
      : writeParquet(counted(), { layout, rowsAtOnce: ROWS_AT_ONCE, damages: () => damages });
  const measured = async function* () {
    for await (const chunk of chunks) {
      bytes += Buffer.byteLength(chunk);
      yield chunk;
    }
  };
  try {
    await pipeline(Readable.from(measured(), { objectMode: false }), sink, { signal });
  } finally {
    progress.end();
  }
  return { services: services.length, readings, bytes, unreadable: damages.length };
}

const describeDamage = ({ service, channel, from, to }: Unreadable): string =>
  `${service.name}, ${channel.name}: readings from ${formatMinute(from)} to ${formatMinute(to)} cannot be read and are left out.`;

function tellSummary(
  out: Output,
  { file, isJson }: ExportCommand,
  summary: Written & { format: Format; seconds: number },
): void {
  // Standard output is the export itself.
  const tell = file === '-' ? out.stderr : out.stdout;
  const { services, readings, bytes, seconds } = summary;
  const whose = services === 1 ? '1 service' : `${services} services`;
  if (isJson) tell(JSON.stringify({ file, ...summary }));
  else
    tell(`${file}: ${readings} readings of ${whose} in ${formatBytes(bytes, english)}, ${seconds} seconds.`);
}
