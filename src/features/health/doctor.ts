import { formatMinute } from '../../domain/instant.ts';
import { english } from '../../domain/language/english.ts';
import { sayNodeEnded } from '../../domain/node-lines.ts';
import { GAP_WEEKS } from '../../domain/notifications/gaps.ts';
import { selectKeepers } from '../../engine/accounts/keepers.ts';
import { findLinkBase, ownAddress } from '../../engine/delivery-settings/in-force.ts';
import type { ProgramConfig } from '../../engine/delivery-settings/read-environment.ts';
import { GAP_WORDS, readGaps, sayEndsEarly } from '../../engine/reminders/gaps.ts';
import { measureHost } from '../../engine/self-watch/measure-host.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import type { Output } from '../../platform/terminal.ts';
import { askWays, readInForce, type WayAnswer } from './ask-ways.ts';
import { type DeliveryHealth, describeDelivery } from './describe-delivery.ts';
import { type HealthDeps, reportHealth } from './report.ts';
import { type SilentServices, saySilent, selectSilent } from './silent-services.ts';

const OLDEST_NODE = [20, 19] as const;

/** Tells a person what is well and what is not; the exit code tells a script. */
export async function examine(
  deps: HealthDeps & { clock: Clock; clusterDir: string | null },
  options: { isJson: boolean; config: ProgramConfig; nodeVersion: string },
  out: Output,
  now: Date,
): Promise<0 | 1> {
  const measured = await measureHost(deps).catch(() => null);
  const report = await reportHealth(
    { ...deps, ...(measured && { ownHost: { host: 'this host', ...measured } }) },
    now,
  );
  const isNodeOld = isOlder(options.nodeVersion, OLDEST_NODE);
  const onCall = await examineOnCall(deps.db, now).catch(() => null);
  const services = await selectSilent(deps.db, null).catch((): SilentServices[] => []);
  const ways = await askWays(deps.db, options.config, now).catch((): WayAnswer[] => []);
  const delivery = await examineDelivery(deps.db, options.config).catch(() => ({ warnings: [] }));
  const isWell =
    report.status === 'healthy' &&
    !isNodeOld &&
    onCall?.isWell !== false &&
    ways.every((way) => way.isWell !== false);
  if (options.isJson) {
    const beside = { node: options.nodeVersion, on_call: onCall, services, ways: ways.map(toJson), delivery };
    out.stdout(JSON.stringify({ ...report, ...beside }));
    return isWell ? 0 : 1;
  }
  const { config } = options;
  out.stdout(
    `${mark(!isNodeOld)} node: ${options.nodeVersion}${isNodeOld ? ', but 20.19 or newer is needed' : ''}`,
  );
  out.stdout(`  data: ${config.databaseUrl ? 'in the database of DATABASE_URL' : deps.clusterDir}`);
  for (const [name, { status, reason, ...facts }] of Object.entries(report.components)) {
    const told = Object.entries(facts).map(
      ([fact, value]) => `${fact.replaceAll('_', ' ')} ${showFact(value)}`,
    );
    out.stdout(
      `${mark(status === 'ok')} ${name}: ${reason ? `${reason} (${told.join(', ')})` : told.join(', ')}`,
    );
  }
  for (const { name, isWell: isReady, words } of ways)
    out.stdout(`${isReady === null ? ' ' : mark(isReady)} ${name}: ${words}`);
  for (const line of onCall?.lines ?? []) out.stdout(line);
  // Somebody may want it so: nothing is broken by it.
  const doubts = [
    ...[sayNodeEnded(options.nodeVersion, now) ?? []].flat(),
    ...(onCall?.doubts ?? []),
    ...delivery.warnings.map((warning) => `delivery: ${warning}`),
    ...saySilent(services),
  ];
  for (const line of doubts) out.stdout(`! ${line}`);
  if (!isWell) out.stdout('Needs attention, see the lines marked ✗.');
  else out.stdout(doubts.length > 0 ? 'Nothing is broken. See the lines marked !.' : 'All is well.');
  return isWell ? 0 : 1;
}

/** Beside what pages warn of: whether there is somebody who can put it right there. */
async function examineDelivery(
  db: ReadDatabase,
  config: ProgramConfig,
): Promise<Pick<DeliveryHealth, 'warnings'>> {
  const inForce = await readInForce(db, config);
  const state = describeDelivery(inForce, findLinkBase(inForce) ?? ownAddress(config, config));
  const unread = inForce.unread.map(
    (name) => `${name.replace('_', ' ')} is set on the page Delivery, and its key is not here`,
  );
  const hasKeeper = (await selectKeepers(db)).some(({ isActive }) => isActive);
  const keeper = hasKeeper ? [] : ['nobody is keeper: make somebody one with tocsin account keeper EMAIL'];
  return { ...state, warnings: [...state.warnings, ...unread, ...keeper] };
}

/** Whether a critical alarm reaches somebody at every hour of the next weeks: what no program can mend by itself. */
async function examineOnCall(
  db: ReadDatabase,
  now: Date,
): Promise<{ isWell: boolean; lines: string[]; doubts: string[] }> {
  const groups = await readGaps(db, null, now);
  const lines = groups.flatMap(({ groupName, gaps }) => {
    const [worst] = [...gaps].sort(
      (one, other) => Number(one.kind > other.kind) - Number(one.kind < other.kind),
    );
    if (!worst) return [];
    const count = gaps.filter(({ kind }) => kind === worst.kind).length;
    const times = count === 1 ? 'once' : `${count} times`;
    return [
      `${mark(worst.kind !== 'nobody')} on call: ${groupName}: ${GAP_WORDS[worst.kind]} ${times} in the next ${GAP_WEEKS} weeks, first from ${formatMinute(worst.startAt)}`,
    ];
  });
  const isWell = !groups.some(({ gaps }) => gaps.some(({ kind }) => kind === 'nobody'));
  const doubts = groups
    .flatMap((group) => sayEndsEarly(group, formatMinute, english))
    .map((words) => `on call: ${words}`);
  return { isWell, lines, doubts };
}

const toJson = ({ name, isWell, words }: WayAnswer) => ({ name, is_well: isWell, said: words });

const mark = (isWell: boolean) => (isWell ? '✓' : '✗');

const showFact = (value: unknown) =>
  Array.isArray(value) ? value.join(' ') || 'none' : String(value ?? 'unknown');

function isOlder(version: string, [major, minor]: readonly [number, number]): boolean {
  const [haveMajor = 0, haveMinor = 0] = version.replace('v', '').split('.').map(Number);
  return haveMajor < major || (haveMajor === major && haveMinor < minor);
}
