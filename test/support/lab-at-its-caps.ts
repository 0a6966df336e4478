// An organization that has as much of everything as it may, or as the largest there are: for whoever measures beside it.
import { randomBytes } from 'node:crypto';
import sql from 'sql-template-tag';
import type { ServiceId } from '../../src/domain/ids.ts';
import { writeCalendarLink } from '../../src/features/on-call/calendar-link.ts';
import { hashSourceSecret } from '../../src/platform/auth/source-secret.ts';
import { makeKeeper } from './keeper.ts';
import { type Lab, openLab } from './lab.ts';
import type { TestServer } from './test-server.ts';

const SERVICES = 1_000;
const PEOPLE = 200;
const GROUPS = 50;
const ROTAS = 50;
const MEMBERS = 50;
const STAND_INS = 100;
const SERIES = { organization: 500, service: 20 };
const SOURCES = 100;
const WAITING_DEVICES = 1_000;
const CHANNELS = 200;

export interface LargeLab {
  lab: Lab;
  /** What stands for the names in an address, such as `service_id`. */
  ids: Record<string, string>;
  service: ServiceId;
}

const many = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index));

const clock = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

export async function openLargeLab(server: TestServer): Promise<LargeLab> {
  const { db } = server;
  const now = server.clock.read();
  const lab = await openLab(server);
  const org = lab.organization;
  await makeKeeper(server, lab.ada);
  const people = await hire(server, lab);
  await lab.organizationEntry(describe(people));
  await server.road.sweep(now);
  for (const temperature of [-80, 1]) await lab.post(readAll(now.getTime(), temperature));
  await lab.post(readLong(now.getTime()));
  const [oven] = await db.query<{ id: ServiceId; deviceId: number }>(sql`
    select service.id, device.id as "deviceId" from service join device on device.service_id = service.id
    where service.organization_id = ${org} and device.key = 'oven-0'`);
  if (!oven) throw new Error('There is no oven');
  const wall = randomBytes(32).toString('base64url');
  const feed = randomBytes(32).toString('base64url');
  await db.query(sql`
    insert into wall_link (organization_id, name, token_hash, timezone, created_at)
    values (${org}, 'Wall', ${hashSourceSecret(wall)}, 'UTC', ${now})`);
  const [rota] = await db.query<{ id: number; feedToken: string }>(sql`
    update rota set feed_token = ${feed} where id = (select min(id) from rota where organization_id = ${org})
    returning id, feed_token as "feedToken"`);
  await fill(server, lab, people);
  // As the database does by itself after a while.
  await db.query(sql`analyze`);
  const ids = await db.query<{ name: string; id: string }>(sql`
    select 'group_id' as name, min(id)::text as id from notification_group where organization_id = ${org}
    union all select 'source_id', min(id)::text from source where organization_id = ${org} and kind = 'json'
    union all select 'episode_id', max(id)::text from episode where service_id = ${oven.id}
    union all select 'location_id', min(id)::text from location where organization_id = ${org}
    union all select 'plan_id', min(id)::text from floor_plan where organization_id = ${org}
    union all select 'note_id', min(id)::text from unit_note where service_id = ${oven.id}
    union all select 'mail_id', max(id)::text from kept_mail where organization_id = ${org}
    union all select 'downtime_id', max(downtime.id)::text from downtime
      join service on service.id = service_id where organization_id = ${org}`);
  return {
    lab,
    service: oven.id,
    ids: {
      ...Object.fromEntries(ids.map(({ name, id }) => [name, id])),
      service_id: String(oven.id),
      device_id: String(oven.deviceId),
      account_id: String(lab.oscar.id),
      template: 'fridge',
      wall,
      calendar: (rota && writeCalendarLink(server.signer, rota, lab.ada.id)) ?? '',
    },
  };
}

