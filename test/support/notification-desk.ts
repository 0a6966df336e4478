// Looks at what was decided to be told, before anything is sent.

import sql from 'sql-template-tag';
import { english } from '../../src/domain/language/english.ts';
import { type Reason, sayReason } from '../../src/domain/notifications/reason.ts';
import type { Lab } from './lab.ts';
import { minutes } from './movable-clock.ts';
import type { TestServer } from './test-server.ts';

type Freezer = Awaited<ReturnType<Lab['freezer']>>;

export const NORMAL = -80;
export const WARM = -63;
export const HOT = -50;

interface Delays {
  critical?: number;
  warning?: number;
}

const EVERYTHING = {
  send_critical: true,
  send_warning: true,
  send_acknowledgements: true,
  send_recoveries: true,
  repeat_interval_minutes: 60,
  enable_system_notifications: true,
  system_notification_delay_minutes: 5,
};

/** A freezer that tells the Cold team everything, until the notifications say otherwise. */
export function watchedBy(group: string | null, settings: Record<string, unknown> = {}, delays: Delays = {}) {
  const bands = {
    CRITICAL_HIGH: { limit: -60, delay: delays.critical ?? 0, sustained: 0 },
    WARNING_HIGH: { limit: -65, delay: delays.warning ?? 0, sustained: 0 },
  };
  return {
    limits: [{ channel: 'temperature', bands }],
    stale_after_minutes: 0,
    notifications: { ...EVERYTHING, ...(group === null ? {} : { group }), ...settings },
  };
}

/** A group with two plain addresses. */
export async function openColdTeam(lab: Lab): Promise<number> {
  return lab.group({ name: 'Cold team', emails: ['cold@lab.example', 'night@lab.example'] });
}

export interface ToldRow {
  id: string;
  kind: string;
  state: string;
  reason: string;
  isRepeat: boolean;
  severity: string;
  recipients: string[];
}

/** With reasons as people read them. */
export const notificationsOf = async ({ db }: TestServer, { id }: Pick<Freezer, 'id'>): Promise<ToldRow[]> =>
  (
    await db.query<Omit<ToldRow, 'reason'> & { why: Reason }>(sql`
    select id, kind, state, why, is_repeat as "isRepeat", severity,
      (select coalesce(json_agg(recipient order by recipient), '[]') from delivery
        where notification_id = notification.id and delivery.state <> 'dropped') as "recipients"
    from notification where service_id = ${id} order by coalesce(decided_at, due_at), id`)
  ).map(({ why, ...row }) => ({ ...row, reason: sayReason(why, english) }));

/** Every decision on a service: `released critical: In alarm: critical`. */
export const decisionsOf = async (server: TestServer, freezer: Pick<Freezer, 'id'>) =>
  (await notificationsOf(server, freezer)).map(({ state, kind, reason }) => `${state} ${kind}: ${reason}`);

/** What was told, in order; a repeat says so. */
export const toldOf = async (server: TestServer, freezer: Pick<Freezer, 'id'>) =>
  (await notificationsOf(server, freezer))
    .filter(({ state }) => state === 'released')
    .map(({ kind, isRepeat, severity }) =>
      [kind === 'system' ? (severity === 'stale' ? 'stale' : 'back') : kind, isRepeat ? 'again' : '']
        .filter((word) => word !== '')
        .join(' '),
    );

/** How things stand, and when to look again. */
export const standingOf = async ({ db }: TestServer, { id }: Pick<Freezer, 'id'>) =>
  (
    await db.query<{ why: Reason | null; lookAgainAt: Date | null }>(sql`
      select why, look_again_at as "lookAgainAt" from notification_schedule where service_id = ${id}`)
  ).map(({ why, ...row }) => ({ ...row, reason: why && sayReason(why, english) }))[0];

/** As if delivery had sent all that is queued. */
export const sendAll = ({ db, clock }: TestServer) =>
  db.query(sql`update delivery set state = 'sent', sent_at = ${clock.read()} where state = 'queued'`);

/** Minute by minute, each second of which the clock would have struck. */
export async function pass(lab: Lab, count: number): Promise<void> {
  for (let minute = 0; minute < count; minute += 1) {
    await lab.advance(minutes(1));
    await lab.tick();
  }
}
