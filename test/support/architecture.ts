// The rules of the house (docs/architecture.md) as functions from sources to broken rules.
import { posix } from 'node:path';

/** File name, relative to src/, to its text. */
export type Sources = Record<string, string>;

// What runs in the browser stands on no floor of the house, so that nothing imports it.
const FLOORS = ['domain', 'platform', 'engine', 'features', 'app.ts', 'serve.ts', 'main.ts', 'client'];

const floorOf = (file: string) => FLOORS.indexOf(file.split('/')[0] ?? '');
const roomOf = (file: string) => (file.startsWith('features/') ? file.split('/')[1] : undefined);
export const isTest = (file: string) => /\.test\.tsx?$/.test(file);

export function importsOf(file: string, text: string): string[] {
  const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(
    ([, specifier]) => specifier ?? '',
  );
  return specifiers.map((specifier) => posix.join(posix.dirname(file), specifier));
}

const rulesOn = (sources: Sources, rule: (file: string, text: string) => string[]) =>
  Object.entries(sources)
    .filter(([file]) => !isTest(file))
    .flatMap(([file, text]) => rule(file, text).map((fault) => `${file}: ${fault}`));

export const findHomelessFiles = (sources: Sources) =>
  rulesOn(sources, (file) => (floorOf(file) < 0 ? ['belongs to no floor'] : []));

export const findUpwardImports = (sources: Sources) =>
  rulesOn(sources, (file, text) =>
    importsOf(file, text)
      .filter((imported) => floorOf(imported) > floorOf(file))
      .map((imported) => `imports ${imported} from a floor above`),
  );

export const findImportsBetweenRooms = (sources: Sources) =>
  rulesOn(sources, (file, text) =>
    importsOf(file, text)
      .filter((imported) => roomOf(file) && roomOf(imported) && roomOf(file) !== roomOf(imported))
      .map((imported) => `imports ${imported} from another room`),
  );

