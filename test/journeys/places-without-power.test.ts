// Who would go where if a place had no power.
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { type DeliveryDesk, openDeliveryDesk, type ToldFreezer } from '../support/delivery-desk.ts';
import { minutes } from '../support/movable-clock.ts';
import { textOf } from '../support/page.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { signedIn, type VisitorBrowser } from '../support/visitor.ts';

let server: TestServer;
let desk: DeliveryDesk;
let units: ToldFreezer[];
let vera: VisitorBrowser;

beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  desk = await openDeliveryDesk(server);
  units = await desk.freezers(5);
  for (const unit of units) await unit.cools();
  const entry = (index: number, location: string, rescue: object) => ({
    name: units[index]?.name,
    location,
    rescue: { temperature_class: 'ultra_low', ...rescue },
  });
  await desk.lab.organizationEntry({
    services: [
      entry(0, 'House 2 / Floor 1 / Room 1', { racks: 6, rescue_order: 2 }),
      entry(1, 'House 2 / Floor 1 / Room 2', { racks: 6, rescue_order: 1, free_racks: 50 }),
      entry(2, 'House 2 / Floor 2', { racks: 9, rescue_order: 3 }),
      entry(3, 'House 2 / Floor 2', { free_racks: 7, racks: 0 }),
      entry(4, 'Shed', { free_racks: 12, racks: 0 }),
    ],
  });
  server.clock.advance(minutes(1));
  vera = await signedIn(server, desk.lab.vera);
});

const nameOf = (index: number) => units[index]?.name ?? '';
const lines = async (location: string) => {
  const answer = await vera.open(`/rescue/drill.csv?location=${encodeURIComponent(location)}`);
  const [, ...rows] = (await answer.text()).trim().split('\r\n');
  return rows.map((row) => row.split(',')).map((cells) => [cells[2], Number(cells[5]), cells[9] ?? '']);
};

test('a floor goes to refuges outside of it, in the order of rescue, each rack once', async () => {
  expect(await lines('/house 2/floor 1')).toEqual([
    [nameOf(1), 6, nameOf(3)],
    [nameOf(0), 6, nameOf(4)],
  ]);
  const page = textOf(await vera.read('/rescue/drill?location=/house%202/floor%201'));
  expect(page).toContain('Who would go where: House 2 / Floor 1');
  expect(page).toContain('2 units with 12 racks, as it stands');
  expect(page).toContain('There is room for all of it.');
});

test('a building has less room outside of it, and what is missing is counted by class', async () => {
  expect(await lines('/house 2')).toEqual([
    [nameOf(1), 6, nameOf(4)],
    [nameOf(0), 6, nameOf(4)],
    [nameOf(2), 9, ''],
  ]);
  const page = textOf(await vera.read('/rescue/drill?location=/house%202'));
  expect(page).toContain('Places that are missing −80 °C: 9 racks of 1 unit');
  expect(page).toContain('No room');
});

test('one room by its number, and units of which nothing is said', async () => {
  const [room] = await server.db.query<{ id: number }>(sql`
    select location.id from location where organization_id = ${desk.lab.organization} and name = 'House 2 / Floor 2'`);
  await desk.lab.organizationEntry({ services: [{ name: 'Stray', location: 'House 2 / Floor 2' }] });
  const page = textOf(await vera.read(`/rescue/drill?location=${room?.id}`));
  expect(page).toContain('Of 1 unit there nobody has said how cold it has to be');
  expect(await lines(String(room?.id))).toEqual([[nameOf(2), 9, nameOf(1)]]);
});

test('what is not well, reserved or gone already does not count', async () => {
  await desk.lab.oscar.post(`/api/v1/services/${units[4]?.id}/mute`, {});
  await units[3]?.warms();
  expect((await lines('/house 2/floor 1')).map(([, , refuge]) => refuge)).toEqual(['', '']);
});

test('places and refuges of other organizations are not there', async () => {
  const other = await openDeliveryDesk(server);
  const ida = await signedIn(server, other.lab.ada);
  const foreign = `/rescue/drill?organization=${desk.lab.organization}&location=/house%202`;
  expect((await ida.open(foreign)).status).toBe(404);
  expect((await ida.open(foreign.replace('drill', 'drill.csv'))).status).toBe(404);
  expect((await ida.open('/rescue/drill?location=/house%202')).status).toBe(422);
  expect(textOf(await vera.read('/rescue/drill?location=/house%202'))).toContain(nameOf(1));
});

test('the unit and its floor lead there', async () => {
  expect(await vera.read(`/services/${units[0]?.id}/rescue`)).toContain('/rescue/drill?organization=');
});

test('a drill is kept with what it came to, and stands in the report of its year', async () => {
  const oscar = await signedIn(server, desk.lab.oscar);
  const keep = async (who: VisitorBrowser, form: Record<string, string>) =>
    (await who.send('/rescue/drills', { location: '/house 2', ...form })).headers.get('location') ?? '';
  const held_on = server.clock.read().toISOString().slice(0, 10);
  const year = held_on.slice(0, 4);
  expect(textOf(await vera.read('/rescue/drill?location=/house%202'))).not.toContain('Keep this drill');
  expect(await keep(vera, { held_on })).toContain('refused=viewer_only');
  expect(await keep(oscar, { held_on: '2999-01-01' })).toContain('refused=no_drill_day');
  expect(await keep(oscar, { held_on, remarks: 'x'.repeat(2001) })).toContain('refused=remarks_too_long');
  const where = await keep(oscar, { held_on, remarks: '=Dry ice came "late"' });
  expect(where).toContain(`year=${year}&done=keep-drill`);
  const report = textOf(await vera.read(where));
  expect(report).toContain('The drill is kept.');
  expect(report).toContain(`House 2 ${held_on} Oscar 21 3 units −80 °C: 9 racks of 1 unit`);
  expect(report).not.toContain('Places without a drill');
  const csv = await (await vera.open(`/rescue/drills.csv?year=${year}`)).text();
  expect(csv.split('\r\n').slice(0, 2)).toEqual([
    'place,held_on,by,units,racks,units_without_class,missing_nitrogen,missing_ultra_low,missing_freezer,missing_fridge,missing_incubator,remarks',
    `House 2,${held_on},Oscar,3,21,0,0,9,0,0,0,"'=Dry ice came ""late"""`,
  ]);
  const before = textOf(await vera.read(`/rescue/drills?year=${Number(year) - 1}`));
  expect(before).toContain('No drill was held.');
  expect(before).toContain('Places without a drill House 2 / Floor 1 / Room 1');
  const [record] = await server.db.query<{ detail: unknown }>(
    sql`select detail from audit where action = 'rescue.drill' and organization_id = ${desk.lab.organization}`,
  );
  expect(record?.detail).toMatchObject({ name: 'House 2', held_on, units: 3, racks: 21 });
  const other = await openDeliveryDesk(server);
  const ida = await signedIn(server, other.lab.ada);
  expect((await ida.open(`/rescue/drills?organization=${desk.lab.organization}`)).status).toBe(404);
  expect(await keep(ida, { organization: String(desk.lab.organization), held_on })).toBe('');
  expect(textOf(await ida.read('/rescue/drills'))).toContain('No drill was held.');
});
