import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createFreezer } from '../support/equipment.ts';
import { hours, minutes } from '../support/movable-clock.ts';
import { expectPage, textOf } from '../support/page.ts';
import { openSettingsDesk, type SettingsDesk } from '../support/settings-desk.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { signedIn } from '../support/visitor.ts';

let server: TestServer;
let desk: SettingsDesk;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  desk = await openSettingsDesk(server);
});

interface Written {
  action?: string;
  who?: string;
  detail?: object;
  serviceId?: number | null;
  at?: Date;
}

const write = ({ action = 'service.mute', who = 'Oscar', detail = {}, serviceId = null, at }: Written) =>
  server.db.query(sql`
    insert into audit (happened_at, organization_id, service_id, account_id, account_name, action, detail, address)
    values (${at ?? server.clock.read()}, ${desk.organization}, ${serviceId}, ${desk.people.oscar.id}, ${who}, ${action},
      ${JSON.stringify(detail)}, '10.0.0.7')`);

const search = (words: Record<string, string> = {}) => desk.ada.read(`/audit?${new URLSearchParams(words)}`);
const notesIn = (html: string) => [...html.matchAll(/note:<\/span> (\w+)/g)].map(([, note]) => note);

describe('the page', () => {
  test('newest first, with who, what, where from, and before and after in words', async () => {
    const freezer = await createFreezer(server, desk.people, { name: 'Freezer 1' });
    const changes = { stale_after_minutes: { before: 15, after: 20 } };
    await write({ action: 'service.edit', serviceId: freezer.id, detail: { changes, note: 'one' } });
    server.clock.advance(minutes(1));
    await write({ detail: { note: 'two' } });
    const html = await search();
    expect(notesIn(html)).toEqual(['two', 'one']);
    expect(html).toContain('without data after minutes:</span> 15 → 20');
    expect(html).toContain(`changed limits or settings of <a href="/services/${freezer.id}">Freezer 1</a>`);
    expect(textOf(html)).toContain('Oscar changed limits or settings of Freezer 1 service.edit');
    expect(html).toContain('10.0.0.7');
  });

  test('what is in a record is text, never markup', async () => {
    await write({ who: '<b>Bob</b>', detail: { '<i>': '<script>alert(1)</script>' } });
    const html = await expectPage(await desk.ada.open('/audit'), 200);
    expect(html).toContain('&lt;b>Bob');
    expect(html).not.toContain('<b>Bob');
  });

  test('tells of the sign-ins of members and of what was done to their accounts, not of strangers’', async () => {
    await signedIn(server, desk.people.vera);
    await signedIn(server, desk.people.olga);
    await server.db.query(sql`
      insert into audit (happened_at, account_name, action, detail)
      values (${server.clock.read()}, 'command line', 'account.set_password', ${{ account: desk.people.vera.id }})`);
    const html = await search();
    expect(textOf(html)).toContain('Vera signed in auth.token');
    expect(textOf(html)).toContain(`command line set the password of account ${desk.people.vera.id} `);
    expect(html).toContain('account.set_password');
    expect(html).not.toContain('Olga');
  });

  test.each<[string, Written, string]>([
    [
      'a name',
      { action: 'group.create', detail: { group: 3, name: 'Cold team' } },
      'Oscar created the group Cold team',
    ],
    [
      'whom it was about',
      { action: 'group.member.add', detail: { group: 3, name: 'Cold team', email: 'vera@lab.example' } },
      'Oscar added vera@lab.example to the group Cold team',
    ],
    ['nothing of what it was about', { action: 'group.delete' }, 'Oscar deleted the group –'],
    [
      'nobody in its sentence',
      { action: 'recommendation.fail' },
      'No limits could be recommended for a unit By Oscar',
    ],
    ['an act of another version', { action: 'freezer.defrost' }, 'By Oscar freezer.defrost'],
  ])('a sentence of a record that has %s', async (_, written, sentence) => {
    await write({ ...written, detail: { note: 'here', ...written.detail } });
    const html = await search({ action: written.action ?? '' });
    expect(textOf(html)).toContain(sentence);
    expect(notesIn(html)).toEqual(['here']);
    expect(textOf(html)).not.toContain('name:');
  });

  test('when is said in full, with the zone', async () => {
    await write({ at: new Date('2026-10-25T00:30:00Z') });
    await write({ at: new Date('2026-10-25T01:30:00Z') });
    const html = await search({ action: 'service.mute' });
    expect(html).toContain('2026-10-25 02:30 UTC+02:00');
    expect(html).toContain('2026-10-25 02:30 UTC+01:00');
  });

  test('acts are chosen by their sentences, with their blanks left open', async () => {
    await write({});
    await write({ action: 'alarm.acknowledge' });
    const html = await search({ action: 'service.mute' });
    expect(html).toContain('<option value="service.mute" selected>… muted …</option>');
    expect(html).toContain('<option value="alarm.acknowledge">… acknowledged the alarm of …</option>');
  });

  test('what another organization did is not in it', async () => {
    await write({ detail: { note: 'ours' } });
    const elsewhere = await openSettingsDesk(server);
    expect(await elsewhere.ada.read('/audit')).not.toContain('ours');
  });
});

