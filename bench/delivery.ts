// Many alarms, each told to a group of its own with some recipients: no digests, every message is a mail with its picture.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { catalogues } from 'tocsin:languages';
import { pino } from 'pino';
import sql, { raw } from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../src/domain/ids.ts';
import { createDeliverer } from '../src/engine/delivery/deliverer.ts';
import { formLetters } from '../src/engine/delivery/form-letters.ts';
import { appendHistory } from '../src/engine/journal/inbox.ts';
import { openMailer } from '../src/engine/mail/mailer.ts';
import { packInbox } from '../src/engine/packing/pack-inbox.ts';
import { NO_PROVIDERS } from '../src/engine/providers/providers.ts';
import { createEmailTransport } from '../src/engine/transports/email/email.ts';
import { createMethodTransport } from '../src/engine/transports/method/method.ts';
import { createWebhookTransport } from '../src/engine/transports/webhook/webhook.ts';
import { createTokenSigner } from '../src/platform/auth/token.ts';
import { readConfig } from '../src/platform/config.ts';
import type { Database } from '../src/platform/db/database.ts';
import { addLanguage } from '../src/platform/languages/languages.ts';
import { projectRoot } from '../src/platform/project-root.ts';
import { settled } from '../test/support/settled-delivery.ts';
import { openEmbeddedCluster } from './cluster.ts';
import { prepareLab, setAlarms } from './lab.ts';

const ALARMS = Number(process.argv[2] ?? 1_000);
const RECIPIENTS = Number(process.argv[3] ?? 5);
const MESSAGES = ALARMS * RECIPIENTS;
/** The recipients of each alarm read them in turns. */
const LANGUAGES = Number(process.argv[5] ?? 1);
/** Without readings there are no pictures. */
const HAS_PICTURES = process.argv[4] !== 'plain';
const PUBLIC_URL = 'https://tocsin.bench.example';

const now = new Date();
const cluster = await openEmbeddedCluster();
const db = await prepareLab(cluster, ALARMS, now);
const sink = fork(join(projectRoot, 'build/bench/mail-sink.js'));
try {
  const [{ port }] = (await once(sink, 'message')) as [{ port: number }];
  await setAlarms(db, ALARMS, now);
  if (HAS_PICTURES) await fillReadings(db, now);
  await queueMessages(db, new Date(now.getTime() - 2_000));

  const mailer = openMailer({ settings: settled(readConfig({ SMTP_URL: `smtp://127.0.0.1:${port}` })), db });
  const deliverer = createDeliverer({
    db,
    clock: () => new Date(),
    log: pino({ level: 'warn' }),
    transports: {
      email: createEmailTransport({ mailer }),
      webhook: createWebhookTransport({ publicUrl: () => PUBLIC_URL, allowPrivate: false }),
      method: createMethodTransport({
        settings: () => ({ providers: NO_PROVIDERS, publicUrl: PUBLIC_URL }),
        allowPrivate: false,
      }),
    },
    publicUrl: () => PUBLIC_URL,
    signer: createTokenSigner(Buffer.alloc(32)),
    metrics: null,
  });
  const beganAt = performance.now();
  const cpuBefore = process.cpuUsage();
  await formLetters(db, new Date());
  await deliverer.work();
  const formedAt = performance.now();
  while ((await countTaken(sink)) < MESSAGES) {
    if (performance.now() - beganAt > 300_000) throw new Error('It takes too long');
    await sleep(250);
    await formLetters(db, new Date());
    await deliverer.work();
  }
  const seconds = (performance.now() - beganAt) / 1000;
  const cpu = process.cpuUsage(cpuBefore);
  await deliverer.leave();
  await mailer.close();
  const [sent] = await db.query<{ count: number }>(
    sql`select count(*)::int as count from delivery where state = 'sent'`,
  );
  process.stdout.write(
    `${JSON.stringify({
      alarms: ALARMS,
      has_pictures: HAS_PICTURES,
      languages: LANGUAGES,
      messages: MESSAGES,
      marked_sent: sent?.count,
      taken: await countTaken(sink),
      seconds_to_begin: Number(((formedAt - beganAt) / 1000).toFixed(2)),
      seconds: Number(seconds.toFixed(1)),
      mails_per_second: Math.round(MESSAGES / seconds),
      cpu_ms_per_mail: Number(((cpu.user + cpu.system) / 1000 / MESSAGES).toFixed(2)),
    })}\n`,
  );
} finally {
  sink.kill();
  await db.close();
  await cluster.stop();
}

async function countTaken(child: ChildProcess): Promise<number> {
  const answer = once(child, 'message');
  child.send('how many');
  const [{ taken }] = (await answer) as [{ taken: number }];
  return taken;
}

/** Six hours of readings, one every ten minutes. */
async function fillReadings(database: Database, now: Date): Promise<void> {
  const places = Array.from({ length: ALARMS * 36 }, (_, index) => index);
  const ids = places.map((place) => 1 + Math.floor(place / 36));
  await database.query(
    appendHistory(
      1 as OrganizationId,
      {
        serviceIds: ids as ServiceId[],
        channelIds: ids,
        ats: places.map((place) => now.getTime() - (place % 36) * 600_000),
        values: places.map((place) => -80 + (place % 36) / 2),
      },
      now,
    ),
  );
  while ((await packInbox(database, now, { atOnce: true })) === 'more_to_do');
  await database.query(raw('analyze'));
}

/** One released message for each service, as the outbox leaves it. */
async function queueMessages(database: Database, at: Date): Promise<void> {
  await database.query(sql`
    insert into notification_group (organization_id, name, created_at)
    select 1, 'Team ' || n, ${at} from generate_series(1, ${ALARMS}::int) as n`);
  await database.query(sql`
    insert into notification_group_email (group_id, email)
    select id, 'team' || id || '.' || n || '@bench.example'
    from notification_group, generate_series(1, ${RECIPIENTS}::int) as n`);
  await readInTurns(database, at);
  await database.query(sql`
    update service_settings set notification_group_id = service_id, send_critical = true`);
  await database.query(sql`
    insert into notification (service_id, organization_id, group_id, episode_id, subject, severity, why, message, state,
      due_at, decided_at, created_at, happened_at, channel, value, limit_value)
    select service_id, organization_id, service_id, episode_id, 'critical', 'critical', '{"code": "in_alarm", "severity": "critical"}', message, 'released',
      ${at}, ${at}, ${at}, ${at}, 'temperature', -50, -60
    from alarm_state`);
  await database.query(sql`
    insert into delivery (notification_id, service_id, transport, recipient, state, next_attempt_at, created_at)
    select id, service_id, 'email', email, 'queued', ${at}, ${at}
    from notification join notification_group_email using (group_id) order by id, email`);
  await database.query(raw('analyze'));
}

/** Each address is that of an account. Languages besides English have what its catalogue has. */
async function readInTurns(database: Database, at: Date): Promise<void> {
  const tags = Array.from({ length: LANGUAGES }, (_, index) => (index === 0 ? 'en' : `en-x-bench${index}`));
  for (const tag of tags.slice(1)) addLanguage(tag, catalogues.en ?? {});
  await database.query(sql`
    with made as (
      insert into account (email, name, timezone, language, created_at)
      select email, 'Reader', 'UTC', (${tags}::text[])[1 + (row_number() over (order by group_id, email) - 1) % ${LANGUAGES}], ${at}
      from notification_group_email returning id)
    insert into membership (account_id, organization_id, role, created_at) select id, 1, 'viewer', ${at} from made`);
}
