// In which language somebody reads: chosen on the profile, for a group, for an organization, at setup, in the lab file and on the
// command line; offered where there is more than one.
import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { english } from '../../src/domain/language/english.ts';
import { createAccountByHand } from '../../src/features/accounts/commands.ts';
import { makeSetupCode } from '../../src/features/setup/setup-code.ts';
import {
  addLanguage,
  allLanguages,
  readByNatives,
  replaceLanguages,
} from '../../src/platform/languages/languages.ts';
import { type ChoiceHouse, openChoiceHouse, testChoices } from '../support/choice-house.ts';
import { type LabFileDesk, openLabFileDesk } from '../support/lab-file.ts';
import { STORY_BEGINS_AT } from '../support/movable-clock.ts';
import { expectPage } from '../support/page.ts';
import { formTo } from '../support/page-forms.ts';
import { openSettingsDesk, recordsOf, type SettingsDesk } from '../support/settings-desk.ts';
import { auditOf } from '../support/sign-in.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { openVisitor } from '../support/visitor.ts';

const DUTCH = {
  'Your profile': 'Uw profiel',
  'Set up Tocsin': 'Tocsin instellen',
  'All settings': 'Alle instellingen',
  'Nothing to watch yet': 'Nog niets te bewaken',
};

const before = allLanguages();
afterAll(() => replaceLanguages(before));

let house: ChoiceHouse;
let server: TestServer;
let desk: SettingsDesk;
beforeAll(async () => {
  replaceLanguages([english]);
  house = await openChoiceHouse();
  ({ server } = house);
});

const PLACES = () => ['/profile', '/settings', `/settings/groups/${house.groupId}`];

test('one language is no choice', async () => {
  const fresh = await startServer();
  const pages = [
    ...(await Promise.all(PLACES().map((path) => house.ada.read(path)))),
    await openVisitor(fresh).read('/setup'),
  ];
  for (const html of pages) expect(html).not.toContain('name="language"');
});

