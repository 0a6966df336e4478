// Units that somebody chose beforehand come first, as long as they are fit.
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { type DeliveryDesk, openDeliveryDesk, type ToldFreezer } from '../support/delivery-desk.ts';
import { minutes } from '../support/movable-clock.ts';
import { textOf } from '../support/page.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { signedIn, type VisitorBrowser } from '../support/visitor.ts';

let server: TestServer;
let desk: DeliveryDesk;
let failing: ToldFreezer;
let roomy: ToldFreezer;
let preferred: ToldFreezer;
let ada: VisitorBrowser;

beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  desk = await openDeliveryDesk(server);
  [failing, roomy, preferred] = (await desk.freezers(3)) as [ToldFreezer, ToldFreezer, ToldFreezer];
  for (const unit of [failing, roomy, preferred]) await unit.cools();
  server.clock.advance(minutes(1));
  ada = await signedIn(server, desk.lab.ada);
  await says(failing, INSIDE);
  await says(roomy, { temperature_class: 'ultra_low', free_racks: '20' });
  await says(preferred, { temperature_class: 'ultra_low', free_racks: '10' });
});

const INSIDE = { temperature_class: 'ultra_low', racks: '6' };
const says = (unit: ToldFreezer, form: Record<string, string>, who = ada) =>
  who.send(`/services/${unit.id}/rescue`, form);
const nearest = async () => {
  const text = textOf(await ada.read(`/services/${failing.id}`));
  return /Nearest free: (.*?), \d+ racks/.exec(text)?.[1];
};
const chosen = async () =>
  (
    (await (await desk.lab.vera.get(`/api/v1/services/${failing.id}/rescue`)).json()) as Record<
      string,
      unknown
    >
  ).preferred_refuges;

test('chosen on its page they come first, as long as they are fit', async () => {
  await failing.warms();
  expect(await nearest()).toBe(roomy.name);
  await says(failing, { ...INSIDE, preferred_refuges_1: preferred.name });
  expect(await ada.read(`/services/${failing.id}/rescue`)).toContain(`value="${preferred.name}"`);
  expect(await nearest()).toBe(preferred.name);
  await desk.lab.oscar.post(`/api/v1/services/${preferred.id}/mute`, {});
  expect(await nearest()).toBe(roomy.name);
});

test('they are found among more than anybody looks at', async () => {
  const others = Array.from({ length: 210 }, (_, number) => ({
    name: `Other ${number}`,
    rescue: { temperature_class: 'ultra_low', free_racks: 100 },
  }));
  await desk.lab.organizationEntry({ services: others });
  await failing.warms();
  expect(await nearest()).toBeUndefined();
  await says(failing, { ...INSIDE, preferred_refuges_2: `#${preferred.id}` });
  expect(await nearest()).toBe(preferred.name);
});

test('one of another organization is no unit here, and a fault stands beside its field', async () => {
  const other = await openDeliveryDesk(server);
  const theirs = await other.freezer();
  for (const typed of [`#${theirs.id}`, 'Nowhere']) {
    const refused = await says(failing, {
      ...INSIDE,
      preferred_refuges_1: preferred.name,
      preferred_refuges_3: typed,
    });
    expect(refused.status).toBe(422);
    const page = await refused.text();
    expect(textOf(page)).toContain(`There is no unit “${typed}” here.`);
    expect(page).toMatch(
      /aria-invalid="true"[^>]*id="preferred_refuges_3"|id="preferred_refuges_3"[^>]*aria-invalid="true"/,
    );
  }
  expect(await chosen()).toEqual([]);
});

test('programs send numbers, and the order is theirs', async () => {
  const put = (preferred_refuges: string) =>
    desk.lab.ada.put(`/api/v1/services/${failing.id}/rescue`, { ...INSIDE, preferred_refuges });
  expect(await (await put(`${roomy.id}, ${preferred.id}`)).json()).toMatchObject({
    preferred_refuges: [roomy.id, preferred.id],
  });
  expect(await (await put(`${preferred.id},${roomy.id}`)).json()).toMatchObject({
    preferred_refuges: [preferred.id, roomy.id],
  });
  expect((await put('0')).status).toBe(422);
  expect((await put(String(failing.id))).status).toBe(422);
  expect(await (await put('')).json()).toMatchObject({ preferred_refuges: [] });
});

test('the lab file names them, those that are new in it as well, and says so once', async () => {
  const entry = (preferred_refuges: string[] | null) =>
    desk.lab.organizationEntry({
      services: [
        { name: failing.name, rescue: { preferred_refuges } },
        { name: 'Newcomer', rescue: { temperature_class: 'ultra_low', free_racks: 3 } },
      ],
    });
  await entry(['Newcomer', preferred.name]);
  expect(await chosen()).toEqual([expect.any(Number), preferred.id]);
  const shown = await ada.read(`/services/${failing.id}/rescue`);
  expect(shown).toContain('value="Newcomer"');
  await desk.lab.organizationEntry({ services: [{ name: failing.name, rescue: { racks: 7 } }] });
  expect(await chosen()).toHaveLength(2);
  await entry(null);
  expect(await chosen()).toEqual([]);
  await expect(entry(['Nowhere'])).rejects.toThrow('there is no service called');
});
