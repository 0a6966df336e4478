// Several units of a room in alarm: whose turn it is, and no rack is promised twice.
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { type DeliveryDesk, openDeliveryDesk, type ToldFreezer } from '../support/delivery-desk.ts';
import { minutes } from '../support/movable-clock.ts';
import { textOf } from '../support/page.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { signedIn, type VisitorBrowser } from '../support/visitor.ts';

let server: TestServer;
let desk: DeliveryDesk;
let one: ToldFreezer;
let other: ToldFreezer;
let elsewhere: ToldFreezer;
let refuge: ToldFreezer;
let oscar: VisitorBrowser;

beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  desk = await openDeliveryDesk(server);
  [one, other, elsewhere, refuge] = (await desk.freezers(4)) as [
    ToldFreezer,
    ToldFreezer,
    ToldFreezer,
    ToldFreezer,
  ];
  for (const unit of [one, other, elsewhere, refuge]) await unit.cools();
  const inside = { temperature_class: 'ultra_low', racks: 6 };
  await desk.lab.organizationEntry({
    services: [
      { name: one.name, location: 'Room 1', rescue: { ...inside, rescue_order: 2 } },
      { name: other.name, location: 'Room 1', rescue: { ...inside, rescue_order: 1 } },
      { name: elsewhere.name, location: 'Room 2', rescue: { ...inside, rescue_order: 3 } },
      { name: refuge.name, location: 'Room 2', rescue: { temperature_class: 'ultra_low', free_racks: 10 } },
    ],
  });
  server.clock.advance(minutes(1));
  oscar = await signedIn(server, desk.lab.oscar);
});

const unitPage = async ({ id }: ToldFreezer) => textOf(await oscar.read(`/services/${id}`));
const plan = async ({ id }: ToldFreezer) => textOf(await oscar.read(`/alarms/${id}/rescue`));
const row = async ({ id }: ToldFreezer) => {
  const page = await oscar.read('/');
  return textOf(page.slice(page.indexOf(`id="alarm-${id}"`)).split('</tr>')[0] ?? '');
};
const FIRST = 'Number 1 of 2 to be emptied here: it goes first.';
const second = () => `Number 2 of 2 to be emptied here, after ${other.name}.`;

test('pages, the list and the mail say whose turn it is, and the first has the room', async () => {
  await desk.warmAll([one, other]);
  for (const look of [unitPage, plan, row]) {
    expect(await look(other)).toContain(FIRST);
    expect(await look(one)).toContain(second());
  }
  expect(await unitPage(other)).toContain(`Nearest free: ${refuge.name}, Room 2, 10 racks free`);
  expect(await unitPage(one)).toContain('What has room for it is needed by those whose turn comes before.');
  const page = await plan(one);
  expect(page).toContain('Left to those whose turn comes before');
  expect(page).toContain('Reserve 6 racks');
  await desk.strike();
  await desk.strike(3_000);
  const rescues = desk.postbox.arrivals.flatMap(({ letter }) =>
    letter.notices.map(({ serviceId, rescue }) => [serviceId, rescue[0]]),
  );
  expect(new Map(rescues as [number, string][])).toEqual(
    new Map([
      [other.id, FIRST],
      [one.id, second()],
    ]),
  );
});

test('who waits alone, in another room or has a place already, has no turn', async () => {
  await desk.warmAll([other, elsewhere]);
  expect(await unitPage(other)).not.toContain('to be emptied here');
  await one.warms();
  expect(await unitPage(one)).toContain(second());
  await oscar.send(`/alarms/${other.id}/reserve-refuge`, { refuge: String(refuge.id) });
  expect(await unitPage(one)).not.toContain('to be emptied here');
  expect(await row(one)).not.toContain('to be emptied here');
});

test('with room for both the second is offered what is left', async () => {
  await desk.lab.organizationEntry({ services: [{ name: refuge.name, rescue: { free_racks: 13 } }] });
  await desk.warmAll([one, other]);
  expect(await unitPage(one)).toContain(`Nearest free: ${refuge.name}, Room 2, 7 racks free`);
});

test('units of other organizations have turns of their own', async () => {
  const theirs = await openDeliveryDesk(server);
  const freezer = await theirs.freezer();
  await freezer.cools();
  await theirs.lab.organizationEntry({
    services: [
      {
        name: freezer.name,
        location: 'Room 1',
        rescue: { temperature_class: 'ultra_low', racks: 1, rescue_order: 0 },
      },
    ],
  });
  server.clock.advance(minutes(1));
  await freezer.warms();
  await desk.warmAll([one, other]);
  expect(await unitPage(other)).toContain(FIRST);
});
