// Where nobody is told yet, the forms of pages lead to a group that is told of everything. The interface saves what it is
// sent, as ever.
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createFreezer, type Freezer } from '../support/equipment.ts';
import { expectPage, textOf } from '../support/page.ts';
import { openSettingsDesk, recordsOf, type SettingsDesk } from '../support/settings-desk.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let desk: SettingsDesk;
let freezer: Freezer;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  desk = await openSettingsDesk(server);
  freezer = await createFreezer(server, desk.people, { name: 'ULT 3' });
});

const FLAGS = [
  'send_critical',
  'send_warning',
  'send_acknowledgements',
  'send_recoveries',
  'enable_system_notifications',
];

/** The fields as a browser would send them, with what is ticked. */
function readForm(html: string, action: RegExp): Record<string, string> {
  const form = [...html.matchAll(/<form[^>]*action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g)].find(
    ([, where = '']) => action.test(where),
  )?.[2];
  const fields: Record<string, string> = {};
  for (const [tag] of (form ?? '').matchAll(/<input[^>]*>/g)) {
    const name = /name="([^"]*)"/.exec(tag)?.[1];
    if (name && (!tag.includes('type="checkbox"') || / checked/.test(tag)))
      fields[name] = /value="([^"]*)"/.exec(tag)?.[1] ?? '';
  }
  for (const [, name = '', options = ''] of (form ?? '').matchAll(
    /<select[^>]*name="([^"]*)"[^>]*>([\s\S]*?)<\/select>/g,
  ))
    fields[name] =
      /<option[^>]*value="([^"]*)"[^>]* selected/.exec(options)?.[1] ??
      /<option[^>]* selected[^>]*value="([^"]*)"/.exec(options)?.[1] ??
      '';
  return fields;
}

const editForm = async () =>
  readForm(await expectPage(await desk.ada.open(`/services/${freezer.id}`), 200), /\/edit#edit$/);

const settingsOf = async (name: string) =>
  (
    await server.db.query<Record<string, unknown>>(sql`
      select notification_group.name as "group", send_critical, send_warning, send_acknowledgements, send_recoveries,
        enable_system_notifications, array(select email from notification_group_account
          join account on account.id = account_id where group_id = notification_group.id) as "people"
      from service join service_settings on service_id = service.id
      left join notification_group on notification_group.id = notification_group_id
      where service.organization_id = ${desk.organization} and service.name = ${name}`)
  )[0];
const ALL_TOLD = Object.fromEntries(FLAGS.map((flag) => [flag, true]));

const makeGroup = async (name: string) =>
  String(
    (
      await server.db.query<{ id: number }>(sql`
        insert into notification_group (organization_id, name, created_at)
        values (${desk.organization}, ${name}, ${server.clock.read()}) returning id`)
    )[0]?.id,
  );

describe('the edit form of a service', () => {
  test('where no group was chosen all five are ticked, and it says why', async () => {
    const form = await editForm();
    for (const flag of FLAGS) expect(form[flag], flag).toBe('on');
    expect(textOf(await (await desk.ada.open(`/services/${freezer.id}`)).text())).toContain(
      'Nobody was notified so far, so all of these are ticked.',
    );
    const notification_group_id = await makeGroup('Cold team');
    await desk.ada.send(`/services/${freezer.id}/edit`, { ...form, notification_group_id });
    expect(await settingsOf('ULT 3')).toMatchObject({ group: 'Cold team', ...ALL_TOLD });
  });

  test('what somebody chose stays as it is', async () => {
    const form = await editForm();
    const notification_group_id = await makeGroup('Cold team');
    const { send_warning: _, ...wanted } = form;
    await desk.ada.send(`/services/${freezer.id}/edit`, { ...wanted, notification_group_id });
    const again = await editForm();
    expect(again.send_warning).toBeUndefined();
    expect(again.send_critical).toBe('on');
    const none = Object.fromEntries(Object.entries(again).filter(([name]) => !FLAGS.includes(name)));
    await desk.ada.send(`/services/${freezer.id}/edit`, none);
    for (const flag of FLAGS) expect((await editForm())[flag], flag).toBeUndefined();
  });

  test('the interface saves an omitted flag off, as the contract says', async () => {
    const { people } = desk;
    const notification_group_id = await makeGroup('Cold team');
    const bands = { metric_channel: '', ch_high: '', cl_low: '', wh_high: '', wl_low: '' };
    await people.ada.post(`/api/v1/services/${freezer.id}/edit`, { ...bands, notification_group_id });
    expect(await settingsOf('ULT 3')).toMatchObject({
      group: 'Cold team',
      send_critical: false,
      send_recoveries: false,
    });
  });
});

describe('the form that adopts a device', () => {
  let device: string;
  beforeEach(async () => {
    await desk.sends('/settings/devices/add', { key: 'EM-320' });
    const [row] = await server.db.query<{ id: number }>(
      sql`select id from device where organization_id = ${desk.organization}`,
    );
    device = `/settings/devices/${row?.id}`;
  });
  const adoptionForm = async () =>
    readForm(
      await expectPage(await desk.ada.open(`${device}?organization=${desk.organization}`), 200),
      /\/new-service\?/,
    );
  const adopt = (form: Record<string, string>) => desk.sends(`${device}/new-service`, form);

  test('without any group proposes me, and makes a group of me alone', async () => {
    const form = await adoptionForm();
    expect(form.notification_group_id).toBe('me');
    expect((await adopt({ ...form, name: 'Freezer 1' })).status).toBe(303);
    expect(await settingsOf('Freezer 1')).toMatchObject({
      group: 'Ada',
      people: [desk.people.ada.email],
      ...ALL_TOLD,
    });
    const actions = (await recordsOf(server, desk.organization)).map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(['group.create', 'group.member.add', 'service.create']));
  });

  test('a group of that name is left alone', async () => {
    await makeGroup('Ada');
    await adopt({ name: 'Freezer 1', notification_group_id: 'me' });
    expect(await settingsOf('Freezer 1')).toMatchObject({ group: 'Ada 2', people: [desk.people.ada.email] });
  });

  test('refused, no group is left behind', async () => {
    await expectPage(await adopt({ name: 'ULT 3', notification_group_id: 'me' }), 422);
    expect(
      await server.db.query(sql`select from notification_group where organization_id = ${desk.organization}`),
    ).toEqual([]);
  });

  test('a group that is there is proposed; nobody stays a choice', async () => {
    const cold = await makeGroup('Cold team');
    const form = await adoptionForm();
    expect(form.notification_group_id).toBe(cold);
    await adopt({ ...form, name: 'Freezer 1' });
    expect(await settingsOf('Freezer 1')).toMatchObject({ group: 'Cold team', ...ALL_TOLD });
  });

  test('nobody is nobody', async () => {
    await adopt({ name: 'Freezer 1', notification_group_id: '' });
    expect(await settingsOf('Freezer 1')).toMatchObject({ group: null });
  });
});
