// Whether a backup may take the place of what is there.
import type { Migration } from '../../platform/db/migrations.ts';
import { StartError } from '../../platform/start-error.ts';
import { type BackupHeader, UnusableBackup } from './format.ts';
import type { Target } from './inspect-target.ts';

/** Those that made the schema of the backup, as they were. */
export function chooseMigrations(known: Migration[], { migrations, tocsin }: BackupHeader): Migration[] {
  return migrations.map(({ name, checksum }) => {
    const migration = known.find((one) => one.name === name);
    if (!migration)
      throw new UnusableBackup(
        `comes from a newer version of Tocsin (${tocsin}, which has ${name}): restore it with that version or a newer one`,
      );
    if (migration.checksum !== checksum)
      throw new UnusableBackup(`was made by another migration ${name} than the one of this version`);
    return migration;
  });
}

/** What nobody's word can change. */
export function refuseTarget({ programs, strangers }: Target): void {
  const [program] = programs;
  if (program)
    throw new StartError(
      `A program of Tocsin runs on this database (${program.host}, process ${program.pid}): stop it first. If it was killed, wait a quarter of a minute.`,
    );
  if (strangers.length > 0)
    throw new StartError(
      `The database holds tables that are not Tocsin's (${strangers.join(', ')}), and a restore would drop them: move them elsewhere first.`,
    );
}

export function describeLoss({ organizations, accounts }: Target): string | null {
  if (organizations + accounts === 0) return null;
  return `The database holds ${organizations} organization(s) and ${accounts} account(s) with all that belongs to them.`;
}
