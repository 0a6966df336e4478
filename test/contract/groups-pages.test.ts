import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { createFreezer } from '../support/equipment.ts';
import { expectPage } from '../support/page.ts';
import { formTo } from '../support/page-forms.ts';
import { invitePeople, type People } from '../support/people.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { openVisitor, signedIn, type VisitorBrowser } from '../support/visitor.ts';

const GROUPS = '/settings/groups';

let server: TestServer;
let people: People;
let ada: VisitorBrowser;
beforeAll(async () => {
  server = await startServer();
  people = await invitePeople(server);
  ada = await signedIn(server, people.ada);
});

let made = 0;
async function makeGroup(who = ada, organization = people.organization): Promise<string> {
  made += 1;
  const form = { organization_id: String(organization), name: `Cold team ${made}` };
  const answer = await who.send(GROUPS, form);
  return (answer.headers.get('location') ?? '').replace('?done=created', '');
}

const idOf = (group: string) => Number(group.split('/').at(-1));

const recordsOf = (group: string) =>
  server.db.query<{ action: string; detail: object; accountName: string; organizationId: number }>(sql`
    select action, detail, account_name as "accountName", organization_id as "organizationId"
    from audit where detail->>'group' = ${String(idOf(group))} order by id`);

const change = async (group: string, verb: string, form: Record<string, string>) => {
  const answer = await ada.send(`${group}/${verb}`, form);
  expect(answer.status).toBe(303);
  expect(answer.headers.get('location')).toBe(`${group}?done=${verb}`);
  return ada.read(`${group}?done=${verb}`);
};

describe('who may see and change groups', () => {
  const PAGES = ['', '/delete'];
  const FORMS = [
    'rename',
    'delete',
    'test',
    'add-member',
    'remove-member',
    'add-email',
    'remove-email',
    'add-webhook',
    'remove-webhook',
    'disable-webhook',
    'enable-webhook',
  ];

  test.each(['vera', 'oscar', 'olga', 'nora'] as const)(
    '%s sees nothing of it and changes nothing',
    async (name) => {
      const group = await makeGroup();
      const who = await signedIn(server, people[name]);
      for (const page of PAGES) await expectPage(await who.open(group + page), 404);
      for (const verb of FORMS)
        await expectPage(await who.send(`${group}/${verb}`, { name: 'x', email: 'x@y.z' }), 404);
      const form = { organization_id: String(people.organization), name: `By ${name}` };
      await expectPage(await who.send(GROUPS, form), 404);
      expect((await recordsOf(group)).map(({ action }) => action)).toEqual(['group.create']);
    },
  );

  test('the list is for administrators, and of their own organizations', async () => {
    const group = await makeGroup();
    for (const name of ['vera', 'oscar', 'nora'] as const)
      await expectPage(await (await signedIn(server, people[name])).open(GROUPS), 404);
    expect(await expectPage(await ada.open(GROUPS), 200)).toContain(`<a href="${group}">`);
    const olga = await signedIn(server, people.olga);
    expect(await expectPage(await olga.open(GROUPS), 200)).not.toContain(`<a href="${group}">`);
  });

  test('without a session everything leads to the sign-in page', async () => {
    const group = await makeGroup();
    for (const page of PAGES) {
      const answer = await openVisitor(server).open(group + page);
      expect(answer.headers.get('location')).toBe(`/login?${new URLSearchParams({ next: group + page })}`);
    }
    for (const verb of FORMS) {
      const answer = await openVisitor(server).send(`${group}/${verb}`, { name: 'x' });
      expect(answer.headers.get('location')).toBe('/login');
    }
    expect(await recordsOf(group)).toHaveLength(1);
  });

  test('a form from another site changes nothing', async () => {
    const group = await makeGroup();
    for (const verb of FORMS) {
      const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
      await expectPage(await ada.send(`${group}/${verb}`, { name: 'Evil' }, headers), 403);
    }
    expect(await recordsOf(group)).toHaveLength(1);
  });

  test.each(['0', '-1', '1.5', 'x', '2147483648', '99999999999999999999', '2147483647', '%00', '1e3'])(
    'no group %s: the 404 page',
    async (id) => {
      await expectPage(await ada.open(`${GROUPS}/${id}`), 404);
      await expectPage(await ada.send(`${GROUPS}/${id}/rename`, { name: 'x' }), 404);
    },
  );
});

