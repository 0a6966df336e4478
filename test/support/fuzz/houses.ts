// Two organizations with one of everything. What belongs to one carries its mark, and its ids lie in a range of their own,
// so that whatever an answer lets out can be told.
import sql from 'sql-template-tag';
import { type Lab, openLab } from '../lab.ts';
import { hours } from '../movable-clock.ts';
import type { TestServer } from '../test-server.ts';

export interface House {
  lab: Lab;
  mark: string;
  /** What stands for `@own name` in a move. */
  names: Record<string, string>;
}

/** Of the house that others must never hear of. */
const HIDDEN = { from: 77_000_000, to: 78_000_000 };

/** An id of the hidden house, standing alone: no part of another number or of a key. */
export const HIDDEN_ID = /(?<![\da-z.])77\d{6}(?![\da-z])/gi;

export async function openHiddenHouse(server: TestServer): Promise<House> {
  await moveIds(server, HIDDEN.from);
  const house = await openHouse(server, 'Zeisig');
  await moveIds(server, HIDDEN.to);
  return house;
}

/** New rows of every table have ids from there on, but episodes: programs take a stock of their ids, for whichever house. */
const moveIds = ({ db }: TestServer, from: number) =>
  db.query(sql`
    select setval(format('%I.%I', schemaname, sequencename)::regclass,
      ${from} + 10000 * row_number() over (order by sequencename))
    from pg_sequences where schemaname = 'public' and sequencename <> 'episode_id'`);

export async function openHouse(server: TestServer, mark: string): Promise<House> {
  const { db, clock } = server;
  const lab = await openLab(server);
  const device = `device-of-${lab.organization}`;
  const groupId = await lab.group({
    name: `Team ${mark}`,
    emails: [`team@${mark.toLowerCase()}.example`],
    webhooks: [{ kind: 'generic', url: `https://127.0.0.1:1/${mark}` }],
  });
  const serviceId = await lab.apply({
    name: `Freezer ${mark}`,
    asset: `Asset ${mark}`,
    location: `Room ${mark}`,
    device: { key: device },
    channels: [
      { name: 'temperature', label: `Temperature ${mark}`, unit: '°C', kind: 'metric' },
      { name: 'door', label: `Door ${mark}`, kind: 'state' },
    ],
    limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60 } } }],
    notifications: { group: `Team ${mark}`, send_critical: true },
  });
  await lab.post({ device, values: { temperature: -40, door: true } });
  await lab.post({ device: `unknown ${mark}`, values: { temperature: -40 } });
  await lab.oscar.post(`/api/v1/alarms/${serviceId}/acknowledge`, { comment: `Comment ${mark}` });
  await lab.oscar.post(`/api/v1/services/${serviceId}/mute`, { reason: `Reason ${mark}` });
  const now = clock.read();
  const [downtime] = await db.query<{ id: number }>(sql`
    insert into downtime (service_id, start_at, end_at, reason, created_by_id, created_by_name, created_at)
    values (${serviceId}, ${new Date(now.getTime() + hours(1))}, ${new Date(now.getTime() + hours(2))}, ${`Works ${mark}`},
      ${lab.oscar.id}, ${`Oscar ${mark}`}, ${now}) returning id`);
  await lab.ada.post(`/settings/groups/${groupId}/test`);
  await lab.tick();
  await db.query(sql`update organization set name = ${`Lab ${mark}`} where id = ${lab.organization}`);
  await db.query(sql`
    update account set name = name || ${` ${mark}`}
    where id in (select account_id from membership where organization_id = ${lab.organization})`);
  const [found] = await db.query<{
    deviceId: number;
    sourceId: number;
    assetId: number;
    locationId: number;
  }>(sql`
    select device.id as "deviceId", source.id as "sourceId", asset_id as "assetId", location_id as "locationId"
    from service join asset on asset.id = asset_id join device on device.service_id = service.id
    join source on source.organization_id = service.organization_id
    where service.id = ${serviceId}`);
  const names = {
    service_id: serviceId,
    group_id: groupId,
    account_id: lab.vera.id,
    downtime_id: downtime?.id,
    device_id: found?.deviceId,
    source_id: found?.sourceId,
    asset_id: found?.assetId,
    location_id: found?.locationId,
    organization_id: lab.organization,
    email: lab.oscar.email,
    device,
  };
  return {
    lab,
    mark,
    names: Object.fromEntries(Object.entries(names).map(([name, value]) => [name, String(value)])),
  };
}
