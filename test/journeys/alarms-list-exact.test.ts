// Two programs keep the alarms list ready on one database. Whatever changes, through one of them, by hand or by time
// alone, the very next answer of both says so; and says 304 when it has said it.
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Requester } from '../../src/domain/accounts/requester.ts';
import { forgetListChanges } from '../../src/engine/alarm-state/forget-list-changes.ts';
import { listAlarms } from '../../src/features/alarms/list-alarms.ts';
import { rememberLists } from '../../src/features/alarms/remember-lists.ts';
import type { Database, Tx } from '../../src/platform/db/database.ts';
import { archive, minutesAgo, setDowntime } from '../support/equipment.ts';
import { type Freezer, type Lab, openLab } from '../support/lab.ts';
import { minutes, seconds } from '../support/movable-clock.ts';
import type { Person } from '../support/people.ts';
import { cloneDatabase, openBeside } from '../support/test-database.ts';
import { startServerOn, type TestServer } from '../support/test-server.ts';

const ALARMS = '/api/v1/alarms';
const LIMITS = [
  { channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60 }, WARNING_HIGH: { limit: -65 } } },
];
const NORMAL = -80;
const WARNING = -62;
const CRITICAL = -50;

let one: TestServer;
let two: TestServer;
let lab: Lab;
let freezer: Freezer;
let other: Freezer;
beforeAll(async () => {
  const own = await cloneDatabase();
  one = await startServerOn(own.db);
  two = await startServerOn(openBeside(own, {}));
});
beforeEach(async () => {
  lab = await openLab(one);
  freezer = await lab.freezer({ limits: LIMITS, asset: 'ULT-1', location: 'Room 101' });
  other = await lab.freezer({ limits: LIMITS });
  await freezer.reads(WARNING);
  await other.reads(CRITICAL);
});

const advance = async (ms: number) => {
  two.clock.advance(ms);
  await lab.advance(ms);
};

type Entry = Record<string, unknown>;

/** Remembers what it was answered, like a script that polls. */
function openPoller({ url }: TestServer, person: Person) {
  let tag = '';
  let list: Entry[] = [];
  return async (): Promise<{ isNew: boolean; list: Entry[] }> => {
    const headers = { authorization: `Bearer ${await person.token()}`, 'if-none-match': tag };
    const answer = await fetch(url + ALARMS, { headers });
    expect([200, 304]).toContain(answer.status);
    if (answer.status === 304) return { isNew: false, list };
    tag = answer.headers.get('etag') ?? '';
    list = (await answer.json()) as Entry[];
    return { isNew: true, list };
  };
}

/** The list as it is read from all its rows. */
async function readAnew({ id, name }: Person): Promise<Entry[]> {
  const memberships = await one.db.query<Requester['memberships'][number]>(sql`
    select organization_id as "organizationId", name as "organizationName", role
    from membership join organization on organization.id = organization_id where account_id = ${id}`);
  const requester = { accountId: id, name, timezone: 'UTC', memberships, address: null, requestId: null };
  const listed = await listAlarms(one.db, requester, one.clock.read());
  const at = (date: Date | null | undefined) => date?.toISOString().replace('Z', '+00:00') ?? null;
  return (listed.ok ? listed.value : []).map((alarm) => ({
    id: alarm.serviceId,
    service_id: alarm.serviceId,
    service_name: alarm.serviceName,
    channel: alarm.channel,
    channel_label: alarm.channelLabel,
    location_name: alarm.locationName,
    severity: alarm.severity,
    message: alarm.message,
    triggered_at: at(alarm.triggeredAt),
    acknowledged: alarm.acknowledgement !== null,
    acknowledged_by: alarm.acknowledgement?.by ?? null,
    acknowledged_at: at(alarm.acknowledgement?.at),
    is_stale: alarm.staleSince !== null,
    last_telemetry_time: at(alarm.lastTelemetryAt),
    stale_since: at(alarm.staleSince),
    can_operate: alarm.canOperate,
  }));
}