describe('of a member who belongs elsewhere too', () => {
  let other: SettingsDesk;
  const renames = async (name: string) => {
    server.clock.advance(minutes(1));
    await desk.people.vera.post('/profile/save', { name, timezone: 'Europe/Berlin' });
  };
  /** Under a name that tells when. */
  const signsInAs = async (name: string) => {
    await renames(name);
    await signedIn(server, desk.people.vera);
  };
  const joins = async () => {
    server.clock.advance(minutes(1));
    const { vera } = desk.people;
    await other.sends('/settings/members/invite', { email: vera.email, name: 'V', role: 'viewer' });
    const [invitation] = await server.db.query<{ id: number }>(sql`
      select id from invitation where account_id = ${vera.id}`);
    server.clock.advance(minutes(1));
    await vera.post(`/invitations/${invitation?.id}/accept`);
  };
  const leaves = async () => {
    server.clock.advance(minutes(1));
    await other.sends(`/settings/members/${desk.people.vera.id}/remove`);
  };
  const linesOf = async ({ ada, organization }: SettingsDesk) => {
    const csv = await (await ada.open(`/audit.csv?organization=${organization}`)).text();
    return csv
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(','))
      .toReversed();
  };
  const signIns = async (where: SettingsDesk) =>
    (await linesOf(where))
      .filter(([, who, , action]) => action === 'auth.token' && who !== 'Ada')
      .map(([, who]) => who);
  beforeEach(async () => {
    other = await openSettingsDesk(server);
    await signsInAs('Early');
    await joins();
    await signsInAs('Both');
    await leaves();
    await signsInAs('Late');
  });

  test('sign-ins are shown only of the time when the account belonged nowhere else', async () => {
    expect(await signIns(desk)).toEqual(['Early', 'Late']);
    expect(await signIns(other)).toEqual([]);
  });

  test('what happened to the account is shown from when it joined until it left', async () => {
    const edits = async (where: SettingsDesk) =>
      (await linesOf(where)).filter(([, , , action]) => action === 'account.edit').length;
    expect(await edits(desk)).toBe(3);
    expect(await edits(other)).toBe(1);
    expect(await other.ada.read(`/audit?organization=${other.organization}`)).not.toMatch(/Late/);
  });

  test('where it happened from is left out', async () => {
    const csv = await (await other.ada.open(`/audit.csv?organization=${other.organization}`)).text();
    const edit = csv.split('\r\n').find((line) => line.includes('account.edit'));
    expect(edit).toMatch(/,,$/);
    expect(csv.split('\r\n').find((line) => line.includes('member.join'))).toContain('127.0.0.1');
    const own = await (await desk.ada.open('/audit.csv')).text();
    const addresses = own.split('\r\n').filter((line) => line.includes('account.edit'));
    expect(addresses.map((line) => line.includes('127.0.0.1'))).toEqual([true, false, true]);
  });

  test('who comes back is shown from then on too', async () => {
    await joins();
    await renames('Again');
    const html = await other.ada.read(`/audit?organization=${other.organization}&action=account.edit`);
    expect(html).toContain('Again');
    expect(html).toContain('Both');
    expect(html).not.toContain('Both → Late');
  });
});

