// Whatever word the lab file takes in a place can be stored: the words are read from its own refusal of one that nobody knows,
// and each is applied. A word that is added is tried without a line here.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sql, { type Sql } from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectRoot } from '../../src/platform/project-root.ts';
import { type LabFileDesk, openLabFileDesk } from '../support/lab-file.ts';

let desk: LabFileDesk;
beforeAll(async () => {
  desk = await openLabFileDesk();
  await desk.apply(`
accounts: [{ email: vera@lab.example, name: Vera }]
organizations:
  - name: Lab
    members: [{ email: vera@lab.example, role: viewer }]
    sources: [{ name: gateway, secret: the secret of the lab }]`);
});
afterAll(() => desk.db.close());

const isStored = async (row: Sql) => (await desk.db.query(row)).length > 0;

/** Where a kind does not take what most of them do. */
const WEBHOOKS: Record<string, string> = {
  matrix: 'url: "https://matrix.lab.example/!abc:lab.example"',
  mqtt: 'url: "mqtts://broker.lab.example:8883/lab"',
};

const ofSource = (settings: string) => `sources: [{ name: gateway, settings: { ${settings} } }]`;
const inSettings = (path: string[], word: string) =>
  sql`select from source where name = 'gateway' and settings #>> ${path}::text[] = ${word}`;
const mapped = (more: string) => ofSource(`mapping: { device: /id, values: { t: /t }, ${more} }`);

type Place = [what: string, write: (word: string) => string, stored: (word: string) => Sql];

/** Each word of a place of its own, so that none finds what another left. */
const PLACES: Place[] = [
  [
    'the role of a member',
    (word) => `members: [{ email: vera@lab.example, role: ${word} }]`,
    (word) => sql`select from membership where role = ${word}`,
  ],
  [
    'the kind of a source',
    (word) => `sources: [{ name: ${word}, kind: ${word}, secret: the secret of ${word} }]`,
    (word) => sql`select from source where name = ${word} and kind = ${word}`,
  ],
  ['its clock', (word) => ofSource(`clock: ${word}`), (word) => inSettings(['clock'], word)],
  ['its units', (word) => ofSource(`units: { t: ${word} }`), (word) => inSettings(['units', 't'], word)],
  [
    'the unit of a mapped value',
    (word) => ofSource(`mapping: { device: /id, values: { t: { path: /t, from: ${word} } } }`),
    (word) => inSettings(['mapping', 'values', 't', 'from'], word),
  ],
  [
    'the rest of a mapping',
    (word) => mapped(`rest: ${word}`),
    (word) => inSettings(['mapping', 'rest'], word),
  ],
  [
    'how a payload is written',
    (word) => mapped(`payload: { path: /p, encoding: ${word} }`),
    (word) => inSettings(['mapping', 'payload', 'encoding'], word),
  ],
  [
    'the kind of a webhook',
    (word) =>
      `groups: [{ name: Webhooks, webhooks: [{ kind: ${word}, ${WEBHOOKS[word] ?? 'url: "https://receiver.example/in"'} }] }]`,
    (word) => sql`select from notification_group_webhook where kind = ${word}`,
  ],
  [
    'what a step is for',
    (word) => `groups: [{ name: For ${word}, steps: [{ step: 1, after_minutes: 5, kinds: [${word}] }] }]`,
    (word) => sql`
      select from notification_group_step join notification_group grouped on grouped.id = group_id
      where name = ${`For ${word}`} and kinds = array[${word}]`,
  ],
  [
    'when somebody is notified',
    (word) =>
      `groups: [{ name: When, told: [{ during: ${word}, email: cold@lab.example }, { during: ${word}, account: vera@lab.example }, { during: ${word}, webhook: { kind: slack, url: "https://hooks.example/${word}" } }] }]`,
    (word) => sql`
      select from notification_group_email join notification_group_account using (group_id, during)
        join notification_group_webhook using (group_id, during) where during = ${word}`,
  ],
  [
    'days of lab hours',
    (word) => `lab_hours: { timezone: UTC, weekly: [{ days: [${word}], from: "08:00", to: "18:00" }] }`,
    (word) => sql`
      select from lab_hours where weekly->0->'days'->>0
        = (array_position(array['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], ${word}))::text`,
  ],
  [
    'of what shifts are made',
    (word) =>
      `rotas: [{ name: By ${word}, timezone: UTC, handover: "08:00", every: ${word}, members: [vera@lab.example] }]`,
    (word) => sql`
      select from rota join rota_version on rota_id = rota.id where name = ${`By ${word}`} and every = ${word}`,
  ],
  [
    'the kind of a channel',
    (word) => `services: [{ name: Of ${word}, channels: [{ name: c, kind: ${word} }] }]`,
    (word) => sql`
      select from channel join service on service.id = service_id where service.name = ${`Of ${word}`} and kind = ${word}`,
  ],
  [
    'the template of a service',
    (word) => `services: [{ name: By ${word}, template: ${word} }]`,
    (word) => sql`select from service where name = ${`By ${word}`} and template = ${word}`,
  ],
  [
    'how cold it has to be',
    (word) => `services: [{ name: Cold ${word}, rescue: { temperature_class: ${word} } }]`,
    (word) => sql`
      select from rescue join service on service.id = service_id
      where service.name = ${`Cold ${word}`} and temperature_class = ${word}`,
  ],
  [
    'what door cards show',
    (word) => `door_card: [${word}]`,
    (word) => sql`select from organization where door_card = array[${word}::text]`,
  ],
  [
    'how bad it were to lose what is inside',
    (word) => `services: [{ name: Class ${word}, guidance: { value_class: ${word} } }]`,
    (word) => sql`
      select from guidance join service on service.id = service_id
      where service.name = ${`Class ${word}`} and value_class = ${word}`,
  ],
];