/** A browser gets pure rules at most. */
export const findServerPartsInClient = (sources: Sources) =>
  rulesOn(sources, (file, text) =>
    file.startsWith('client/')
      ? importsOf(file, text)
          .filter((imported) => !/^(client|domain)\//.test(imported))
          .map((imported) => `imports ${imported} into the browser`)
      : [],
  );

export const findImportCycles = (sources: Sources) =>
  findCycles(new Map(Object.entries(sources).map(([file, text]) => [file, new Set(importsOf(file, text))])));

/** Of two folders one is below the other: what they share lives in the lower one, or in a third. */
export function findFolderCycles(sources: Sources): string[] {
  const folders = new Map<string, Set<string>>();
  for (const [file, text] of Object.entries(sources)) {
    if (isTest(file)) continue;
    const folder = posix.dirname(file);
    const below = importsOf(file, text).map((imported) => posix.dirname(imported));
    const known = folders.get(folder) ?? new Set();
    folders.set(folder, new Set([...known, ...below.filter((other) => other !== folder)]));
  }
  return findCycles(folders);
}

export function findCycles(arrows: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const cycles: string[] = [];
  const done = new Set<string>();
  const visit = (node: string, path: string[]) => {
    if (path.includes(node)) return void cycles.push([...path.slice(path.indexOf(node)), node].join(' -> '));
    if (done.has(node)) return;
    for (const next of arrows.get(node) ?? []) visit(next, [...path, node]);
    done.add(node);
  };
  for (const node of arrows.keys()) visit(node, []);
  return cycles;
}

const IMPURE: [pattern: RegExp, what: string][] = [
  [/\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.now\b/, 'reads the clock'],
  [/\bprocess\.|\bimport\.meta\b/, 'reads the environment'],
  [/\basync\b|\bawait\b|\bPromise\b/, 'is asynchronous'],
  [/\bMath\.random\b|\brandomUUID\b/, 'throws dice'],
  [/from 'node:/, 'imports a module of the runtime'],
];

export const findImpureDomain = (sources: Sources) =>
  rulesOn(sources, (file, text) =>
    floorOf(file) === 0 ? IMPURE.filter(([pattern]) => pattern.test(text)).map(([, what]) => what) : [],
  );

// Compares the clock of the database with this machine's.
const CLOCK_COMPARERS = ['engine/self-watch/measure-host.ts'];

/** `now` is a parameter of every query, so that tests can move it. */
export const findDatabaseClocks = (sources: Sources) =>
  rulesOn(sources, (file, text) =>
    !CLOCK_COMPARERS.includes(file) &&
    /(?<![.\w])(now|clock_timestamp|statement_timestamp|transaction_timestamp)\s*\(\s*\)|\b(current_timestamp|current_date|localtimestamp)\b/i.test(
      text,
    )
      ? ['reads the clock of the database']
      : [],
  );

// main.ts hands the environment to config.ts; the database server's child processes inherit theirs.
const ENVIRONMENT_READERS = ['main.ts', 'platform/db/embedded/run-program.ts', 'platform/process/parent.ts'];

export const findEnvironmentReads = (sources: Sources) =>
  rulesOn(sources, (file, text) =>
    /\bprocess\.env\b/.test(text) && !ENVIRONMENT_READERS.includes(file)
      ? ['reads an environment variable past config.ts']
      : [],
  );

const ADVISORY = /pg_\w*advisory_\w+\((?!\$\{(?:LOCK_KEYS\.|namedLock\())/;

/** Two locks with the same key hold each other up: all keys stand beside each other in one file. */
export const findStrayLockKeys = (sources: Sources) =>
  rulesOn(sources, (_file, text) => (ADVISORY.test(text) ? ['locks by a key that is not of LOCK_KEYS'] : []));

/** A connection that begins elsewhere would lack the settings that all of them need. */
export const findOwnConnections = (sources: Sources) =>
  rulesOn(sources, (file, text) =>
    /\bnew pg\.(Client|Pool)\b/.test(text) && file !== 'platform/db/connect.ts'
      ? ['connects to a database past connect.ts']
      : [],
  );

/** Texts of our own, and those who measure what others wrote before they parse it. */
const PARSERS = [
  'client/app/failures.ts',
  'domain/json/parse-in-pieces.ts',
  'domain/json/parse-json.ts',
  'engine/delivery-settings/stored.ts',
  'engine/providers/push/write-push.ts',
  'features/backup/open-backup.ts',
  'features/recommendations/result-file.ts',
  'features/simulation/http-gateway.ts',
  'features/telemetry/import-state.ts',
  'features/telemetry/read-in-pieces.ts',
  'features/telemetry/take-post.ts',
  'platform/auth/push-keys.ts',
  'platform/db/embedded/platform-package.ts',
  'platform/db/embedded/runnable-binaries.ts',
  'platform/process/see-main-thread.ts',
  'platform/project-root.ts',
  'platform/yaml/open-documents.ts',
];
const PARSES = /\bJSON\.parse\(|\bparse(AllDocuments|Document)?\b[^;]*from 'yaml'|\bnew (Composer|Parser)\(/;

/** What others wrote may be deep, or of very many parts: it is measured first. */
export const findUnmeasuredParsing = (sources: Sources) =>
  rulesOn(sources, (file, text) =>
    PARSES.test(text) && !PARSERS.includes(file) && !file.endsWith('.test.ts')
      ? ['parses what nobody has measured: use domain/json or platform/yaml']
      : [],
  );

// Of names that stand in the code, the same at every call; or never sent by index.
const TEXT_MAKERS = [
  'engine/alarm-state/alarm-rows.ts',
  'engine/equipment/find-units.ts',
  'engine/readings/move-old-readings.ts',
  'engine/readings/reading-months.ts',
  'engine/services/service-rows.ts',
  'engine/sql-parts/settings.ts',
  'features/backup/queries.ts',
  'features/services/list/list-queries.ts',
];

/** What is sent by index is planned once for each text of a connection: one made of values is planned at every call. */
export const findTextsMadeOfValues = (sources: Sources) =>
  rulesOn(sources, (file, text) =>
    !TEXT_MAKERS.includes(file) &&
    /\{[^}]*\b(raw|join|bulk)\b[^}]*\}\s*from 'sql-template-tag'|\bnew Sql\(/.test(text)
      ? ['makes the text of a statement']
      : [],
  );

/** Each table is written by one folder: whoever wants to change a row finds what goes with it there. */
export const WRITERS: Record<string, string> = {
  account: 'engine/accounts',
  account_link: 'engine/accounts',
  account_mail: 'engine/accounts',
  acknowledge_link: 'engine/outbox',
  acknowledgement: 'engine/alarm-state',
  act: 'platform/db',
  act_on_many: 'engine/acts/many',
  alarm_event: 'engine/alarm-state',
  alarm_list_change: 'engine/alarm-state',
  alarm_state: 'engine/alarm-state',
  answer_taken: 'engine/outbox',
  answered_challenge: 'engine/accounts',
  asset: 'engine/equipment',
  audit: 'engine/audit',
  broker_hold: 'engine/sources',
  channel: 'engine/equipment',
  contact_code: 'engine/accounts',
  contact_method: 'engine/accounts',
  delivery: 'engine/outbox',
  delivery_setting: 'engine/delivery-settings',
  demonstration: 'features/simulation/demo',
  device: 'engine/equipment',
  door_arrival: 'engine/outbox',
  downtime: 'engine/quiet-times',
  downtime_series: 'engine/quiet-times',
  drill: 'features/notifications',
  drill_climb: 'engine/outbox',
  episode: 'engine/alarm-state',
  episode_day: 'engine/alarm-state',
  episode_day_mark: 'engine/alarm-state',
  first_steps: 'engine/first-steps',
  guidance: 'engine/guidance',
  hand_over: 'engine/outbox',
  holiday: 'engine/on-call',
  instance_secret: 'platform/auth',
  invitation: 'engine/accounts',
  kept_mail: 'engine/mail',
  lab_hours: 'engine/on-call',
  letter: 'engine/outbox',
  limits_band: 'engine/services',
  journal_packed: 'engine/journal',
  limits_version: 'engine/services',
  location: 'engine/equipment',
  look_again: 'engine/outbox',
  membership: 'engine/accounts',
  moved_post: 'engine/sources',
  mute: 'engine/quiet-times',
  notification: 'engine/outbox',
  notification_group: 'engine/groups',
  notification_group_account: 'engine/groups',
  notification_group_email: 'engine/groups',
  notification_group_rota: 'engine/groups',
  notification_group_step: 'engine/groups',
  notification_group_webhook: 'engine/groups',
  notification_schedule: 'engine/outbox',
  organization: 'engine/organizations',
  packed_entry: 'engine/journal',
  passkey: 'engine/accounts',
  password_reset_request: 'engine/accounts',
  past_membership: 'engine/accounts',
  program: 'engine/self-watch',
  program_end: 'engine/self-watch',
  set_aside: 'engine/self-watch',
  pass_on: 'engine/outbox',
  provider_poll: 'engine/outbox',
  rescue: 'engine/rescue',
  rescue_drill: 'engine/rescue',
  rescue_reservation: 'engine/rescue',
  reading_damage: 'engine/readings',
  reading_inbox: 'engine/journal',
  reading_month: 'engine/readings',
  reading_pack: 'engine/readings',
  reading_usage: 'engine/readings',
  recommendation: 'engine/advice',
  relay: 'engine/relays',
  reminder: 'engine/reminders',
  rota: 'engine/on-call',
  rota_handover: 'engine/on-call',
  rota_member: 'engine/on-call',
  rota_stand_in: 'engine/on-call',
  rota_version: 'engine/on-call',
  schema_migration: 'platform/db',
  service: 'engine/services',
  service_settings: 'engine/services',
  service_parent: 'engine/quiet-times',
  service_search: 'engine/equipment',
  device_session: 'engine/accounts',
  session: 'engine/accounts',
  setup_code: 'features/setup',
  sign_in_budget: 'engine/accounts',
  sign_in_throttle: 'engine/accounts',
  source: 'engine/sources',
  source_announcement: 'engine/sources',
  source_catch_up: 'engine/sources',
  source_refusal: 'engine/sources',
  step_opened: 'engine/outbox',
  unit_note: 'engine/equipment',
  unproved_mail: 'engine/outbox',
  waiting_device: 'engine/equipment',
  waiting_reading: 'engine/equipment',
  wall_link: 'features/wall',
  floor_plan: 'engine/floor-plans',
  floor_plan_marker: 'engine/floor-plans',
};

// A restore fills every table, and leaves its record in each audit, before any program is at work.
const RESTORERS = ['features/backup/load-backup.ts'];

const WRITE = /\b(?:insert\s+into|delete\s+from|update|truncate|merge\s+into)\s+(?:only\s+)?(\w+)/gi;

export const findTablesWrittenElsewhere = (sources: Sources) =>
  rulesOn(sources, (file, text) => {
    const written = new Set([...text.matchAll(WRITE)].map(([, table]) => table ?? ''));
    return [...written]
      .filter((table) => WRITERS[table] !== undefined && WRITERS[table] !== posix.dirname(file))
      .filter(() => !RESTORERS.includes(file))
      .map((table) => `writes ${table}, which ${WRITERS[table]} does`);
  });

/** Tables of the migrations that nobody was named for, and names of tables that are gone. */
export function findUnlistedTables(migrations: Sources): string[] {
  const tables = new Set<string>();
  for (const [, text] of Object.entries(migrations).sort(([one], [other]) => one.localeCompare(other))) {
    for (const [, drop, create] of text.matchAll(
      /drop table (?:if exists )?(\w+)|create table (?:if not exists )?(\w+)/g,
    ))
      if (create) tables.add(create);
      else tables.delete(drop ?? '');
  }
  // Made by the program itself, before there are migrations.
  tables.add('schema_migration');
  return [
    ...[...tables].filter((table) => !WRITERS[table]),
    ...Object.keys(WRITERS).filter((table) => !tables.has(table)),
  ];
}

/** Between two transactions of theirs lies something slow, such as hashing a password; or each takes a few units of many. */
const SLOW_VERBS = [
  'engine/acts/many/many-act.ts',
  'engine/acts/many/undo-many.ts',
  'engine/accounts/set-password-by-link.ts',
  'engine/sign-in/sign-in.ts',
  'engine/sign-in/sign-in-by-passkey.ts',
  'features/lab-file/apply-lab-file.ts',
  'features/profile/change-profile.ts',
  'features/profile/phone-pin.ts',
  'features/setup/set-up.ts',
];

/** A verb is `(tx, requester, input, now)`: whoever calls it opens the transaction. */
export const findVerbsWithTheDatabase = (sources: Sources) =>
  rulesOn(sources, (file, text) =>
    /\b(db: Database|\{ db\b[^}]*\}: [^,]+),\s+requester: /.test(text) && !SLOW_VERBS.includes(file)
      ? ['has a verb that opens its transaction itself']
      : [],
  );

/** Steps that count only in the order of one function: nobody else takes them by hand. */
const INNER_STEPS: Record<string, string[]> = {
  raiseConfigVersions: ['engine/services/reconfigure-services.ts'],
  writeRows: ['engine/alarm-state/write-assessments.ts'],
  insertEvents: ['engine/alarm-state/write-assessments.ts'],
  noteHappenings: ['engine/alarm-state/write-assessments.ts'],
  lookAgainAtGroups: ['engine/groups/change-group.ts'],
  lookAgainAtAccount: [
    'engine/accounts/accounts.ts',
    'engine/accounts/contact-methods.ts',
    'engine/accounts/memberships.ts',
  ],
};

export const findStepsOutOfOrder = (sources: Sources) =>
  rulesOn(sources, (file, text) =>
    Object.entries(INNER_STEPS)
      .filter(([step, users]) => !users.includes(file) && takes(text, step))
      .map(([step]) => `takes the step ${step} by itself`),
  );

const takes = (text: string, name: string): boolean =>
  new RegExp(`import\\s*(type\\s*)?\\{[^}]*\\b${name}\\b[^}]*\\}`).test(text);
