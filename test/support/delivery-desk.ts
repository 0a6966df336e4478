// A lab whose alarms are told: a group, freezers that tell it, and programs that deliver, struck by hand.

import { pino } from 'pino';
import sql from 'sql-template-tag';
import { COMMAND_LINE } from '../../src/domain/accounts/requester.ts';
import type { ServiceId } from '../../src/domain/ids.ts';
import { english } from '../../src/domain/language/english.ts';
import { type Reason, sayReason } from '../../src/domain/notifications/reason.ts';
import { createDeliverer, type Deliverer, type DelivererDeps } from '../../src/engine/delivery/deliverer.ts';
import { formLetters } from '../../src/engine/delivery/form-letters.ts';
import { decideDue } from '../../src/engine/outbox/decide.ts';
import { applyLabFile } from '../../src/features/lab-file/apply-lab-file.ts';
import { type Lab, openLab } from './lab.ts';
import { openPostbox, type Postbox } from './postbox.ts';
import type { TestServer } from './test-server.ts';

interface GroupEntry extends Record<string, unknown> {
  emails?: string[];
  webhooks?: { kind: string; url: string; secret?: string }[];
}

export interface ToldFreezer {
  id: ServiceId;
  name: string;
  device: string;
  warms(): Promise<void>;
  cools(): Promise<void>;
}

export interface DeliveryDesk {
  lab: Lab;
  postbox: Postbox;
  groupId: number;
  deliverer: Deliverer;
  /** Another program on the same database. */
  hire(overrides?: Partial<DelivererDeps>): Deliverer;
  freezers(count: number, notifications?: Record<string, unknown>): Promise<ToldFreezer[]>;
  freezer(notifications?: Record<string, unknown>): Promise<ToldFreezer>;
  warmAll(freezers: ToldFreezer[]): Promise<void>;
  /** What is to be told is decided; nothing is delivered yet. */
  decide(): Promise<void>;
  /** Moves the clock, lets it strike, and waits until nothing is under way. */
  strike(ms?: number, program?: Deliverer): Promise<void>;
  deliveries(): Promise<DeliveryRow[]>;
}

interface DeliveryRow {
  id: string;
  letterId: string | null;
  transport: string;
  recipient: string;
  state: string;
  attempts: number;
  lastError: string | null;
  dropReason: string | null;
  nextAttemptAt: Date;
  sentAt: Date | null;
}

let desks = 0;

export async function openDeliveryDesk(
  server: TestServer,
  group: GroupEntry = { emails: ['cold@lab.example'] },
): Promise<DeliveryDesk> {
  desks += 1;
  const desk = desks;
  const lab = await openLab(server);
  const { db, clock } = server;
  const postbox = openPostbox();
  const apply = async (rest: Record<string, unknown>) => {
    const text = JSON.stringify({ organizations: [{ name: lab.organizationName, ...rest }] });
    const input = { text, fileName: 'lab.yaml', isDryRun: false };
    const applied = await applyLabFile(db, COMMAND_LINE, input, clock.read());
    if (!applied.ok) throw new Error(JSON.stringify(applied.refusal));
    return applied.value.ids;
  };
  const { groups } = await apply({ groups: [{ name: 'Cold team', ...group }] });
  const groupId = Object.values(groups)[0] as number;

  const hire = (overrides: Partial<DelivererDeps> = {}) =>
    createDeliverer({
      db,
      clock: clock.read,
      log: pino({ level: 'silent' }),
      transports: postbox.transports,
      publicUrl: () => 'https://tocsin.lab.example',
      signer: server.signer,
      metrics: null,
      ...overrides,
    });
  const deliverer = hire();
  const read = (freezers: { device: string }[], temperature: number) =>
    lab.post(
      freezers.map(({ device }) => ({ device, time: clock.read().getTime(), values: { temperature } })),
    );

  const decide = async () => {
    await server.road.sweep(clock.read());
    await decideDue(db, clock.read());
  };

  let made = 0;
  const freezers = async (count: number, notifications: Record<string, unknown> = {}) => {
    const names = Array.from({ length: count }, () => {
      made += 1;
      return `Freezer ${made}`;
    });
    const { services } = await apply({
      services: names.map((name) => ({
        name,
        device: { key: `desk-${desk}-${name}` },
        channels: [{ name: 'temperature', label: 'Temperature', unit: '°C', kind: 'metric' }],
        limits: [
          {
            channel: 'temperature',
            bands: { CRITICAL_HIGH: { limit: -60 }, WARNING_HIGH: { limit: -70 } },
          },
        ],
        notifications: {
          group: 'Cold team',
          send_critical: true,
          send_warning: true,
          send_recoveries: true,
          repeat_interval_minutes: 0,
          ...notifications,
        },
        stale_after_minutes: 0,
      })),
    });
    return names.map((name): ToldFreezer => {
      const device = `desk-${desk}-${name}`;
      return {
        id: services[`${lab.organizationName}/${name}`] as ServiceId,
        name,
        device,
        warms: async () => void (await read([{ device }], -40)),
        cools: async () => void (await read([{ device }], -80)),
      };
    });
  };

  return {
    lab,
    postbox,
    groupId,
    deliverer,
    hire,
    freezers,
    freezer: async (notifications) => (await freezers(1, notifications))[0] as ToldFreezer,
    warmAll: async (all) => void (await read(all, -40)),
    decide,
    async strike(ms = 0, program = deliverer) {
      clock.advance(ms);
      await decide();
      await formLetters(db, clock.read());
      await program.work();
      await program.settle();
    },
    deliveries: async () =>
      (
        await db.query<Omit<DeliveryRow, 'dropReason'> & { droppedWhy: Reason | null }>(sql`
        select delivery.id, letter_id as "letterId", transport, recipient, delivery.state, attempts,
          last_error as "lastError", dropped_why as "droppedWhy", next_attempt_at as "nextAttemptAt", sent_at as "sentAt"
        from delivery join notification on notification.id = notification_id
        where group_id = ${groupId} order by delivery.id`)
      ).map(({ droppedWhy, ...row }) => ({
        ...row,
        dropReason: droppedWhy && sayReason(droppedWhy, english),
      })),
  };
}
