// A shift of a rota that asks for it begins with a message. Whoever gets it says to have it; if nobody does within half an
// hour, whoever was on call before and those who administer are told.
import sql from 'sql-template-tag';
import { groupBy } from '../../domain/group-by.ts';
import type { AccountId } from '../../domain/ids.ts';
import { findBegunDuty } from '../../domain/on-call/duties.ts';
import type { Database, ReadDatabase } from '../../platform/db/database.ts';
import { inSlices } from '../../platform/in-slices.ts';
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
  const begun = await inSlices(listBegun(rotas, now));
  if (begun.length === 0) return;
  const [open, unconfirmed] = await Promise.all([
    countOpenAlarms(
      db,
      begun.map(({ rota }) => rota.id),
    ),
    selectUnconfirmed(db, new Date(now.getTime() - PATIENCE_MS), now),
  ]);
  const known = new Map(people.map((one) => [`${one.organizationId} ${one.accountId}`, one]));
  const personOf = (accountId: number, { organizationId }: StoredRota) =>
    known.get(`${organizationId} ${accountId}`);
  const administrators = groupBy(
    people.filter(({ isAdministrator }) => isAdministrator),
    ({ organizationId }) => organizationId,
  );
  const waited = new Set(unconfirmed.map(({ accountId, about }) => `${accountId} ${about}`));
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
      .filter(({ about, accountId }) => waited.has(`${accountId} ${about}`))
      .flatMap((shift) => {
        const before = shift.before === null ? undefined : personOf(shift.before, shift.rota);
        const told = administrators.get(shift.rota.organizationId) ?? [];
        const name = personOf(shift.accountId, shift.rota)?.name ?? null;
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

function* listBegun(rotas: readonly StoredRota[], now: Date): Generator<void, BegunShift[]> {
  const since = new Date(now.getTime() - BEHIND_MS);
  const until = new Date(now.getTime() + AHEAD_MS);
  const begun: BegunShift[] = [];
  for (const rota of rotas) {
    const duty = findBegunDuty(toRota(rota), { since, now, until });
    if (duty) {
      const about = `${rota.id} ${duty.startAt.toISOString()}`;
      begun.push({ ...duty, rota, accountId: duty.accountId as AccountId, about });
    }
    yield;
  }
  return begun;
}

function announce({ rota, about, endAt }: BegunShift, person: Person, open: number): NewReminder {
  const { say } = person.language;
  return {
    ...pick(person),
    kind: 'shift',
    about,
    words: {
      // For translators: {rota} is the name of a plan of who is on call when
      subject: say('You are on call: {rota}', { rota: rota.name }),
      lines: [
        say('You are on call in {rota} until {time}.', { rota: rota.name, time: sayTime(endAt, person) }),
        open === 0
          ? say('No alarm is open.')
          : say('Open alarms: {open}. You are notified of each of them.', { open }),
      ],
      button: say('I have it'),
    },
  };
}

function complain({ rota, about, startAt }: BegunShift, name: string | null, person: Person): NewReminder {
  const { say } = person.language;
  const facts = { name: name ?? say('Somebody'), rota: rota.name };
  return {
    ...pick(person),
    kind: 'unconfirmed',
    about,
    words: {
      subject: say('{name} has not confirmed the shift: {rota}', facts),
      lines: [
        say(
          'The shift of {name} in {rota} began at {time}, and the message about it was not confirmed within 30 minutes.',
          { ...facts, time: sayTime(startAt, person) },
        ),
        say('Alarms go to the person on call all the same. Call them, or take over.'),
      ],
      button: say('Who is on call'),
      path: '/on-call',
    },
  };
}

const pick = ({
  accountId,
  organizationId,
  language,
}: Person): Pick<Person, 'accountId' | 'organizationId' | 'language'> => ({
  accountId,
  organizationId,
  language,
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
