import type { Command } from '../../../engine/command-line/command.ts';
import { abortOnSignals } from '../../../platform/process/obey-signals.ts';
import { runExport } from './export-command.ts';

interface ExportOptions {
  organization?: string;
  service?: string;
  channel?: string;
  from?: string;
  to?: string;
  format?: string;
  json?: true;
}

export const exportCommand: Command = {
  name: 'export',
  help: 'write stored readings into a file, beside a running service',
  args: { '<file>': 'where to, or - for standard output' },
  options: {
    '--organization <name>': 'whose readings; needed if there are several and no --service is given',
    '--service <id>': 'only of this service',
    '--channel <name>': 'only of channels of this name',
    '--from <time>': 'such as 2026-11-15 or 2026-11-15T02:00, UTC unless it says otherwise',
    '--to <time>': 'up to then, without it',
    '--format <format>': 'csv or parquet; without it as the name of the file ends, else csv',
    '--json': 'print the summary as JSON',
  },
  run: ({ withDatabase, clock, out, bar }, options: ExportOptions, file: string) =>
    withDatabase((db) =>
      runExport(
        { db, clock, out, bar, stdout: process.stdout, signal: abortOnSignals() },
        {
          file,
          format: options.format ?? null,
          organization: options.organization ?? null,
          service: options.service ?? null,
          channel: options.channel ?? null,
          from: options.from ?? null,
          to: options.to ?? null,
          isJson: options.json ?? false,
        },
      ),
    ),
};
