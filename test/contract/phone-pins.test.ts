// The PIN for answers by phone: a person's own on the profile, and an organization that asks for it.
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { setPasswordByHand } from '../../src/features/accounts/commands.ts';
import { verifyPin } from '../../src/platform/auth/password.ts';
import { expectPage } from '../support/page.ts';
import { PASSWORD, type Person } from '../support/people.ts';
import { openSettingsDesk, recordsOf, type SettingsDesk } from '../support/settings-desk.ts';
import { auditOf } from '../support/sign-in.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { signedIn, type VisitorBrowser } from '../support/visitor.ts';

const CONTACTS = '/profile/contacts';
const PIN = '90210';

let server: TestServer;
let desk: SettingsDesk;
let oscar: VisitorBrowser;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  desk = await openSettingsDesk(server);
  oscar = await signedIn(server, desk.people.oscar);
});

const textOf = (html: string) => html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
const sets = (form: Record<string, string> = {}) =>
  oscar.send(`${CONTACTS}/pin`, { pin: PIN, pin_again: PIN, current_password: PASSWORD, ...form });
const removes = (password = PASSWORD) => oscar.send(`${CONTACTS}/pin/remove`, { current_password: password });
const asks = (isAsked: boolean) =>
  desk.sends('/settings/members/phone-pin', isAsked ? { phone_pin_required: 'yes' } : {});
const hashOf = async ({ id }: Person = desk.people.oscar) =>
  (
    await server.db.query<{ hash: string | null }>(
      sql`select phone_pin_hash as "hash" from account where id = ${id}`,
    )
  )[0]?.hash ?? null;
const addPhone = ({ id }: Person, kind = 'sms') =>
  server.db.query(sql`
    insert into contact_method (account_id, kind, address, verified_at, created_at)
    values (${id}, ${kind}, '+491512345678', ${server.clock.read()}, ${server.clock.read()})`);
const actions = async () => (await auditOf(server, desk.people.oscar)).map(({ action }) => action);