/** A second later: of one moment a channel has one reading. */
const reads = (temperature: number) => async () => {
  await advance(seconds(1));
  await freezer.reads(temperature);
};
const setRole = (role: string) =>
  one.db.query(sql`update membership set role = ${role} where account_id = ${lab.vera.id}`);
const scheduleDowntime = (fromMinutes: number, untilMinutes: number) =>
  setDowntime(one, { id: freezer.id, name: '' }, minutes(fromMinutes), minutes(untilMinutes));
const acknowledge = () => lab.oscar.post(`${ALARMS}/${freezer.id}/acknowledge`);
const assetOf = () => sql`(select asset_id from service where id = ${freezer.id})`;
const locationOf = () => sql`(select location_id from asset where id = ${assetOf()})`;

type Act = () => Promise<unknown>;

/** What is done first, then what changes the list. */
const CHANGES: Record<string, [Act | null, Act]> = {
  'an alarm is raised': [reads(NORMAL), reads(WARNING)],
  'it recovers': [null, reads(NORMAL)],
  'it escalates': [null, reads(CRITICAL)],
  'a reading changes nothing but the time of the last one': [null, reads(WARNING)],
  'it goes stale as time passes': [null, () => advance(minutes(60))],
  'a reading ends that it is stale': [() => advance(minutes(60)), reads(WARNING)],
  'it is acknowledged': [null, acknowledge],
  'the acknowledgement is removed': [
    acknowledge,
    () => lab.oscar.post(`${ALARMS}/${freezer.id}/unacknowledge`),
  ],
  'of two acknowledgements of one transaction the newer one is ended by hand': [
    () =>
      one.db.query(sql`
        insert into acknowledgement (service_id, episode_id, severity, account_id, account_name, created_at)
        values (${freezer.id}, 1, 'WARNING', 1, 'Oscar', ${one.clock.read()}),
          (${freezer.id}, 1, 'CRITICAL', 2, 'Ada', ${one.clock.read()})`),
    () =>
      one.db.query(sql`
        update acknowledgement set ended_at = ${one.clock.read()}, end_reason = 'removed'
        where service_id = ${freezer.id} and account_name = 'Ada'`),
  ],
  'a downtime is scheduled that runs': [null, () => scheduleDowntime(-1, 10)],
  'a downtime begins as time passes': [() => scheduleDowntime(1, 10), () => advance(minutes(1))],
  'a downtime ends as time passes': [() => scheduleDowntime(-1, 1), () => advance(minutes(1))],
  'a downtime begins to which another one led': [
    async () => {
      await scheduleDowntime(-1, 1);
      await scheduleDowntime(2, 3);
      await advance(minutes(1));
    },
    () => advance(minutes(1)),
  ],
  'the clock is set back into a downtime': [
    async () => {
      await scheduleDowntime(0, 1);
      await advance(minutes(1));
    },
    () => advance(minutes(-1)),
  ],
  'a downtime is cancelled': [
    () => scheduleDowntime(-1, 10),
    async () => {
      const [downtime] = (await (await lab.vera.get('/api/v1/downtimes')).json()) as [{ id: number }];
      await lab.oscar.delete(`/api/v1/downtimes/${downtime.id}`);
    },
  ],
  'a downtime that runs is made shorter by hand': [
    () => scheduleDowntime(-1, 10),
    () =>
      one.db.query(sql`update downtime set end_at = ${one.clock.read()} where service_id = ${freezer.id}`),
  ],
  'the service is renamed': [
    null,
    () => one.db.query(sql`update service set name = 'Old freezer' where id = ${freezer.id}`),
  ],
  'its place is renamed': [
    null,
    () => one.db.query(sql`update location set name = 'Room 102' where id = ${locationOf()}`),
  ],
  'its place is gone': [null, () => one.db.query(sql`delete from location where id = ${locationOf()}`)],
  'its asset is moved': [
    null,
    () =>
      one.db.query(sql`
        with place as (
          insert into location (organization_id, name) values (${lab.organization}, 'Cellar') returning id)
        update asset set location_id = (select id from place) where id = ${assetOf()}`),
  ],
  'its asset is gone': [null, () => one.db.query(sql`delete from asset where id = ${assetOf()}`)],
  'its channel gets another label': [
    null,
    () => one.db.query(sql`update channel set label = 'Inside' where service_id = ${freezer.id}`),
  ],
  'it is archived': [null, () => archive(one, { id: freezer.id, name: '' })],
  'it is restored by hand with its alarm': [
    () => one.db.query(sql`update service set archived_at = ${minutesAgo(one, 1)} where id = ${freezer.id}`),
    () => one.db.query(sql`update service set archived_at = null where id = ${freezer.id}`),
  ],
  'several change in one transaction': [
    acknowledge,
    () =>
      one.db.transaction(async (tx) => {
        await tx.query(sql`update acknowledgement set account_name = 'Ada' where service_id = ${freezer.id}`);
        await tx.query(
          sql`update service set name = name || '!' where organization_id = ${lab.organization}`,
        );
      }),
  ],
  'the viewer becomes an operator': [null, () => setRole('operator')],
  'the operator becomes a viewer': [() => setRole('operator'), () => setRole('viewer')],
  'the membership ends': [
    null,
    () => one.db.query(sql`delete from membership where account_id = ${lab.vera.id}`),
  ],
  'the viewer changes to another organization, with alarms of its own': [
    null,
    async () => {
      const elsewhere = await openLab(one);
      await (await elsewhere.freezer({ limits: LIMITS })).reads(CRITICAL);
      await one.db.query(
        sql`update membership set organization_id = ${elsewhere.organization} where account_id = ${lab.vera.id}`,
      );
    },
  ],
  'the viewer becomes an operator in another organization as well': [
    null,
    async () => {
      const elsewhere = await openLab(one);
      await (await elsewhere.freezer({ limits: LIMITS })).reads(CRITICAL);
      await one.db.query(sql`
        insert into membership (account_id, organization_id, role, created_at)
        values (${lab.vera.id}, ${elsewhere.organization}, 'operator', ${one.clock.read()})`);
    },
  ],
};