describe('create', () => {
  test('leads to the page of the new group, and is on record', async () => {
    const form = { organization_id: String(people.organization), name: '  Night <b>watch</b> ' };
    const answer = await ada.send(GROUPS, form);
    expect(answer.status).toBe(303);
    const group = (answer.headers.get('location') ?? '').replace('?done=created', '');
    const html = await expectPage(await ada.open(`${group}?done=created`), 200);
    expect(html).toContain('<h1>Night &lt;b>watch&lt;/b></h1>');
    expect(html).toContain('Now add who is to be notified.');
    expect(await recordsOf(group)).toEqual([
      {
        action: 'group.create',
        detail: { group: idOf(group), name: 'Night <b>watch</b>' },
        accountName: 'Ada',
        organizationId: people.organization,
      },
    ]);
  });

  test.each([
    ['', 'Give the group a name.'],
    ['   ', 'Give the group a name.'],
    ['x'.repeat(201), 'at most 200 characters'],
    ['Taken', 'has a group of that name already'],
  ])('the name %j is refused', async (name, words) => {
    await ada.send(GROUPS, { organization_id: String(people.organization), name: 'Taken' });
    const html = await expectPage(
      await ada.send(GROUPS, { organization_id: String(people.organization), name }),
      422,
    );
    expect(html).toContain(words);
    expect(html).toContain(name === '' ? 'value required' : `value="${name}"`);
    expect(html).toContain('aria-invalid="true"');
  });

  test.each(['', 'x', '0', '2147483648'])('organization %j: 404', async (organization_id) => {
    await expectPage(await ada.send(GROUPS, { organization_id, name: 'x' }), 404);
  });
});

describe('rename', () => {
  test('gives the new name, on record with the old one', async () => {
    const group = await makeGroup();
    const html = await change(group, 'rename', { name: `Warm team ${made}` });
    expect(html).toContain(`<h1>Warm team ${made}</h1>`);
    expect((await recordsOf(group)).at(-1)).toMatchObject({
      action: 'group.rename',
      detail: { name: `Warm team ${made}`, from: `Cold team ${made}` },
    });
  });

  test('the same name changes nothing', async () => {
    const group = await makeGroup();
    await change(group, 'rename', { name: `Cold team ${made}` });
    expect(await recordsOf(group)).toHaveLength(1);
  });

  test('a name that is taken is refused, another organization may have it', async () => {
    await makeGroup();
    const taken = `Cold team ${made}`;
    const group = await makeGroup();
    expect(await expectPage(await ada.send(`${group}/rename`, { name: taken }), 422)).toContain(
      'of that name already',
    );
    const olga = await signedIn(server, people.olga);
    const [elsewhere] = await server.db.query<{ id: number }>(sql`
      select organization_id as "id" from membership where account_id = ${people.olga.id}`);
    const answer = await olga.send(GROUPS, { organization_id: String(elsewhere?.id), name: taken });
    expect(answer.status).toBe(303);
  });
});

describe('people', () => {
  test('a member of the organization is added and removed, both on record', async () => {
    const group = await makeGroup();
    const form = { account_id: String(people.vera.id) };
    const added = await change(group, 'add-member', form);
    expect(added).toMatch(/aria-label="Remove Vera"/);
    expect(added).not.toContain(`<option value="${people.vera.id}">`);
    const removed = await change(group, 'remove-member', form);
    expect(removed).not.toContain('aria-label="Remove Vera"');
    await change(group, 'remove-member', form);
    expect((await recordsOf(group)).map(({ action }) => action)).toEqual([
      'group.create',
      'group.member.add',
      'group.member.remove',
    ]);
  });

  test.each(['olga', 'nora'] as const)('%s is no member of the organization', async (name) => {
    const group = await makeGroup();
    const form = { account_id: String(people[name].id) };
    expect(await expectPage(await ada.send(`${group}/add-member`, form), 422)).toContain(
      'Choose somebody from the list',
    );
    expect(await ada.read(group)).not.toContain(people[name].email);
  });

  test.each(['', 'x', '2147483648'])('account %j is refused', async (account_id) => {
    const group = await makeGroup();
    await expectPage(await ada.send(`${group}/add-member`, { account_id }), 422);
  });

  test('twice is refused', async () => {
    const group = await makeGroup();
    await change(group, 'add-member', { account_id: String(people.vera.id) });
    const answer = await ada.send(`${group}/add-member`, { account_id: String(people.vera.id) });
    expect(await expectPage(answer, 422)).toContain('in the group already');
  });
});