describe('with another one', () => {
  beforeAll(() => void addLanguage('nl', DUTCH));
  beforeEach(async () => {
    desk = await openSettingsDesk(server);
  });

  testChoices(() => house, {
    '/profile/save language': {
      page: () => '/profile',
      stored: ({ value }) =>
        sql`select from account where id = ${house.lab.ada.id} and coalesce(language, '') = ${value}`,
    },
    '/settings/language language': {
      page: () => '/settings',
      stored: ({ value }) =>
        sql`select from organization where id = ${house.lab.organization} and coalesce(language, '') = ${value}`,
    },
    '/settings/groups/:id/set-language language': {
      page: () => `/settings/groups/${house.groupId}`,
      stored: ({ value }) =>
        sql`select from notification_group where id = ${house.groupId} and coalesce(language, '') = ${value}`,
    },
  });

  test('it is said of each whether a native speaker has read it, wherever it is chosen', async () => {
    expect(readByNatives).toEqual(['en']);
    const pages = await Promise.all(PLACES().map((path) => house.ada.read(path)));
    for (const html of [...pages, await openVisitor(await startServer()).read('/setup')]) {
      const [, heading, unread] = /<optgroup label="([^"]*)">(.*?)<\/optgroup>/.exec(html) ?? [];
      expect(heading).toBe('Translated, not yet read by a native speaker');
      expect(unread).toMatch(/^<option [^>]*value="nl"[^>]*>Nederlands<\/option>$/);
      expect(html).toMatch(/<option[^>]* value="en"[^>]*>English<\/option>/);
    }
  });

  describe('of a person', () => {
    const save = (language: string) =>
      desk.ada.send('/profile/save', { name: 'Ada', timezone: 'UTC', language });
    const read = async (asked: string) => {
      const answer = await desk.ada.open('/profile', { 'accept-language': asked });
      const html = await answer.text();
      return { lang: /<html lang="([^"]*)"/.exec(html)?.[1], title: /<h1>([^<]*)/.exec(html)?.[1], html };
    };

    test('what was chosen counts, else what the browser asks for', async () => {
      expect(await read('nl')).toMatchObject({ lang: 'nl', title: 'Uw profiel' });
      expect(await read('ja, en;q=0.5')).toMatchObject({ lang: 'en', title: 'Your profile' });
      await save('nl');
      expect(await read('en')).toMatchObject({ lang: 'nl', title: 'Uw profiel' });
      await save('en');
      expect(await read('nl')).toMatchObject({ lang: 'en', title: 'Your profile' });
      await save('');
      const { lang, html } = await read('nl');
      expect(lang).toBe('nl');
      expect(html).toContain('>As my browser asks<');
    });

    test('before the browser comes what the organization has chosen', async () => {
      await desk.sends('/settings/language', { language: 'nl' });
      const { lang, html } = await read('en');
      expect(lang).toBe('nl');
      expect(html).toContain('>As your organization: Nederlands<');
    });

    test('it is on record like name and zone; a form without it leaves it', async () => {
      await save('nl');
      expect((await auditOf(server, desk.people.ada)).at(-1)).toMatchObject({
        action: 'account.edit',
        detail: { changes: { language: { before: null, after: 'nl' } } },
      });
      await desk.ada.send('/profile/save', { name: 'Ada', timezone: 'UTC' });
      expect(await read('en')).toMatchObject({ lang: 'nl' });
    });

    test('one that is not offered any more stays, whatever else is saved', async () => {
      await server.db.query(sql`update account set language = 'tlh' where id = ${desk.people.ada.id}`);
      expect(await desk.ada.read('/profile')).toMatch(/<option [^>]*value="tlh"[^>]* selected/);
      expect((await save('tlh')).status).toBe(303);
      const [kept] = await server.db.query(
        sql`select language from account where id = ${desk.people.ada.id}`,
      );
      expect(kept).toEqual({ language: 'tlh' });
    });

    test('one that is not offered any more counts as none', async () => {
      await server.db.query(sql`update account set language = 'tlh' where id = ${desk.people.ada.id}`);
      expect(await read('nl')).toMatchObject({ lang: 'nl' });
      await desk.sends('/settings/language', { language: 'nl' });
      expect(await read('en')).toMatchObject({ lang: 'nl' });
    });

    test('one that nobody translated into is refused', async () => {
      const html = await expectPage(await save('tlh'), 422);
      expect(html).toContain('Choose a language from the list.');
      expect(await read('en')).toMatchObject({ lang: 'en' });
    });
  });

  describe('of an organization', () => {
    const choose = (language: string) => desk.sends('/settings/language', { language });
    const openWall = async () => {
      const made = await (await desk.sends('/settings/wall/create', { name: 'Door' })).text();
      const [path = ''] = /\/wall\/[\w-]{43}/.exec(made) ?? [];
      return openVisitor(server).read(path);
    };

    test('is on record, and the wall speaks it', async () => {
      expect((await choose('nl')).status).toBe(303);
      expect((await choose('nl')).status).toBe(303);
      expect(await recordsOf(server, desk.organization)).toMatchObject([
        { action: 'organization.language', detail: { language: { before: null, after: 'nl' } } },
      ]);
      const wall = await openWall();
      expect(wall).toContain('<html lang="nl"');
      expect(wall).toContain('Nog niets te bewaken');
    });

    test('one that nobody translated into is refused', async () => {
      expect(await expectPage(await choose('tlh'), 422)).toContain('Choose a language from the list.');
      expect(await recordsOf(server, desk.organization)).toEqual([]);
    });
  });

  test('of a group: on record; one that nobody translated into is refused', async () => {
    await desk.ada.send('/settings/groups', {
      organization_id: String(desk.organization),
      name: 'Cold team',
    });
    const [group] = await server.db.query<{ id: number }>(
      sql`select id from notification_group where organization_id = ${desk.organization}`,
    );
    const choose = (language: string) =>
      desk.ada.send(`/settings/groups/${group?.id}/set-language`, { language });
    expect((await choose('nl')).status).toBe(303);
    expect(await expectPage(await choose('tlh'), 422)).toContain('Choose a language from the list.');
    expect((await recordsOf(server, desk.organization)).slice(1)).toMatchObject([
      { action: 'group.language', detail: { language: { before: null, after: 'nl' } } },
    ]);
  });

  describe('at setup', () => {
    const FORM = {
      organization: 'Cell Biology',
      name: 'Ada',
      email: 'ada@lab.example',
      password: 'correct horse battery',
      timezone: 'UTC',
    };
    const begin = async () => {
      const fresh = await startServer();
      return { fresh, code: await makeSetupCode(fresh.db, fresh.clock.read()), browser: openVisitor(fresh) };
    };
    const chosen = ({ db }: TestServer) =>
      db.query(sql`
        select account.language as "own", organization.language as "common"
        from membership join account on account.id = account_id join organization on organization.id = organization_id`);

    test.each(['nl', 'en'])(
      '%s: the browser asks for it, and account and organization get it',
      async (tag) => {
        const { fresh, code, browser } = await begin();
        const html = await (await browser.open('/setup', { 'accept-language': tag })).text();
        expect(html).toContain(tag === 'nl' ? 'Tocsin instellen' : 'Set up Tocsin');
        const { untouched, choices } = formTo(html, /^\/setup$/);
        expect(untouched.language).toBe(tag);
        expect(choices.get('language')?.map(({ value }) => value)).toEqual(['en', 'nl']);
        await browser.send('/setup', { ...untouched, ...FORM, code });
        expect(await chosen(fresh)).toEqual([{ own: tag, common: tag }]);
      },
    );

    test('an organization that has one keeps it; one that nobody translated into is refused', async () => {
      const { fresh, code, browser } = await begin();
      await fresh.db.query(sql`
        insert into organization (name, language, created_at) values ('Cell Biology', 'en', ${fresh.clock.read()})`);
      const refused = await browser.send('/setup', { ...FORM, code, language: 'tlh' });
      expect(await expectPage(refused, 422)).toContain('Choose a language from the list.');
      await browser.send('/setup', { ...FORM, code, language: 'nl' });
      expect(await chosen(fresh)).toEqual([{ own: 'nl', common: 'en' }]);
    });
  });

  describe('in the lab file', () => {
    const file = (language: string) => `
accounts: [{ email: vera@lab.example, name: Vera, language: ${language} }]
organizations: [{ name: Lab, language: ${language}, groups: [{ name: Cold team, language: ${language} }] }]`;
    let lab: LabFileDesk;
    beforeAll(async () => {
      lab = await openLabFileDesk();
    });
    afterAll(() => lab.db.close());
    const stored = () =>
      lab.rows(`select account.language as a, organization.language as o, notification_group.language as g
        from account, organization, notification_group`);

    test('each is chosen, changed, left and taken back', async () => {
      await lab.apply(file('nl'));
      expect(await stored()).toEqual([{ a: 'nl', o: 'nl', g: 'nl' }]);
      expect((await lab.apply(file('nl'))).changes).toEqual([]);
      expect((await lab.apply(file('en'))).changes).toEqual([
        '~ account vera@lab.example: language "nl" -> "en"',
        '~ organization Lab: language "nl" -> "en"',
        '~ group Lab/Cold team: language "nl" -> "en"',
      ]);
      await lab.apply('organizations: [{ name: Lab, groups: [{ name: Cold team }] }]');
      expect(await stored()).toEqual([{ a: 'en', o: 'en', g: 'en' }]);
      expect((await lab.apply(file('null'))).changes).toHaveLength(3);
      expect(await stored()).toEqual([{ a: null, o: null, g: null }]);
    });

    test('one that nobody translated into is refused', async () =>
      expect(await lab.refuse(file('tlh'))).toEqual([
        '2:61 accounts[0].language: unknown language "tlh": must be one of en, nl',
        '3:40 organizations[0].language: unknown language "tlh": must be one of en, nl',
        '3:83 organizations[0].groups[0].language: unknown language "tlh": must be one of en, nl',
      ]));
  });

  test('on the command line', async () => {
    const create = (email: string, language?: string) =>
      createAccountByHand(
        server.db,
        { email, name: 'New', timezone: 'UTC', password: null, ...(language !== undefined && { language }) },
        STORY_BEGINS_AT,
      );
    for (const [email, language] of [
      ['by-hand@lab.example', 'nl'],
      ['unchosen@lab.example', undefined],
    ] as const) {
      expect(await create(email, language)).toMatchObject({ ok: true });
      const [account] = await server.db.query(sql`select language from account where email = ${email}`);
      expect(account).toEqual({ language: language ?? null });
    }
    expect(await create('other@lab.example', 'tlh')).toEqual({
      ok: false,
      refusal: 'Unknown language "tlh": one of en, nl',
    });
  });
});