const file = (lines: string) => `organizations:\n  - name: Lab\n    ${lines}`;

describe('each word', () => {
  test.each(PLACES)('%s', async (_, write, stored) => {
    const refused = (await desk.refuse(file(write('nobody-knows-it')))).join('\n');
    const [, said = ''] = /must be one of ([^;\n]*)/.exec(refused) ?? [];
    const words = said.split(', ');
    expect(words.length, refused).toBeGreaterThan(1);
    for (const word of words) {
      await desk.apply(file(write(word)));
      expect([word, await isStored(stored(word))]).toEqual([word, true]);
    }
  });

  test('of every place that takes one of a list', () => {
    const ways = readdirSync(join(projectRoot, 'src/domain/ways-in')).map(
      (name) => `src/domain/ways-in/${name}`,
    );
    const sources = ['src/features/lab-file/read/read-lab-file.ts', ...ways];
    const uses = sources.flatMap((path) => [
      ...readFileSync(join(projectRoot, path), 'utf8').matchAll(/\boneOf\(/g),
    ]);
    expect(PLACES).toHaveLength(uses.length);
  });
});

describe('yes and no', () => {
  const flags: Place[] = [
    [
      'whether an account is active',
      (word) => `---\naccounts: [{ email: vera@lab.example, active: ${word} }]`,
      (word) => sql`select from account where email = 'vera@lab.example' and is_active = ${word === 'true'}`,
    ],
    [
      'whether a PIN is asked for',
      (word) => `phone_pin_required: ${word}`,
      (word) => sql`select from organization where phone_pin_required = ${word === 'true'}`,
    ],
    [
      'whether personal links are sent',
      (word) => `personal_links: ${word}`,
      (word) => sql`select from organization where personal_links = ${word === 'true'}`,
    ],
    [
      'whether a shift asks for a receipt',
      (word) =>
        `rotas: [{ name: With ${word}, timezone: UTC, handover: "08:00", members: [vera@lab.example], confirm: ${word} }]`,
      (word) => sql`select from rota where name = ${`With ${word}`} and confirm = ${word === 'true'}`,
    ],
    [
      'whether a siren sounds when nobody says anything',
      (word) => `groups: [{ name: Sirens, relays: [{ url: "http://10.0.0.7", dead_man: ${word} }] }]`,
      (word) => sql`select from relay where dead_man = ${word === 'true'}`,
    ],
    [
      'whether a service is archived',
      (word) => `services: [{ name: Archived, key: archived, archived: ${word} }]`,
      (word) => sql`
        select from service where name = 'Archived' and (archived_at is not null) = ${word === 'true'}`,
    ],
    [
      'whether limits are percentages',
      (word) =>
        `services: [{ name: Percent, limits: [{ channel: t, is_percentage: ${word}, bands: { CRITICAL_HIGH: { limit: 5 } } }] }]`,
      (word) => sql`
        select from limits_version where retired_at is null and channel = 't' and is_percentage = ${word === 'true'}`,
    ],
    ...[
      'send_critical',
      'send_warning',
      'send_acknowledgements',
      'send_recoveries',
      'enable_system_notifications',
    ].map(
      (name): Place => [
        `whether ${name}`,
        (word) => `services: [{ name: Told, key: told, notifications: { ${name}: ${word} } }]`,
        (word) => sql`
          select from service_settings settings join service on service.id = service_id
          where service.key = 'told' and to_jsonb(settings)->>${name} = ${word}`,
      ],
    ),
  ];

  test.each(flags)('%s', async (_, write, stored) => {
    for (const word of ['true', 'false', 'true']) {
      await desk.apply(write(word).startsWith('---') ? write(word) : file(write(word)));
      expect([word, await isStored(stored(word))]).toEqual([word, true]);
    }
  });
});