async function hire({ db, clock: { read } }: TestServer, lab: Lab): Promise<string[]> {
  const emails = many(PEOPLE, (index) => `person.${index}.${lab.organization}@lab.example`);
  await db.query(sql`
    with hired as (
      insert into account (email, name, timezone, created_at)
      select email, 'Person ' || email, 'Europe/Berlin', ${read()} from unnest(${emails}::text[]) as given (email)
      returning id)
    insert into membership (organization_id, account_id, role, created_at)
    select ${lab.organization}, id, 'operator', ${read()} from hired`);
  return emails;
}

function describe(people: string[]) {
  const some = (from: number, count: number) =>
    many(count, (index) => people[(from + index) % PEOPLE] as string);
  return {
    lab_hours: {
      timezone: 'Europe/Berlin',
      weekly: many(14, (line) => ({
        days: [['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'][line % 7]],
        from: clock(line < 7 ? 8 : 13),
        to: clock(line < 7 ? 12 : 18),
      })),
    },
    holidays: many(200, (index) => ({
      day: new Date(Date.UTC(2026, 10, 1 + index * 3)).toISOString().slice(0, 10),
      name: `Holiday ${index}`,
    })),
    rotas: many(ROTAS, (rota) => ({
      name: `Rota ${rota}`,
      timezone: rota % 2 === 0 ? 'Europe/Berlin' : 'America/New_York',
      every: 'day',
      length: 1,
      from: '2026-01-05',
      handovers: many(6, (shift) => ({ at: clock(shift * 4), members: some(rota + shift, MEMBERS) })),
    })),
    groups: many(GROUPS, (group) => ({
      name: `Group ${group}`,
      accounts: some(group, 50),
      emails: many(50, (index) => `anybody.${index}@lab.example`),
      steps: many(8, (step) => ({ step: step + 1, after_minutes: 5 * (step + 1) })),
      told: [
        ...many(8, (step) => ({ step: step + 1, rota: `Rota ${(group + step) % ROTAS}` })),
        ...many(8, (step) => ({ step: step + 1, during: 'off_hours', account: people[group + step] })),
      ],
    })),
    sources: many(SOURCES, (index) => ({
      name: `source ${index}`,
      kind: 'json',
      secret: randomBytes(16).toString('hex'),
    })),
    services: many(SERVICES, (index) => ({
      name: `Oven ${index}`,
      asset: `ULT-${index}`,
      location: `House / Floor ${index % 10} / Room ${index % 300}`,
      device: { key: `oven-${index}`, uplink_interval_minutes: 10 },
      channels: many(index === 0 ? CHANNELS : 2, (channel) => ({
        name: channel === 0 ? 'temperature' : `t${channel}`,
        unit: '°C',
        kind: 'metric',
      })),
      limits: many(index === 0 ? CHANNELS : 1, (channel) => ({
        channel: channel === 0 ? 'temperature' : `t${channel}`,
        bands: { CRITICAL_HIGH: { limit: 0 }, WARNING_HIGH: { limit: -5 } },
      })),
      notifications: { group: `Group ${index % GROUPS}`, send_critical: true, send_recoveries: true },
    })),
  };
}

const readAll = (at: number, temperature: number) =>
  many(SERVICES, (index) => ({ device: `oven-${index}`, time: at + temperature, values: { temperature } }));

/** Ten channels of one device, for a month. */
const readLong = (at: number) =>
  many(4_000, (entry) => ({
    device: 'oven-0',
    time: at - 60_000 - entry * 10 * 60_000,
    values: Object.fromEntries(many(9, (channel) => [`t${channel + 1}`, Math.sin(entry + channel)])),
  }));

