// A shift of a rota that asks for it begins with a message. Whoever gets it says to have it; if nobody does within half an
// hour, whoever was on call before and those who administer are told.
import sql from 'sql-template-tag';
import type { AccountId, OrganizationId } from '../../domain/ids.ts';
import { type DutySpan, listDuties } from '../../domain/on-call/duties.ts';
import type { Database, ReadDatabase } from '../../platform/db/database.ts';
import { readConfirmedRotas, type StoredRota } from '../on-call/rotas.ts';
import { toRota } from '../outbox/ladders.ts';
import { type Person, sayTime } from './people.ts';
import { insertReminders, type NewReminder } from './reminders.ts';

const HOUR_MS = 60 * 60_000;
/** A program that stood still for longer begins with the next shift. */
const BEHIND_MS = 24 * HOUR_MS;
/** No shift is longer. */
const AHEAD_MS = 13 * 7 * 24 * HOUR_MS;
const PATIENCE_MS = 30 * 60_000;

export async function remindOfShifts(db: Database, people: readonly Person[], now: Date): Promise<void> {
  const rotas = await readConfirmedRotas(db, new Date(now.getTime() - BEHIND_MS));
  const begun = rotas.flatMap((stored) => findBegun(stored, now) ?? []);
  if (begun.length === 0) return;
  const [open, unconfirmed] = await Promise.all([
    countOpenAlarms(
      db,
      begun.map(({ rota }) => rota.id),
    ),
    selectUnconfirmed(db, new Date(now.getTime() - PATIENCE_MS), now),
  ]);
  const personOf = (accountId: number, { organizationId }: StoredRota) =>
    people.find((one) => one.accountId === accountId && one.organizationId === organizationId);
  await insertReminders(
    db,
    begun.flatMap((shift) => {
      const person = personOf(shift.accountId, shift.rota);
      return person ? [announce(shift, person, open.get(shift.rota.id) ?? 0)] : [];
    }),
    now,
  );
  await insertReminders(
    db,
    begun
      .filter(({ about, accountId }) =>
        unconfirmed.some((one) => one.about === about && one.accountId === accountId),
      )
      .flatMap((shift) => {
        const { organizationId } = shift.rota;
        const before = shift.before === null ? undefined : personOf(shift.before, shift.rota);
        const told = people.filter((one) => one.organizationId === organizationId && one.isAdministrator);
        const name = personOf(shift.accountId, shift.rota)?.name ?? 'Somebody';
        return [...new Set([...(before ? [before] : []), ...told])].map((one) => complain(shift, name, one));
      }),
    now,
  );
}

interface BegunShift {
  rota: StoredRota;
  accountId: AccountId;
  /** Who was on call until then. */
  before: number | null;
  startAt: Date;
  endAt: Date;
  about: string;
}

function findBegun(stored: StoredRota, now: Date): BegunShift | null {
  const from = new Date(now.getTime() - BEHIND_MS);
  const spans = joinPeople(listDuties(toRota(stored), from, new Date(now.getTime() + AHEAD_MS)));
  const index = spans.findIndex(({ startAt, endAt }) => startAt <= now && now < endAt);
  const span = spans[index];
  // What began before it was looked at is no beginning.
  if (!span?.duty || index === 0) return null;
  return {
    rota: stored,
    accountId: span.duty.accountId as AccountId,
    before: spans[index - 1]?.duty?.accountId ?? null,
    startAt: span.startAt,
    endAt: span.endAt,
    about: `${stored.id} ${span.startAt.toISOString()}`,
  };
}

/** Who stands in for himself, or is next again, goes on. */
function joinPeople(spans: readonly DutySpan[]): DutySpan[] {
  const joined: DutySpan[] = [];
  for (const span of spans) {
    const last = joined.at(-1);
    if (last && last.duty?.accountId === span.duty?.accountId) last.endAt = span.endAt;
    else joined.push({ ...span });
  }
  return joined;
}

function announce({ rota, about, endAt }: BegunShift, person: Person, open: number): NewReminder {
  const alarms = open === 0 ? 'No alarm is open.' : `Open alarms: ${open}. You are told of each of them.`;
  return {
    ...pick(person),
    kind: 'shift',
    about,
    words: {
      subject: `You are on call: ${rota.name}`,
      lines: [`You are on call in ${rota.name} until ${sayTime(endAt, person)}.`, alarms],
      button: 'I have it',
    },
  };
}

function complain({ rota, about, startAt }: BegunShift, name: string, person: Person): NewReminder {
  return {
    ...pick(person),
    kind: 'unconfirmed',
    about,
    words: {
      subject: `${name} has not confirmed the shift: ${rota.name}`,
      lines: [
        `The shift of ${name} in ${rota.name} began at ${sayTime(startAt, person)}, and the message about it was not confirmed within 30 minutes.`,
        'Alarms go to the person on call all the same. Call them, or take over.',
      ],
      button: 'Who is on call',
      path: '/on-call',
    },
  };
}

const pick = ({
  accountId,
  organizationId,
}: Person): { accountId: AccountId; organizationId: OrganizationId } => ({
  accountId,
  organizationId,
});

const selectUnconfirmed = (db: ReadDatabase, before: Date, now: Date) =>
  db.query<{ about: string; accountId: AccountId }>(sql`
    select about, account_id as "accountId" from reminder
    where kind = 'shift' and confirmed_at is null and created_at <= ${before}
      and created_at > ${new Date(now.getTime() - BEHIND_MS)}`);

async function countOpenAlarms(db: ReadDatabase, rotaIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await db.query<{ rotaId: number; count: number }>(sql`
    select rota_id as "rotaId", count(distinct service_id)::int as "count"
    from notification_group_rota join service_settings on notification_group_id = group_id
    join alarm_state using (service_id)
    where rota_id = any(${rotaIds}::int[]) and severity <> 'normal'
    group by rota_id`);
  return new Map(rows.map(({ rotaId, count }) => [rotaId, count]));
}