describe('email addresses', () => {
  test('normalised, added once, removed', async () => {
    const group = await makeGroup();
    const html = await change(group, 'add-email', { email: ' Cold@Lab.Example ' });
    expect(html).toContain('aria-label="Remove cold@lab.example"');
    const again = await ada.send(`${group}/add-email`, { email: 'cold@lab.example' });
    expect(await expectPage(again, 422)).toContain('This address is in the group already.');
    await change(group, 'remove-email', { email: 'cold@lab.example' });
    expect((await recordsOf(group)).map(({ action }) => action)).toEqual([
      'group.create',
      'group.email.add',
      'group.email.remove',
    ]);
  });

  test.each(['', 'cold', 'cold@', '@lab', 'a b@lab.example', 'a@b@c', 'a@lab.example\r\nBcc: x@y.z'])(
    '%j is refused',
    async (email) => {
      const group = await makeGroup();
      const html = await expectPage(await ada.send(`${group}/add-email`, { email }), 422);
      expect(html).toContain('This is not an email address.');
      expect(await recordsOf(group)).toHaveLength(1);
    },
  );

  test('an odd one is shown as it is, not carried out', async () => {
    const group = await makeGroup();
    const html = await change(group, 'add-email', { email: '"><b>@x' });
    expect(html).toContain('&quot;>&lt;b>@x');
    expect(html).not.toContain('<b>@x');
  });
});

