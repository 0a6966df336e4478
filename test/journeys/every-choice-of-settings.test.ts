// Whatever the settings offer to choose can be stored: each choice is read from the page, sent as a browser sends it, and
// found in the database and on the page. A choice that is added is tried without a line here.
import sql from 'sql-template-tag';
import { beforeAll } from 'vitest';
import { ALL_DOOR_PARTS } from '../../src/domain/door/door-card.ts';
import {
  type ChoiceHouse,
  oneOfEachShape,
  openChoiceHouse,
  type Tries,
  testChoices,
} from '../support/choice-house.ts';

let house: ChoiceHouse;
beforeAll(async () => {
  house = await openChoiceHouse();
});

/** Where a kind does not take what most of them do. */
const WEBHOOKS: Record<string, Record<string, string>> = {
  matrix: { url: 'https://matrix.lab.example/!abc:lab.example', secret: 'token' },
  mqtt: { url: 'mqtts://broker.lab.example:8883/lab', secret: 'user:password' },
};

const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

const groupPage = () => `/settings/groups/${house.groupId}`;
/** A group of its own for each, so that nothing stands there yet. */
const newGroupPage = async () => {
  const { lab, server } = house;
  const name = `Group ${(await server.db.query(sql`select from notification_group`)).length}`;
  const step = { step: 1, after_minutes: 10 };
  const webhooks = [{ kind: 'slack', url: 'https://hooks.example/T1' }];
  return `/settings/groups/${await lab.group({ name, steps: [step], webhooks })}`;
};

const lastGroupPage = async () => {
  const [last] = await house.server.db.query<{ id: number }>(
    sql`select max(id) as "id" from notification_group`,
  );
  return `/settings/groups/${last?.id}`;
};

/** Somebody on a step, whoever it is and by whatever table. */
const placed = (where: { step: string; during: string; who: string }) => sql`
  select from (
    select group_id, step, during, 'account ' || account_id as who from notification_group_account
    union all select group_id, step, during, 'rota ' || rota_id from notification_group_rota
    union all select group_id, step, during, 'webhook ' || id from notification_group_webhook
    union all select group_id, step, during, '' from notification_group_email) placed
  where group_id = (select max(id) from notification_group) and step = ${Number(where.step)}
    and during = ${where.during} and who = ${where.who}`;

const PLACED = { step: '1', during: 'always', who: '' };
const inPlace = (field: 'step' | 'during' | 'who'): Tries => ({
  [`/settings/groups/:id/place ${field}`]: {
    // Its own webhook is among those to choose from.
    page: (turn) => (field === 'who' && turn > 0 ? lastGroupPage() : newGroupPage()),
    typed: ({ value }) => ({
      ...PLACED,
      [field]: value,
      ...((field !== 'who' || value === '') && { email: 'cold@lab.example' }),
    }),
    stored: ({ value }) => placed({ ...PLACED, [field]: value }),
    shown: ({ value, label }) => (field === 'who' && value !== '' ? label : 'cold@lab.example'),
  },
});

const inStep = (kind: string): Tries => ({
  [`/settings/groups/:id/set-step [${kind}]`]: {
    page: newGroupPage,
    // One without any is refused.
    typed: ({ value }) => (value === '' ? { [kind === 'critical' ? 'warning' : 'critical']: 'yes' } : {}),
    stored: ({ value }) => sql`
      select from notification_group_step where group_id = (select max(id) from notification_group) and step = 2
        and (${kind} = any(kinds)) = ${value !== ''}`,
    shown: () => 'After 25 min',
  },
});

const inHours = (day: string, index: number): Tries => ({
  [`/settings/lab-hours/set [${day}]`]: {
    page: () => '/settings/lab-hours',
    typed: ({ value }) => (value === '' ? { [day === 'mon' ? 'tue' : 'mon']: 'yes' } : {}),
    stored: ({ value }) => sql`
      select from lab_hours where organization_id = ${house.lab.organization}
        and (weekly->0->'days' @> ${String(index + 1)}::jsonb) = ${value !== ''}`,
  },
});

const zoneIn = (
  stored: (zone: string) => ReturnType<Tries[string]['stored']>,
  page: string,
): Tries[string] => ({
  page: () => page,
  only: oneOfEachShape,
  stored: ({ value }) => stored(value),
});