describe('a person', () => {
  test('sets, changes and removes it; it is stored hashed, on record without it, and told by mail', async () => {
    expect((await sets()).headers.get('location')).toBe(`${CONTACTS}?done=pin`);
    const first = await hashOf();
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await verifyPin(first ?? '', PIN)).toBe(true);
    expect(textOf(await oscar.read(`${CONTACTS}?done=pin`))).toContain('Your PIN is set.');
    await sets({ pin: '31415926', pin_again: '31415926' });
    expect(await verifyPin((await hashOf()) ?? '', PIN)).toBe(false);
    expect((await removes()).headers.get('location')).toBe(`${CONTACTS}?done=pin-removed`);
    await removes();
    expect(await hashOf()).toBe(null);

    expect((await actions()).filter((action) => action.endsWith('phone_pin'))).toEqual([
      'account.set_phone_pin',
      'account.set_phone_pin',
      'account.remove_phone_pin',
    ]);
    expect(JSON.stringify(await auditOf(server, desk.people.oscar))).not.toMatch(/90210|31415926|argon2/);
    const mails = await server.db.query(sql`
      select kind from account_mail where account_id = ${desk.people.oscar.id}`);
    expect(mails).toEqual(Array(3).fill({ kind: 'phone_pin_changed' }));
  });

  test.each([
    [{ pin: '471', pin_again: '471' }, '4 to 8 digits'],
    [{ pin: '471147114', pin_again: '471147114' }, '4 to 8 digits'],
    [{ pin: '47a1', pin_again: '47a1' }, '4 to 8 digits'],
    [{ pin: '', pin_again: '' }, '4 to 8 digits'],
    [{ pin: '1234', pin_again: '1234' }, 'among the first that others would try'],
    [{ pin: '777777', pin_again: '777777' }, 'among the first that others would try'],
    [{ pin_again: '90211' }, 'not the same'],
    [{ current_password: 'wrong' }, 'This is not your password.'],
    [{ current_password: '' }, 'This is not your password.'],
  ])('%j is refused, and no PIN stands in the page', async (form, words) => {
    const html = await expectPage(await sets(form), 422);
    expect(html).toContain(words);
    expect(html).not.toMatch(/value="(90210|471|1234)/);
    expect(await hashOf()).toBe(null);
  });

  test('the password is asked for to remove it too, throttled like a sign-in', async () => {
    await sets();
    for (let count = 0; count < 5; count += 1) await removes(`guess ${count}`);
    expect(await expectPage(await removes(), 422)).toContain('Too many attempts');
    expect(await expectPage(await sets({ pin: '31415', pin_again: '31415' }), 422)).toContain(
      'Too many attempts',
    );
    expect(await verifyPin((await hashOf()) ?? '', PIN)).toBe(true);
  });

  test('stays in the session, and leaves no other one behind', async () => {
    await sets();
    await removes();
    const sessions = await server.db.query(sql`
      select from session where account_id = ${desk.people.oscar.id}`);
    expect(sessions).toHaveLength(1);
  });

  test('is told before it is needed that an organization asks for one', async () => {
    const warned = async () =>
      Promise.all(
        ['/profile', CONTACTS].map(async (path) => (await oscar.read(path)).includes('and you have none.')),
      );
    await asks(true);
    expect(await warned(), 'nothing to answer by').toEqual([false, false]);
    expect(textOf(await oscar.read(CONTACTS))).toMatch(/Cell Biology \d+ asks for it when you acknowledge/);
    await addPhone(desk.people.oscar);
    expect(await warned()).toEqual([true, true]);
    await sets();
    expect(await warned()).toEqual([false, false]);
    await removes();
    await asks(false);
    expect(await warned()).toEqual([false, false]);
  });

  test('a PIN that was set while somebody else may have known the password goes with that password', async () => {
    const { oscar: person } = desk.people;
    await sets();
    await setPasswordByHand(server.db, person.email, 'a new password of words', server.clock.read());
    expect(await hashOf()).not.toBe(null);
    await server.db.query(sql`update account set password_may_be_known = true where id = ${person.id}`);
    await setPasswordByHand(server.db, person.email, 'another password of words', server.clock.read());
    expect(await hashOf()).toBe(null);
  });
});

describe('an organization', () => {
  const card = async () => textOf(await desk.ada.read('/settings/members'));
  const isAsked = async () =>
    (
      await server.db.query<{ is: boolean }>(sql`
        select phone_pin_required as "is" from organization where id = ${desk.organization}`)
    )[0]?.is;

  test('asks for one or does not, which is on record', async () => {
    expect(await isAsked()).toBe(false);
    expect((await asks(true)).status).toBe(303);
    await asks(true);
    expect(await isAsked()).toBe(true);
    expect(await desk.ada.read('/settings/members')).toMatch(/name="phone_pin_required"[^>]* checked/);
    await asks(false);
    expect(await isAsked()).toBe(false);
    expect(await recordsOf(server, desk.organization)).toMatchObject([
      { action: 'organization.phone_pin', detail: { phone_pin_required: { before: false, after: true } } },
      { action: 'organization.phone_pin', detail: { phone_pin_required: { before: true, after: false } } },
    ]);
  });

  test('sees how many of its members would need one, not who', async () => {
    expect(await card()).toContain('No member is notified by SMS or call.');
    const { vera, oscar: person, olga } = desk.people;
    await addPhone(vera);
    await addPhone(person);
    await addPhone(person, 'voice');
    await addPhone(olga);
    await addPhone(desk.people.ada, 'telegram');
    expect(await card()).toContain('2 members are notified by SMS or call; 2 of them have no PIN.');
    await sets();
    expect(await card()).toContain('2 members are notified by SMS or call; 1 of them has no PIN.');
    await server.db.query(sql`update account set is_active = false where id = ${vera.id}`);
    expect(await card()).toContain('1 member is notified by SMS or call; none is without a PIN.');
  });
});
