// `tocsin restore`: a backup takes the place of what the database holds, wholly or not at all.
import type { Readable } from 'node:stream';
import { selectSealed, unsealAll } from '../../engine/delivery-settings/stored.ts';
import { distribute } from '../../engine/nodes/distribute.ts';
import { isDistributed, selectWorkers } from '../../engine/nodes/nodes.ts';
import type { HouseKey } from '../../platform/auth/house-key.ts';
import type { Database } from '../../platform/db/database.ts';
import { readMigrations } from '../../platform/db/migrations.ts';
import type { Session } from '../../platform/db/session.ts';
import { StartError } from '../../platform/start-error.ts';
import { chooseMigrations, describeLoss, refuseTarget } from './admit-restore.ts';
import type { BackupHeader } from './format.ts';
import { inspectTarget } from './inspect-target.ts';
import { type LoadedBackup, loadBackup } from './load-backup.ts';
import { checkWhole, openBackup } from './open-backup.ts';
import { findSource, readSource, type Source } from './read-source.ts';
import { type CommandDeps, type ExitCode, runToEnd } from './run-to-end.ts';

export interface RestoreCommand {
  /** A path, or - for standard input. */
  file: string;
  /** What the database holds may be lost. */
  isReplacing: boolean;
  /** Nobody has to be asked. */
  isSure: boolean;
  isJson: boolean;
}

export interface RestoreDeps extends CommandDeps {
  db: Database;
  stdin: Readable;
  /** null: nobody is there to be asked. */
  ask: ((question: string) => Promise<string>) | null;
  /** From the level of the backup to that of this program. */
  migrate: () => Promise<{ applied: string[] }>;
  /** To what keepers set on pages, which no backup holds. */
  key: HouseKey;
}

export const runRestore = (deps: RestoreDeps, command: RestoreCommand): Promise<ExitCode> =>
  runToEnd(deps, async (seconds) => {
    const { out } = deps;
    const source = await findSource(command.file, deps.stdin);
    const shards = await countShards(deps.db);
    const { header, loaded } = await deps.db.alone((session) => restore(deps, session, source, command));
    const { applied } = await deps.migrate();
    if (shards > 0) await deps.db.alone((session) => distribute(session, shards, out.stderr));

    const { unread } = unsealAll(await selectSealed(deps.db), deps.key.read());
    if (unread.length > 0)
      out.stderr(
        `How messages leave was set on pages, with a key that is not here (${unread.join(', ')}). Bring it back: TOCSIN_KEY, or delivery.key in the data folder. Without it set it anew under /settings/delivery.`,
      );

    const { skipped, ...counts } = loaded;
    if (skipped.length > 0) out.stderr(`Left out, for they are not Tocsin's: ${skipped.join(', ')}`);
    const facts = { taken_at: header.takenAt, ...counts, migrations_applied: applied.length };
    if (command.isJson)
      return out.stdout(JSON.stringify({ file: command.file, ...facts, seconds: seconds() }));
    out.stdout(
      `${loaded.rows} rows of ${loaded.tables} tables are back as of ${header.takenAt}, ${seconds()} seconds.`,
    );
    if (applied.length > 0) out.stdout(`Applied ${applied.length} migration(s).`);
  });

/** Over which readings are spread; what is restored is on one machine at first. */
async function countShards(db: Database): Promise<number> {
  if (!(await isDistributed(db))) return 0;
  return (await selectWorkers(db)).reduce((sum, { shards }) => sum + shards, 0);
}

async function restore(
  deps: RestoreDeps,
  session: Session,
  source: Source,
  command: RestoreCommand,
): Promise<{ header: BackupHeader; loaded: LoadedBackup }> {
  const known = await readMigrations();
  const admit = async (): Promise<string | null> => {
    const target = await inspectTarget(session, known, deps.clock());
    refuseTarget(target);
    const loss = describeLoss(target);
    if (loss && !command.isReplacing)
      throw new StartError(`${loss} With --replace the backup takes their place.`);
    if (loss && !command.isSure && !deps.ask)
      throw new StartError(
        `${loss} Nobody can be asked here: --yes says that the backup is to take their place.`,
      );
    return loss;
  };
  // What can be read twice is looked at before anything is begun.
  if (source.size !== null) {
    await readSource(deps, source, 'Checking', checkWhole);
    const { header } = await readSource(deps, source, 'Opening', openBackup);
    chooseMigrations(known, header);
    const loss = await admit();
    if (loss && !command.isSure) await askToReplace(deps, loss, header);
  }
  return readSource(deps, source, 'Restoring', async (stream, onBytes) => {
    const backup = await openBackup(stream, onBytes);
    const { header } = backup;
    const migrations = chooseMigrations(known, header);
    const loaded = await loadBackup(session, backup, { migrations, now: deps.clock(), check: admit });
    // The server would look around by itself, but until then it would plan blindly.
    await session.run('analyze').catch(() => {});
    return { header, loaded };
  });
}

async function askToReplace({ ask }: RestoreDeps, loss: string, { takenAt }: BackupHeader): Promise<void> {
  const answer = await ask?.(`${loss}\nThe backup of ${takenAt} takes their place. Type yes to go on: `);
  if (answer?.trim() !== 'yes') throw new StartError('Nothing was changed.');
}
