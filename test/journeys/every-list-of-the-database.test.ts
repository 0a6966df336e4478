// Where a column takes one of a list, the list is the one of the program: a check that was forgotten when the program learned
// another word refuses what a form offers.
import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import { ROLES } from '../../src/domain/accounts/role.ts';
import { ALL_DOOR_PARTS } from '../../src/domain/door/door-card.ts';
import { CHANNEL_KINDS } from '../../src/domain/equipment/channel-kind.ts';
import { BANDS } from '../../src/domain/judging/band.ts';
import type { Severity } from '../../src/domain/judging/severity.ts';
import { STEP_WORDS } from '../../src/domain/notifications/step-words.ts';
import { ALL_SUBJECTS } from '../../src/domain/notifications/subject.ts';
import { METHOD_KINDS } from '../../src/domain/on-call/contact-method.ts';
import { DURINGS } from '../../src/domain/on-call/lab-hours.ts';
import { TRANSPORTS } from '../../src/domain/on-call/recipient.ts';
import { SHIFT_UNITS } from '../../src/domain/on-call/rota-version.ts';
import { ALL_TEMPERATURE_CLASSES } from '../../src/domain/rescue/rescue.ts';
import type { LinkPurpose } from '../../src/engine/accounts/account-links.ts';
import type { AccountMailKind } from '../../src/engine/accounts/queue-account-mail.ts';
import { MANY_ACTS } from '../../src/engine/acts/many/many-act-rows.ts';
import type { AcknowledgedSeverity } from '../../src/engine/alarm-state/acknowledgements.ts';
import { SETTING_NAMES } from '../../src/engine/delivery-settings/stored.ts';
import { PROVIDERS } from '../../src/engine/providers/providers.ts';
import type { ReminderKind } from '../../src/engine/reminders/reminders.ts';
import { PROGRAM_ROLES } from '../../src/engine/self-watch/programs.ts';
import type { LimitsOrigin } from '../../src/engine/services/adopt-limits.ts';
import { WEB_PROTOCOLS, WEBHOOK_KINDS } from '../../src/engine/transports/webhook/kinds.ts';
import type { Database } from '../../src/platform/db/database.ts';
import type { ProgramEnd } from '../../src/platform/process/program-end.ts';
import { cloneDatabase } from '../support/test-database.ts';

/** Does not compile while a word of the type is missing, or one too many. */
const all = <Word extends string>(words: Record<Word, true>): string[] => Object.keys(words);

const SEVERITIES = all<Severity>({ normal: true, warning: true, critical: true });

/** By table and column: what the program knows. */
const KNOWN: Record<string, readonly string[]> = {
  'account_link.purpose': all<LinkPurpose>({ activation: true, password_reset: true, invitation: true }),
  'account_mail.kind': all<AccountMailKind>({
    activation: true,
    password_reset: true,
    password_changed: true,
    invitation: true,
    passkey_added: true,
    contact_off: true,
    phone_pin_changed: true,
  }),
  'act_on_many.act': MANY_ACTS,
  'acknowledgement.severity': all<AcknowledgedSeverity>({ CRITICAL: true, WARNING: true }),
  'alarm_event.band': BANDS,
  'alarm_event.from_severity': SEVERITIES,
  'alarm_event.to_severity': SEVERITIES,
  'alarm_state.band': BANDS,
  'alarm_state.severity': SEVERITIES,
  'channel.kind': CHANNEL_KINDS,
  'contact_method.during': DURINGS,
  'contact_method.kind': METHOD_KINDS,
  'delivery.transport': TRANSPORTS,
  'delivery_setting.name': SETTING_NAMES,
  'episode.band': BANDS,
  'episode.severity': all<Exclude<Severity, 'normal'>>({ warning: true, critical: true }),
  'invitation.role': ROLES,
  'letter.transport': TRANSPORTS,
  'limits_band.band': BANDS,
  'limits_version.origin': all<LimitsOrigin>({
    edit: true,
    recommendation: true,
    band_delete: true,
    lab_file: true,
    preset: true,
  }),
  'membership.role': ROLES,
  'notification.subject': ALL_SUBJECTS,
  'notification_group_account.during': DURINGS,
  'notification_group_email.during': DURINGS,
  'notification_group_rota.during': DURINGS,
  'notification_group_step.kinds': STEP_WORDS,
  'notification_group_webhook.during': DURINGS,
  'organization.door_card': ALL_DOOR_PARTS,
  'program.roles': PROGRAM_ROLES,
  'program_end.cause': all<ProgramEnd['cause']>({ standstill: true, died: true }),
  'provider_poll.kind': PROVIDERS.flatMap(({ receipts = [], updates = [] }) =>
    [receipts, updates].flat().map(({ kind }) => kind),
  ),
  'reminder.kind': all<ReminderKind>({
    gaps: true,
    shift: true,
    unconfirmed: true,
    muted: true,
    series_ends: true,
  }),
  'rescue.temperature_class': ALL_TEMPERATURE_CLASSES,
  'rota_version.every': SHIFT_UNITS,
};

/** Nobody chooses these, and no list of the program has them: each word is written by a statement of its own. */
const WRITTEN_BY_STATEMENTS =
  /^(notification|step_opened|recommendation|hand_over|pass_on|instance_secret|\w+\.state$|\w+\.end_reason$|alarm_event\.kind$)/;

let db: Database;
let lists: Map<string, string[]>;
beforeAll(async () => {
  ({ db } = await cloneDatabase());
  const checks = await db.query<{ table: string; definition: string }>(sql`
    select conrelid::regclass::text as "table", pg_get_constraintdef(oid) as "definition" from pg_constraint
    where contype = 'c' and connamespace = 'public'::regnamespace`);
  lists = new Map(
    checks.flatMap(({ table, definition }) => {
      const [, column, array = '', literal = ''] =
        /\(?(\w+) (?:= ANY|<@) \(?(?:ARRAY\[([^\]]*)\]|'\{([^}]*)\}')/.exec(definition) ?? [];
      if (column === undefined) return [];
      const words =
        array === '' ? literal.split(',') : [...array.matchAll(/'([^']*)'/g)].map(([, word = '']) => word);
      return [[`${table}.${column}`, words]];
    }),
  );
});

test.each(Object.keys(KNOWN))('%s takes what the program knows, and nothing else', (column) => {
  expect([...(lists.get(column) ?? [])].sort()).toEqual([...(KNOWN[column] ?? [])].sort());
});

test('every list is known here', () => {
  expect(lists.size).toBeGreaterThan(30);
  const unknown = [...lists.keys()].filter((column) => !KNOWN[column] && !WRITTEN_BY_STATEMENTS.test(column));
  expect(unknown, 'say which list of the program it is').toEqual([]);
});

test('the address of a webhook may begin as any kind of it asks for', async () => {
  const [check] = await db.query<{ pattern: string }>(sql`
    select substring(pg_get_constraintdef(oid) from '''(.*)''') as "pattern" from pg_constraint
    where conname = 'notification_group_webhook_url_check'`);
  const takes = async (address: string) =>
    (await db.query<{ takes: boolean }>(sql`select ${address}::text ~ ${check?.pattern} as "takes"`))[0]
      ?.takes;
  for (const { name, protocols = WEB_PROTOCOLS } of WEBHOOK_KINDS)
    for (const protocol of protocols)
      expect([name, protocol, await takes(`${protocol}//receiver.example/in`)]).toEqual([
        name,
        protocol,
        true,
      ]);
  expect(await takes('ftp://receiver.example/in')).toBe(false);
});