describe('search', () => {
  beforeEach(async () => {
    const freezer = await createFreezer(server, desk.people, { name: 'Cryo 7' });
    const at = (text: string) => new Date(text);
    await write({ who: 'Grace', detail: { note: 'first' }, at: at('2026-11-10T10:00:00Z') });
    await write({ action: 'alarm.acknowledge', detail: { note: 'second' }, at: at('2026-11-11T10:00:00Z') });
    await write({ serviceId: freezer.id, detail: { note: 'third' }, at: at('2026-11-12T10:00:00Z') });
  });

  test.each<[string, Record<string, string>, string[]]>([
    ['nothing', {}, ['third', 'second', 'first']],
    ['who, by part of the name', { who: 'grAC' }, ['first']],
    ['who, by email', { who: 'oscar.' }, ['third', 'second', 'first']],
    ['record', { action: 'acknowledge' }, ['second']],
    ['service', { service: 'cryo' }, ['third']],
    ['from, in the zone of the reader', { from: '2026-11-11T11:00' }, ['third', 'second']],
    ['a moment later', { from: '2026-11-11T11:00:01' }, ['third']],
    ['until, exclusive', { to: '2026-11-11T11:00' }, ['first']],
    ['a day', { from: '2026-11-11', to: '2026-11-12' }, ['second']],
    ['several at once', { who: 'Oscar', service: 'Cryo' }, ['third']],
    ['letters that mean something to a pattern', { action: '%' }, []],
    ['nobody', { who: 'nobody at all' }, []],
  ])('by %s', async (_, words, notes) => {
    expect(notesIn(await search(words))).toEqual(notes);
  });

  test('a time that cannot be read', async () => {
    const html = await expectPage(await desk.ada.open('/audit?from=yesterday'), 422);
    expect(html).toContain('A time could not be read');
    await expectPage(await desk.ada.open('/audit.csv?from=yesterday'), 422);
  });
});

describe('pages', () => {
  test('go on exactly where the last one ended, whatever is written meanwhile', async () => {
    for (let count = 0; count < 120; count += 1) await write({ detail: { note: `n${count}` } });
    const seen: (string | undefined)[] = [];
    let path: string | null = '/audit';
    while (path !== null) {
      const html: string = await desk.ada.read(path);
      seen.push(...notesIn(html));
      path = /href="([^"]+)">Older</.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? null;
      server.clock.advance(1000);
      await write({ detail: { note: 'late' } });
    }
    const expected = Array.from({ length: 120 }, (_, index) => `n${119 - index}`);
    expect(seen).toEqual(expected);
  });

  test.each([
    'x',
    '2026-11-15T03:00:00.000000Z_x',
    '2026-99-99T03:00:00.000000Z_1',
    '2026-02-31T03:00:00.000000Z_1',
    "'",
  ])('a damaged address (%s) shows the newest', async (below) => {
    await write({ detail: { note: 'here' } });
    expect(notesIn(await search({ below }))).toEqual(['here']);
  });
});

test('what no name can hold finds nobody, and is no fault', async () => {
  await write({ detail: { note: 'here' } });
  for (const field of ['who', 'action', 'service'])
    expect(notesIn(await search({ [field]: '\0' }))).toEqual(['here']);
});

describe('CSV', () => {
  const read = async (words: Record<string, string> = {}) => {
    const answer = await desk.ada.open(`/audit.csv?${new URLSearchParams(words)}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="audit-${desk.organization}.csv"`,
    );
    return (await answer.text()).split('\r\n');
  };

  test('has every record that fits, formulas made harmless', async () => {
    await write({ who: '=HYPERLINK("http://evil")', action: 'service.mute', detail: { reason: 'a, "b"' } });
    const [head, line] = await read({ action: 'service.mute' });
    expect(head).toBe('time,who,account_id,action,service,service_id,detail,address,request_id');
    expect(line).toContain('"\'=HYPERLINK(""http://evil"")"');
    expect(line).toContain('"{""reason"":""a, \\""b\\""""}"');
  });

  test('is whole, however long', async () => {
    await server.db.query(sql`
      insert into audit (happened_at, organization_id, account_name, action, detail)
      select ${server.clock.read()}, ${desk.organization}, 'Oscar', 'service.mute', jsonb_build_object('n', n)
      from generate_series(1, 2500) n`);
    const lines = await read({ action: 'service.mute' });
    expect(new Set(lines).size).toBe(2500 + 2);
  });

  test('is for administrators of the organization only', async () => {
    server.clock.advance(hours(1));
    for (const name of ['vera', 'oscar', 'nora', 'olga'] as const) {
      const browser = await signedIn(server, desk.people[name]);
      await expectPage(await browser.open(`/audit.csv?organization=${desk.organization}`), 404);
    }
  });
});