test.each(Object.entries(CHANGES))('%s', async (_, [before, change]) => {
  await before?.();
  const pollers = [openPoller(one, lab.vera), openPoller(two, lab.vera)];
  for (const poll of pollers)
    expect(await poll()).toMatchObject({ isNew: true, list: await readAnew(lab.vera) });
  for (const poll of pollers) expect((await poll()).isNew).toBe(false);

  await change();
  const list = await readAnew(lab.vera);
  for (const poll of pollers) expect(await poll()).toEqual({ isNew: true, list });
  for (const poll of pollers) expect(await poll()).toEqual({ isNew: false, list });
});

test('what the list does not show does not change it: mutes, readings of others, other organizations', async () => {
  const pollers = [openPoller(one, lab.vera), openPoller(two, lab.vera)];
  for (const poll of pollers) await poll();
  const calm = await lab.freezer({ limits: LIMITS });
  const elsewhere = await openLab(one);
  const acts: Act[] = [
    () => lab.oscar.post(`/api/v1/services/${freezer.id}/mute`),
    () => lab.oscar.post(`/api/v1/services/${freezer.id}/unmute`),
    () => calm.reads(NORMAL),
    () => one.db.query(sql`update organization set name = name || '!' where id = ${lab.organization}`),
    async () => (await elsewhere.freezer({ limits: LIMITS })).reads(CRITICAL),
  ];
  for (const act of acts) {
    await act();
    for (const poll of pollers)
      expect(await poll()).toEqual({ isNew: false, list: await readAnew(lab.vera) });
  }
});

test('programs answer with the same tag, and a change that is taken back brings the old one back', async () => {
  const tagOf = async ({ url }: TestServer) => {
    const headers = { authorization: `Bearer ${await lab.vera.token()}` };
    return (await fetch(url + ALARMS, { headers })).headers.get('etag');
  };
  const tag = await tagOf(one);
  expect(await tagOf(two)).toBe(tag);
  await setRole('operator');
  expect(await tagOf(two)).not.toBe(tag);
  await setRole('viewer');
  expect(await tagOf(two)).toBe(tag);
});