describe('webhooks', () => {
  const slack = { kind: 'slack', url: 'https://hooks.slack.example/services/T000/B000/hush-hush-1234' };

  test('its address is a secret: neither page nor record shows it', async () => {
    const group = await makeGroup();
    const html = await change(group, 'add-webhook', slack);
    expect(html).toContain('Slack <code>https://hooks.slack.example/…1234</code>');
    expect(html).not.toContain('hush');
    const records = await recordsOf(group);
    expect(records.at(-1)).toMatchObject({
      action: 'group.webhook.add',
      detail: { kind: 'slack', host: 'hooks.slack.example' },
    });
    expect(JSON.stringify(records)).not.toContain('hush');
  });

  test('a generic one gets a secret, shown once', async () => {
    const group = await makeGroup();
    const form = { kind: 'generic', url: 'https://receiver.example/hook', secret: '' };
    const html = await expectPage(await ada.send(`${group}/add-webhook`, form), 200);
    const [stored] = await server.db.query<{ secret: string }>(sql`
      select secret from notification_group_webhook where group_id = ${idOf(group)}`);
    expect(stored?.secret).toMatch(/^whsec_/);
    expect(html).toContain(`<code>${stored?.secret}</code>`);
    expect(await ada.read(group)).not.toContain('whsec_');
    await expectPage(await ada.send(`${group}/add-webhook`, form), 422);
    expect(JSON.stringify(await recordsOf(group))).not.toContain('whsec_');
  });

  test('a secret of its own is kept and not shown', async () => {
    const group = await makeGroup();
    const form = { kind: 'pagerduty', url: 'https://events.pagerduty.com/v2/enqueue', secret: 'R0UT1NG' };
    const html = await change(group, 'add-webhook', form);
    expect(html).toContain('with a secret');
    expect(html).not.toContain('R0UT1NG');
  });

  test('what is wrong is said beside the field; the address stays, the secret does not', async () => {
    const group = await makeGroup();
    const form = { kind: 'ntfy', url: 'https://ada:hush@ntfy.example/x', secret: 'hush-2' };
    const html = await expectPage(await ada.send(`${group}/add-webhook`, form), 422);
    expect(html).toContain('Leave user and password out of the address');
    expect(html).toContain('<option value="ntfy" selected');
    expect(html).not.toContain('hush-2');
  });

  test('an address inside the network is refused with the setting that allows it', async () => {
    const group = await makeGroup();
    const form = { kind: 'slack', url: 'http://192.168.1.7/hook' };
    const html = await expectPage(await ada.send(`${group}/add-webhook`, form), 422);
    expect(html).toContain('TOCSIN_WEBHOOK_PRIVATE=true');
  });

  test('off and on again, by whom is shown; removed in the end', async () => {
    const group = await makeGroup();
    await change(group, 'add-webhook', slack);
    const [webhook] = await server.db.query<{ id: number }>(sql`
      select id from notification_group_webhook where group_id = ${idOf(group)}`);
    const form = { webhook_id: String(webhook?.id) };
    expect(await change(group, 'disable-webhook', form)).toContain('Switched off by Ada');
    expect(await change(group, 'enable-webhook', form)).not.toContain('Switched off by Ada');
    expect(await change(group, 'remove-webhook', form)).not.toContain('hooks.slack.example');
    expect((await recordsOf(group)).map(({ action }) => action)).toEqual([
      'group.create',
      'group.webhook.add',
      'group.webhook.disable',
      'group.webhook.enable',
      'group.webhook.remove',
    ]);
  });

  test('one that is gone says so', async () => {
    const group = await makeGroup();
    await change(group, 'add-webhook', slack);
    await server.db.query(sql`
      update notification_group_webhook set disabled_at = ${server.clock.read()} where group_id = ${idOf(group)}`);
    expect(await ada.read(group)).toContain('The receiver said that it is gone for good (410)');
  });

  test('a webhook of another group stays untouched', async () => {
    const [mine, other] = [await makeGroup(), await makeGroup()];
    await change(other, 'add-webhook', slack);
    const [webhook] = await server.db.query<{ id: number }>(sql`
      select id from notification_group_webhook where group_id = ${idOf(other)}`);
    await change(mine, 'remove-webhook', { webhook_id: String(webhook?.id) });
    expect(await ada.read(other)).toContain('hooks.slack.example');
    expect(await recordsOf(mine)).toHaveLength(1);
  });
});

describe('how long acknowledgements stand', () => {
  const shown = async (group: string) => formTo(await ada.read(group), /set-expiry/).untouched;
  const stored = async (group: string) =>
    (
      await server.db.query<{ minutes: number | null }>(sql`
        select acknowledged_minutes as "minutes" from notification_group where id = ${idOf(group)}`)
    )[0]?.minutes;

  test.each(['5', '61', '10080'])(
    '%s minutes are shown as that, and sent again stay that',
    async (minutes) => {
      const group = await makeGroup();
      await change(group, 'set-expiry', { acknowledged_minutes: minutes });
      expect(await shown(group)).toEqual({ acknowledged_minutes: minutes });
      await change(group, 'set-expiry', await shown(group));
      expect(await stored(group)).toBe(Number(minutes));
      await change(group, 'set-expiry', { acknowledged_minutes: '' });
      expect([await shown(group), await stored(group)]).toEqual([{ acknowledged_minutes: '' }, null]);
    },
  );

  test('is said in words, too', async () => {
    const group = await makeGroup();
    expect(await ada.read(group)).toContain('They stand until somebody takes them back.');
    expect(await change(group, 'set-expiry', { acknowledged_minutes: '5' })).toContain(
      'They stand for 5 min while the alarm goes on.',
    );
    expect(await change(group, 'set-expiry', { acknowledged_minutes: '1530' })).toContain(
      'They stand for 25 h 30 min while the alarm goes on.',
    );
  });

  test.each(['4', '10081', '7.5', 'x', '1e9', '-5'])(
    '%s is refused, and nothing changes',
    async (minutes) => {
      const group = await makeGroup();
      await change(group, 'set-expiry', { acknowledged_minutes: '60' });
      const html = await expectPage(
        await ada.send(`${group}/set-expiry`, { acknowledged_minutes: minutes }),
        422,
      );
      expect(html).toContain('Write whole minutes from 5 to 10080, or nothing.');
      expect(formTo(html, /set-expiry/).untouched).toEqual({ acknowledged_minutes: minutes });
      expect(await stored(group)).toBe(60);
    },
  );

  test('a form without it changes nothing', async () => {
    const group = await makeGroup();
    await change(group, 'set-expiry', { acknowledged_minutes: '60' });
    await expectPage(await ada.send(`${group}/set-expiry`, { acknowledged_hours: '' }), 422);
    expect(await stored(group)).toBe(60);
  });
});

