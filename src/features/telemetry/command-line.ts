import type { Command } from '../../engine/command-line/command.ts';
import { abortOnSignals } from '../../platform/process/obey-signals.ts';
import { runImport } from './import-command.ts';

interface ImportOptions {
  organization?: string;
  device?: string;
  service?: string;
  refused?: string;
  restart?: true;
  json?: true;
}

export const importCommand: Command = {
  name: 'import',
  help: 'take in the readings of a CSV file; goes on where it was interrupted',
  args: { '<file>': 'time,device,channel,value or time,device,<channel>…; - for standard input' },
  options: {
    '--organization <name>': 'whose readings they are; needed if there are several',
    '--device <key>': 'for files without a device column',
    '--service <id>': 'the same, by the id of the service',
    '--refused <file>': 'write all refused lines and their reasons there',
    '--restart': 'begin anew instead of continuing',
    '--json': 'print the summary as JSON',
  },
  run: ({ withDatabase, clock, out, bar }, options: ImportOptions, file: string) =>
    withDatabase((db, { retentionDays }) =>
      runImport(
        { db, clock, retentionDays, out, bar, stdin: process.stdin, signal: abortOnSignals() },
        {
          file,
          organization: options.organization ?? null,
          device: options.device ?? null,
          service: options.service ?? null,
          refusedFile: options.refused ?? null,
          isRestart: options.restart ?? false,
          isJson: options.json ?? false,
        },
      ),
    ),
};