test('a transaction that began first and ends last is seen, one that is taken back is not', async () => {
  const rename = (tx: Tx, name: string) =>
    tx.query(sql`update service set name = ${name} where id = ${freezer.id}`);
  const relabel = (tx: Tx, label: string) =>
    tx.query(sql`update channel set label = ${label} where service_id = ${other.id}`);
  const pollers = [openPoller(one, lab.vera), openPoller(two, lab.vera)];
  const expectAll = async (isNew: boolean) => {
    const list = await readAnew(lab.vera);
    for (const poll of pollers) expect(await poll()).toEqual({ isNew, list });
  };
  await expectAll(true);
  await one.db.transaction(async (first) => {
    await rename(first, 'Renamed first');
    await one.db.transaction((second) => relabel(second, 'Inside'));
    await expectAll(true);
    await expectAll(false);
  });
  await expectAll(true);
  const failing = one.db.transaction(async (tx) => {
    await rename(tx, 'Never');
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  await expectAll(false);
});

test('a change of many rows is one note for each organization', async () => {
  await lab.freezer({ limits: LIMITS });
  const labels = Array.from({ length: 40 }, (_, index) => `label ${index}`);
  await one.db.query(sql`
    insert into channel (service_id, name, kind, created_at)
    select id, label, 'metric', ${one.clock.read()} from service, unnest(${labels}::text[]) as label
    where organization_id = ${lab.organization}`);
  await one.db.query(sql`update channel set label = name where service_id = -1`);
  const notes = await one.db.query<{ services: number }>(sql`
    select cardinality(service_ids) as "services" from alarm_list_change
    where organization_id = ${lab.organization} and xmin = (
      select channel.xmin from channel join service on service.id = service_id
      where organization_id = ${lab.organization} and channel.name = 'label 1' limit 1)`);
  expect(notes).toEqual([{ services: 3 }]);
});

test('notes of changes are cleared away, and nobody misses what they said', async () => {
  const pollers = [openPoller(one, lab.vera), openPoller(two, lab.vera)];
  for (const poll of pollers) await poll();
  for (let turn = 0; turn <= 100; turn += 1)
    await one.db.query(sql`update service set name = ${`Freezer of turn ${turn}`} where id = ${freezer.id}`);
  await forgetListChanges(one.db);
  const [kept] = await one.db.query<{ count: number }>(sql`
    select count(*)::int as "count" from alarm_list_change where organization_id = ${lab.organization}`);
  expect(kept).toEqual({ count: 1 });
  const list = await readAnew(lab.vera);
  for (const poll of pollers) expect(await poll()).toEqual({ isNew: true, list });
});

test('of a list that changed, only that is read anew', async () => {
  let read = 0;
  const counting: Database = {
    ...one.db,
    transaction: (work, access) =>
      one.db.transaction(
        (tx) =>
          work({
            ...tx,
            async queryAll(statements) {
              const rows = await tx.queryAll(statements);
              if ('records' in rows) read += (rows.records as unknown[]).length;
              return rows;
            },
          }),
        access,
      ),
  };
  const readList = rememberLists(counting);
  const reader = {
    memberships: [{ organizationId: lab.organization, organizationName: '', role: 'viewer' as const }],
  };
  await readList(reader, one.clock.read());
  expect(read).toBe(2);
  await readList(reader, one.clock.read());
  expect(read).toBe(2);
  await acknowledge();
  await readList(reader, one.clock.read());
  expect(read).toBe(3);
});

test('without room to remember anything the answers are the same', async () => {
  const readList = rememberLists(one.db, 0);
  const memberships = [{ organizationId: lab.organization, organizationName: '', role: 'viewer' as const }];
  const list = await readAnew(lab.vera);
  for (let turn = 0; turn < 2; turn += 1)
    expect(JSON.parse(String((await readList({ memberships }, one.clock.read())).bytes))).toEqual(list);
});