/** With other settings it has another id. */
const sourcePage = async () => {
  const [found] = await house.server.db.query<{ id: number }>(sql`
    select id from source where organization_id = ${house.lab.organization} and name = 'gateway'`);
  return `/settings/sources/${found?.id}`;
};

const onDoorCard = (part: string): Tries => ({
  [`/settings/door-cards/save [${part}]`]: {
    page: () => '/settings/door-cards',
    typed: () => ({ open: 'yes' }),
    stored: ({ value }) => sql`
      select from organization where id = ${house.lab.organization} and (${part} = any(door_card)) = ${value !== ''}`,
  },
});

/** Of the newest version of the newest rota. */
const newestRota = sql`
  rota join rota_version version on version.rota_id = rota.id
    and version.version = (select max(version) from rota_version own where own.rota_id = rota.id)`;

const newRota = (
  field: string,
  condition: (value: string) => ReturnType<Tries[string]['stored']>,
): Tries => ({
  [`/settings/rotas/create ${field}`]: {
    page: () => '/settings/rotas',
    leftOut: field === 'member_0' ? [''] : [],
    ...(field === 'timezone' && { only: oneOfEachShape }),
    typed: (_, turn) => ({
      name: `By ${field} ${turn}`,
      ...(field !== 'member_0' && { member_0: String(house.lab.oscar.id) }),
    }),
    stored: ({ value }, turn) =>
      sql`select from ${newestRota} where name = ${`By ${field} ${turn}`} and ${condition(value)}`,
    shown: (_, turn) => `By ${field} ${turn}`,
  },
});

const adopted = (field: string, stored: Tries[string]['stored']): Tries => ({
  [`/settings/devices/:id/new-service ${field}`]: {
    page: () => house.addDevice(),
    typed: ({ value }, turn) => ({
      name: `Adopted by ${field} ${turn}`,
      // What a script fills in when a template is chosen.
      ...(field.endsWith('template') && value !== '' && { [field.replace('template', 'ch_high')]: '77' }),
    }),
    stored,
    shown: (_, turn) => `Adopted by ${field} ${turn}`,
  },
});

const hasLimits =
  (field: string): Tries[string]['stored'] =>
  (choice, turn) =>
    sql`
  select from service where name = ${`Adopted by ${field} ${turn}`}
    and exists (select from limits_version where service_id = service.id and channel = ${
      { c0_template: 'humidity', c1_template: 'temperature', c2_template: 'door' }[field] ?? ''
    }) = ${choice.value !== ''}`;

