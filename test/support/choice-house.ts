// A furnished house in which every form stands on some page: a group with a step, a rota, a freezer in alarm, a device that
// waits.
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { type Try, tryChoices } from './choice-desk.ts';
import { type Freezer, type Lab, openLab } from './lab.ts';
import { HOT, watchedBy } from './notification-desk.ts';
import type { Choice } from './page-forms.ts';
import { startServer, type TestServer } from './test-server.ts';
import { signedIn, type VisitorBrowser } from './visitor.ts';

export interface ChoiceHouse {
  server: TestServer;
  lab: Lab;
  ada: VisitorBrowser;
  freezer: Freezer;
  groupId: number;
  /** Another one like the first. */
  addFreezer(): Promise<Freezer>;
  /** The page of one more device that nobody has adopted. */
  addDevice(): Promise<string>;
}

export async function openChoiceHouse(): Promise<ChoiceHouse> {
  const server = await startServer({ isPrivateWebhookAllowed: true });
  const lab = await openLab(server);
  const groupId = await lab.group({
    name: 'Cold team',
    accounts: [lab.oscar.email],
    steps: [{ step: 1, after_minutes: 10 }],
    webhooks: [{ kind: 'slack', url: 'https://hooks.example/T1' }],
  });
  const members = [lab.oscar.email, lab.ada.email];
  await lab.organizationEntry({
    rotas: [{ name: 'Nights', timezone: 'Europe/Berlin', handover: '08:00', members }],
  });
  const addFreezer = () =>
    lab.freezer({
      ...watchedBy('Cold team'),
      channels: [
        { name: 'temperature', kind: 'metric' },
        { name: 'setpoint', kind: 'setpoint' },
        { name: 'door', kind: 'state' },
      ],
    });
  let devices = 0;
  const addDevice = async () => {
    devices += 1;
    const device = `stranger-${devices}`;
    const values = { temperature: 4.5, humidity: 40, door: 0 };
    await lab.post([{ device, time: server.clock.read().getTime(), values }]);
    const [row] = await server.db.query<{ id: number }>(sql`
      select id from device where organization_id = ${lab.organization} and key = ${device}`);
    return `/settings/devices/${row?.id}`;
  };
  const freezer = await addFreezer();
  await freezer.reads(HOT);
  const ada = await signedIn(server, lab.ada);
  return { server, lab, ada, freezer, groupId, addFreezer, addDevice };
}

/** One of each shape: `UTC`, with a region, with two, with a sign in it. */
export const oneOfEachShape = (choices: readonly Choice[]): Choice[] => [
  ...new Map(choices.map((one) => [one.value.replaceAll(/[A-Za-z]+/g, 'a'), one])).values(),
];

/** By where a form leads and which of its fields it is: `/downtimes duration`. In brackets: a box. */
export type Tries = Record<string, Omit<Try, 'action' | 'field'>>;

/** A test for each. */
export function testChoices(house: () => ChoiceHouse, tries: Tries): void {
  test.each(Object.keys(tries))('%s', async (key) => {
    const [pattern = '', field = ''] = key.split(' ');
    const action = new RegExp(`^${pattern.replaceAll(':id', '\\d+')}(\\?|$)`);
    const { server, ada } = house();
    const one = { ...(tries[key] as Tries[string]), action, field };
    const { tried, failed } = await tryChoices({ db: server.db, browser: ada }, one);
    expect(failed).toEqual([]);
    expect(tried.length, 'there is something to choose').toBeGreaterThan(1);
  });
}