describe('delete', () => {
  test('names the services first; they tell nobody afterwards', async () => {
    const group = await makeGroup();
    const freezer = await createFreezer(server, people, { name: 'Freezer <1>' });
    await server.db.query(sql`
      update service_settings set notification_group_id = ${idOf(group)} where service_id = ${freezer.id}`);
    const before = await configVersionOf(freezer.id);
    const html = await expectPage(await ada.open(`${group}/delete`), 200);
    expect(html).toContain('Freezer &lt;1>');
    const answer = await ada.send(`${group}/delete`);
    const list = `${GROUPS}?organization=${people.organization}&done=deleted`;
    expect(answer.headers.get('location')).toBe(list);
    expect(await ada.read(list)).toContain('The group is deleted.');
    await expectPage(await ada.open(group), 404);
    const [settings] = await server.db.query<{ groupId: number | null }>(sql`
      select notification_group_id as "groupId" from service_settings where service_id = ${freezer.id}`);
    expect(settings).toEqual({ groupId: null });
    expect(await configVersionOf(freezer.id)).toBe(before + 1);
    expect((await recordsOf(group)).at(-1)).toMatchObject({
      action: 'group.delete',
      detail: { services: [freezer.id] },
    });
  });

  const configVersionOf = async (serviceId: number) => {
    const [row] = await server.db.query<{ version: number }>(sql`
      select config_version as "version" from alarm_state where service_id = ${serviceId}`);
    return row?.version ?? 0;
  };
});

describe('the test button', () => {
  test('without anybody to tell it says so', async () => {
    const group = await makeGroup();
    const html = await expectPage(await ada.send(`${group}/test`), 422);
    expect(html).toContain('There is nobody to notify in this group.');
  });

  test('sends a marked message to everybody, and shows the outcome of each', async () => {
    const group = await makeGroup();
    await change(group, 'add-member', { account_id: String(people.vera.id) });
    await change(group, 'add-email', { email: 'cold@lab.example' });
    await change(group, 'add-webhook', { kind: 'slack', url: 'https://hooks.slack.example/services/hush' });
    const answer = await ada.send(`${group}/test`);
    expect(answer.status).toBe(303);
    const outcome = answer.headers.get('location') ?? '';
    const html = await expectPage(await ada.open(outcome), 200);
    expect(html).toContain('<meta http-equiv="refresh" content="5"/>');
    for (const whom of [
      `Vera (${people.vera.email})`,
      'cold@lab.example',
      'Slack webhook at https://hooks.slack.example/…',
    ])
      expect(html).toContain(whom);
    expect((await recordsOf(group)).at(-1)).toMatchObject({ action: 'group.test' });

    await server.db.query(sql`
      update delivery set state = 'sent', attempts = 1, sent_at = ${server.clock.read()}
      where notification_id = ${outcome.split('/').at(-1)}`);
    const done = await ada.read(outcome);
    expect(done).toContain('Everything was handed over.');
    expect(done).not.toContain('http-equiv="refresh"');
  });

  test('its outcome is for the administrators of the organization', async () => {
    const group = await makeGroup();
    await change(group, 'add-email', { email: 'cold@lab.example' });
    const outcome = (await ada.send(`${group}/test`)).headers.get('location') ?? '';
    for (const name of ['vera', 'oscar', 'olga', 'nora'] as const)
      await expectPage(await (await signedIn(server, people[name])).open(outcome), 404);
  });

  test.each(['0', 'x', '99999999999999999999', '-1', '123456789'])('no test %s: 404', async (id) => {
    await expectPage(await ada.open(`/settings/tests/${id}`), 404);
  });
});