testChoices(() => house, {
  '/settings/groups/:id/add-webhook kind': {
    page: groupPage,
    typed: ({ value }) => WEBHOOKS[value] ?? { url: 'https://receiver.example/in', secret: 'R0uting' },
    stored: ({ value }) => sql`
      select from notification_group_webhook where group_id = ${house.groupId} and kind = ${value}
        and url <> 'https://hooks.example/T1'`,
    shown: ({ value, label }) =>
      `${label} ${new URL(WEBHOOKS[value]?.url ?? 'https://receiver.example').protocol}//`,
  },
  '/settings/groups/:id/add-member account_id': {
    page: newGroupPage,
    stored: ({ value }) => sql`
      select from notification_group_account where group_id = (select max(id) from notification_group)
        and account_id = ${Number(value)}`,
    shown: ({ label }) => label.replace(/ \(.*/, ''),
  },
  '/settings/groups/:id/add-relay [dead_man]': {
    page: groupPage,
    typed: (_, turn) => ({ relay_url: `http://10.0.0.${turn + 7}` }),
    stored: ({ value }, turn) => sql`
      select from relay where url = ${`http://10.0.0.${turn + 7}`} and dead_man = ${value !== ''}`,
    shown: (_, turn) => `http://10.0.0.${turn + 7}, switch 0`,
  },
  ...inPlace('step'),
  ...inPlace('during'),
  ...inPlace('who'),
  ...inStep('critical'),
  ...inStep('warning'),
  ...inStep('system'),
  ...Object.assign({}, ...WEEKDAYS.map(inHours)),
  '/settings/lab-hours/set timezone': zoneIn(
    (zone) =>
      sql`select from lab_hours where organization_id = ${house.lab.organization} and timezone = ${zone}`,
    '/settings/lab-hours',
  ),
  '/settings/members/:id/role role': {
    page: () => `/settings/members/${house.lab.vera.id}`,
    stored: ({ value }) =>
      sql`select from membership where account_id = ${house.lab.vera.id} and role = ${value}`,
  },
  '/settings/members/invite role': {
    page: () => '/settings/members',
    typed: (_, turn) => ({ email: `new.${turn}@lab.example`, name: `New ${turn}` }),
    stored: ({ value }, turn) => sql`
      select from invitation where name = ${`New ${turn}`} and role = ${value}`,
    shown: ({ value }, turn) => `New ${turn} new.${turn}@lab.example ${value}`,
  },
  '/settings/members/phone-pin [phone_pin_required]': {
    page: () => '/settings/members',
    stored: ({ value }) => sql`
      select from organization where id = ${house.lab.organization} and phone_pin_required = ${value !== ''}`,
  },
  '/settings/members/device-days device_days': {
    page: () => '/settings/members',
    stored: ({ value }) => sql`
      select from organization where id = ${house.lab.organization} and device_days = ${Number(value)}`,
  },
  '/settings/members/personal-links [personal_links]': {
    page: () => '/settings/members',
    stored: ({ value }) => sql`
      select from organization where id = ${house.lab.organization} and personal_links = ${value !== ''}`,
  },
  '/settings/door-cards/save [open]': {
    page: () => '/settings/door-cards',
    stored: ({ value }) => sql`
      select from organization where id = ${house.lab.organization} and (door_card is not null) = ${value !== ''}`,
  },
  ...Object.assign({}, ...ALL_DOOR_PARTS.map(onDoorCard)),
  ...newRota('every', (value) => sql`every = ${value}`),
  ...newRota('timezone', (value) => sql`coalesce(version.timezone, rota.timezone) = ${value}`),
  ...newRota('[confirm]', (value) => sql`confirm = ${value !== ''}`),
  ...newRota(
    'member_0',
    (value) => sql`exists (select from rota_member member
      where member.rota_id = rota.id and member.version = version.version and account_id = ${Number(value)})`,
  ),
  '/settings/sources/create kind': {
    page: () => '/settings/sources',
    typed: (_, turn) => ({ name: `Source ${turn}` }),
    stored: ({ value }, turn) => sql`select from source where name = ${`Source ${turn}`} and kind = ${value}`,
    shown: (_, turn) => `Source ${turn}`,
  },
  '/settings/sources/:id/change kind': {
    page: sourcePage,
    stored: ({ value }) =>
      sql`select from source where organization_id = ${house.lab.organization} and name = 'gateway' and kind = ${value}`,
  },
  '/settings/sources/:id/change clock': {
    page: sourcePage,
    stored: ({ value }) => sql`
      select from source where organization_id = ${house.lab.organization} and name = 'gateway' and coalesce(settings->>'clock', '') = ${value}`,
  },
  '/settings/channels/save kind': {
    page: async () => `/settings/channels?service=${(await house.lab.freezer()).id}`,
    stored: ({ value }) => sql`
      select from channel where service_id = (select max(id) from service) and kind = ${value}`,
  },
  '/settings/devices/:id/assign service_id': {
    page: async () => {
      await house.addFreezer();
      return house.addDevice();
    },
    stored: ({ value }) =>
      sql`select from device where id = (select max(id) from device where key like 'stranger%') and service_id = ${Number(value)}`,
    shown: ({ label }) => label,
  },
  ...adopted('c0_template', hasLimits('c0_template')),
  ...adopted('c1_template', hasLimits('c1_template')),
  ...adopted('c2_template', hasLimits('c2_template')),
  ...adopted(
    'notification_group_id',
    ({ value }, turn) => sql`
      select from service join service_settings on service_id = service.id
      where name = ${`Adopted by notification_group_id ${turn}`} and case ${value}
        when '' then notification_group_id is null when 'me' then notification_group_id is not null
        else notification_group_id::text = ${value} end`,
  ),
});