/** What only time brings. */
async function fill({ db, clock: { read } }: TestServer, lab: Lab, people: string[]): Promise<void> {
  const now = read();
  const org = lab.organization;
  await db.query(sql`
    insert into rota_stand_in (rota_id, start_at, end_at, account_id, author_id, author_name, created_at)
    select rota.id, ${now}::timestamptz + n * interval '3 days', ${now}::timestamptz + n * interval '3 days' + interval '30 hours',
      account.id, account.id, account.name, ${now}
    from rota, generate_series(1, ${STAND_INS}::int) as n, account
    where organization_id = ${org} and account.email = (${people}::text[])[1 + n % ${PEOPLE}::int]`);
  await db.query(sql`
    insert into downtime_series (service_id, first_day, local_start, minutes, timezone, rule, until_day, reason,
      created_by_id, created_by_name, created_at)
    select service.id, ${now}::date, '08:00', 60, 'Europe/Berlin', 'FREQ=DAILY', ${now}::date + 366, 'Defrost', 1, 'Ada', ${now}
    from (select id from service where organization_id = ${org} order by id
      limit ${SERIES.organization / SERIES.service}) as service, generate_series(1, ${SERIES.service}::int)`);
  await db.query(sql`
    insert into downtime (service_id, start_at, end_at, reason, created_by_id, created_by_name, created_at)
    select id, ${now}::timestamptz + interval '1 day', ${now}::timestamptz + interval '2 days', 'Defrost', 1, 'Ada', ${now}
    from service where organization_id = ${org}`);
  await db.query(sql`
    insert into device (organization_id, key, first_seen_at, last_seen_at, created_at, model, heard_from)
    select ${org}, 'waiting-' || n, ${now}, ${now}, ${now}, 'LHT65', 'gateway' from generate_series(1, ${WAITING_DEVICES}::int) as n`);
  await db.query(sql`
    insert into waiting_device (device_id, readings)
    select id, 500 from device where organization_id = ${org} and key like 'waiting-%'`);
  await db.query(sql`
    insert into waiting_reading (device_id, place, channel, at, value, is_state, received_at)
    select device_id, n, 'c' || n, ${now}, 1, false, ${now} from waiting_device, generate_series(1, 100) as n`);
  await db.query(sql`
    insert into kept_mail (mail_id, organization_id, recipient, subject, text_body, html_body, created_at)
    select 'mail-' || n, ${org}, 'a@lab.example', 'Alarm ' || n, repeat('text ', 2000), repeat('<p>text</p>', 2000), ${now}
    from generate_series(1, 500) as n`);
  await db.query(sql`
    insert into audit (happened_at, organization_id, account_id, account_name, action, detail)
    select ${now}::timestamptz - n * interval '1 minute', ${org}, ${lab.ada.id}, 'Ada', 'service.edited', '{"name": "Oven"}'
    from generate_series(1, 20000) as n`);
  await db.query(sql`
    insert into contact_method (account_id, kind, address, verified_at, created_at)
    select ${lab.ada.id}, 'ntfy', 'https://ntfy.example/topic-' || n, ${now}, ${now} from generate_series(1, 10) as n`);
  await db.query(sql`
    insert into session (account_id, generation, began_at, last_seen_at, address)
    select ${lab.ada.id}, 0, ${now}, ${now}, '127.0.0.1' from generate_series(1, 1000)`);
  await db.query(sql`
    insert into rescue (service_id, organization_id, temperature_class, racks, free_racks, changed_at)
    select id, organization_id, 'ultra_low', 1, 2, ${now} from service where organization_id = ${org}`);
  await db.query(sql`
    insert into floor_plan (organization_id, branch, width, height, picture, changed_at)
    values (${org}, 'house', 2000, 2000, ${randomBytes(1_000_000)}, ${now})`);
  await db.query(sql`
    insert into floor_plan_marker (plan_id, service_id, organization_id, x, y)
    select floor_plan.id, service.id, organization_id, service.id % 1000, service.id % 777
    from floor_plan join service using (organization_id) where organization_id = ${org} order by service.id limit 200`);
  await db.query(sql`
    insert into unit_note (service_id, at, text, author_id, author_name, created_at)
    select min(id), ${now}::timestamptz - n * interval '5 minutes', repeat('word ', 200), ${lab.ada.id}, 'Ada', ${now}
    from service, generate_series(1, 2000) as n where organization_id = ${org} group by n`);
  await db.query(sql`
    update source set last_body = ${Buffer.from(JSON.stringify({ id: 'x', list: many(2_000, (n) => ({ id: `d${n}`, a: n })) }))}
    where organization_id = ${org} and kind = 'json'`);
}
