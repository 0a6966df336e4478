// While many write, on connections of their own, two programs are asked for the alarms list by scripts that send the tag
// they know. Each transaction writes its number into everything an entry is made of: an answer has to show one and the same
// number everywhere, and none that is older than what was committed before it was asked for.
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import type { Database } from '../../src/platform/db/database.ts';
import { createFreezer, type Freezer, setAlarm } from '../support/equipment.ts';
import { invitePeople } from '../support/people.ts';
import { cloneDatabase, openBeside } from '../support/test-database.ts';
import { startServerOn, type TestServer } from '../support/test-server.ts';

const WRITERS = 4;
const POLLERS = 3;
const TRANSACTIONS = 60;

interface Entry {
  service_id: number;
  service_name: string;
  location_name: string;
  channel_label: string;
  message: string;
  acknowledged_by: string | null;
}

/** A writer and what is its own: of its freezers the list shows one, or with every third number both. */
interface Writer {
  freezers: [Freezer, Freezer];
  committed: number;
  begun: number;
}

test('every answer is of one moment, and of none before it was asked for', async () => {
  const own = await cloneDatabase();
  const programs = [await startServerOn(own.db), await startServerOn(openBeside(own, {}))] as const;
  const [server] = programs;
  const people = await invitePeople(server);
  const writers: Writer[] = [];
  for (let index = 0; index < WRITERS; index += 1) {
    const make = (nth: number) =>
      createFreezer(server, people, { name: 'is 0', label: 'is 0', location: `${index}.${nth} is 0` });
    const freezers: Writer['freezers'] = [await make(0), await make(1)];
    for (const freezer of freezers)
      await setAlarm(server, freezer, { severity: 'critical', message: 'is 0' });
    writers.push({ freezers, committed: 0, begun: 0 });
  }
  let isOver = false;
  let unchanged = 0;
  let asked = 0;

  const keepWriting = async (writer: Writer) => {
    const db = openBeside(own, { max: 1 });
    for (let number = 1; number <= TRANSACTIONS; number += 1) {
      writer.begun = number;
      await writeNumber(db, writer, number, server.clock.read());
      writer.committed = number;
    }
  };

  const keepAsking = async ({ url }: TestServer) => {
    const authorization = `Bearer ${await people.vera.token()}`;
    let known = { tag: '', list: [] as Entry[] };
    while (!isOver) {
      const committed = writers.map((writer) => writer.committed);
      const answer = await fetch(`${url}/api/v1/alarms`, {
        headers: { authorization, 'if-none-match': known.tag },
      });
      const begun = writers.map((writer) => writer.begun);
      asked += 1;
      if (answer.status === 304) unchanged += 1;
      else known = { tag: answer.headers.get('etag') ?? '', list: (await answer.json()) as Entry[] };
      for (const [index, { freezers }] of writers.entries()) {
        const number = expectOneNumber(known.list, freezers);
        expect(number).toBeGreaterThanOrEqual(committed[index] ?? 0);
        expect(number).toBeLessThanOrEqual(begun[index] ?? 0);
      }
    }
  };

  const asking = programs.flatMap((program) => Array.from({ length: POLLERS }, () => keepAsking(program)));
  await Promise.all(writers.map(keepWriting)).finally(() => {
    isOver = true;
  });
  await Promise.all(asking);
  expect(asked).toBeGreaterThan(2 * POLLERS);

  isOver = false;
  unchanged = 0;
  const quiet = programs.map(keepAsking);
  await expect.poll(() => unchanged).toBeGreaterThan(3);
  isOver = true;
  await Promise.all(quiet);
});

/** In all rows of both freezers; the second one is in the list with every third number only. */
const writeNumber = (db: Database, { freezers }: Writer, number: number, now: Date) =>
  db.transaction(async (tx) => {
    const ids = freezers.map(({ id }) => id);
    const text = `is ${number}`;
    await tx.query(
      sql`select from alarm_state where service_id = any(${ids}::int[]) order by service_id for no key update`,
    );
    await tx.query(sql`update service set name = ${text} where id = any(${ids}::int[])`);
    await tx.query(sql`update channel set label = ${text} where service_id = any(${ids}::int[])`);
    await tx.query(sql`
      update location set name = split_part(location.name, ' ', 1) || ' ' || ${text}
      from asset join service on service.asset_id = asset.id
      where location.id = asset.location_id and service.id = any(${ids}::int[])`);
    await tx.query(sql`
      update acknowledgement set ended_at = ${now}, end_reason = 'removed'
      where service_id = any(${ids}::int[]) and ended_at is null`);
    if (number % 2 === 0)
      await tx.query(sql`
        insert into acknowledgement (service_id, episode_id, severity, account_id, account_name, created_at)
        select service_id, 1, 'CRITICAL', 1, ${text}, ${now} from alarm_state where service_id = any(${ids}::int[])`);
    const [shown, sometimes] = freezers;
    await tx.query(sql`update alarm_state set message = ${text} where service_id = ${shown.id}`);
    await tx.query(sql`delete from downtime where service_id = ${sometimes.id}`);
    if (number % 3 !== 0)
      await tx.query(sql`
        insert into downtime (service_id, start_at, end_at, reason, created_by_id, created_by_name, created_at)
        values (${sometimes.id}, ${now}, ${new Date(now.getTime() + 60_000)}, 'Defrost', 1, 'Oscar', ${now})`);
  });

function expectOneNumber(list: Entry[], [shown, sometimes]: Writer['freezers']): number {
  const of = ({ id }: Freezer) => list.find((entry) => entry.service_id === id);
  const entry = of(shown);
  const number = Number(entry?.message.slice(3));
  const text = `is ${number}`;
  const acknowledged = number > 0 && number % 2 === 0 ? text : null;
  const expected = {
    service_name: text,
    location_name: expect.stringMatching(new RegExp(` ${text}$`)),
    channel_label: text,
    acknowledged_by: acknowledged,
  };
  expect(entry).toMatchObject(expected);
  if (number % 3 === 0) expect(of(sometimes)).toMatchObject(expected);
  else expect(of(sometimes)).toBeUndefined();
  return number;
}
