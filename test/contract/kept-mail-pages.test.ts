import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import type { OrganizationId } from '../../src/domain/ids.ts';
import { readConfig } from '../../src/platform/config.ts';
import { first } from '../../src/platform/db/database.ts';
import { organizationOf } from '../support/equipment.ts';
import { expectPage } from '../support/page.ts';
import { invitePeople, type People, type Person } from '../support/people.ts';
import { auditOf } from '../support/sign-in.ts';
import { startServer, startServerOn, type TestServer } from '../support/test-server.ts';
import { openVisitor, signedIn } from '../support/visitor.ts';

const MAIL = '/settings/mail';

let server: TestServer;
let people: People;
beforeAll(async () => {
  server = await startServer();
  people = await invitePeople(server);
});

let kept = 0;
async function keep(
  about: { organization: OrganizationId } | { account: Person },
  subject = 'Freezer 1 is warm',
) {
  kept += 1;
  const row = first(
    await server.db.query<{ id: string }>(sql`
      insert into kept_mail (mail_id, organization_id, account_id, recipient, subject, text_body, html_body, created_at)
      values (${`mail-${kept}`}, ${'organization' in about ? about.organization : null},
        ${'account' in about ? about.account.id : null}, 'cold@lab.example', ${subject}, 'The text <b>as it is</b>',
        '<html><body style="color:red"><script>alert(1)</script><p>The mail</p></body></html>', ${server.clock.read()})
      returning id`),
  );
  return `${MAIL}/${row?.id}`;
}

describe('the list', () => {
  test('newest first, of the administrator’s own organizations, and says that no mail leaves', async () => {
    await keep({ organization: people.organization }, 'First <b>');
    await keep({ organization: people.organization }, 'Second');
    await keep({ organization: await organizationOf(server, people.olga) }, 'Of Olga');
    const html = await expectPage(await (await signedIn(server, people.ada)).open(MAIL), 200);
    expect(html).toContain('No mail leaves this service');
    expect(html.indexOf('Second')).toBeLessThan(html.indexOf('First &lt;b>'));
    expect(html.indexOf('Second')).toBeGreaterThan(0);
    expect(html).not.toContain('Of Olga');
  });

  test.each(['vera', 'oscar', 'nora'] as const)('%s: 404', async (name) => {
    const mail = await keep({ organization: people.organization });
    const who = await signedIn(server, people[name]);
    for (const path of [MAIL, mail, `${mail}/html`]) await expectPage(await who.open(path), 404);
  });

  test('nobody: the sign-in page', async () => {
    const answer = await openVisitor(server).open(MAIL);
    expect(answer.headers.get('location')).toBe('/login?next=%2Fsettings%2Fmail');
  });

  test('with a mail server it says that these are old ones', async () => {
    const { smtp } = readConfig({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'tocsin@lab.example' });
    const mailing = await startServerOn(server.db, { smtp });
    const html = await (await signedIn(mailing, people.ada)).read(MAIL);
    expect(html).not.toContain('No mail leaves this service');
  });
});

describe('one mail', () => {
  test('its text as it is, its HTML in a frame that may do nothing', async () => {
    const mail = await keep({ organization: people.organization });
    const ada = await signedIn(server, people.ada);
    const answer = await ada.open(mail);
    expect(answer.headers.get('content-security-policy')).toMatch(/frame-ancestors 'none';frame-src 'self'$/);
    const html = await expectPage(answer, 200);
    expect(html).toContain('<pre>The text &lt;b>as it is&lt;/b></pre>');
    expect(html).toContain(`src="${mail}/html" sandbox title=`);
    expect(html).not.toContain('alert(1)');

    const inside = await ada.open(`${mail}/html`);
    expect(inside.status).toBe(200);
    expect(inside.headers.get('content-security-policy')).toBe(
      "sandbox;default-src 'none';style-src 'unsafe-inline';img-src data:;form-action 'none';base-uri 'none';frame-ancestors 'self'",
    );
    expect(inside.headers.get('x-frame-options')).toBe('SAMEORIGIN');
    expect(inside.headers.get('cache-control')).toBe('no-store');
    expect(await inside.text()).toContain('<p>The mail</p>');
  });

  test('of another organization: 404', async () => {
    const mail = await keep({ organization: await organizationOf(server, people.olga) });
    const ada = await signedIn(server, people.ada);
    for (const path of [mail, `${mail}/html`]) await expectPage(await ada.open(path), 404);
  });

  test.each(['0', 'x', '-1', '999999999', '99999999999999999999', '%00'])('no mail %s: 404', async (id) => {
    const ada = await signedIn(server, people.ada);
    await expectPage(await ada.open(`${MAIL}/${id}`), 404);
    await expectPage(await ada.open(`${MAIL}/${id}/html`), 404);
  });
});

describe('mail about an account may hold a link to its password', () => {
  test.each([
    ['its page', ['']],
    ['its frame alone', ['/html']],
    ['both, and again', ['', '/html', '']],
  ])(
    'the administrator of this organization alone reads %s, and that is on record once',
    async (_, parts) => {
      const own = await invitePeople(server);
      const mail = await keep({ account: own.oscar }, 'Set a new password');
      const ada = await signedIn(server, own.ada);
      for (const part of parts) expect((await ada.open(mail + part)).status).toBe(200);
      expect((await auditOf(server, own.oscar)).filter(({ action }) => action === 'mail.read')).toEqual([
        {
          action: 'mail.read',
          detail: { account: own.oscar.id, mail: mail.split('/').at(-1), subject: 'Set a new password' },
        },
      ]);
    },
  );

  test('of somebody who belongs to another organization too: never', async () => {
    const own = await invitePeople(server);
    await server.db.query(sql`
      insert into membership (account_id, organization_id, role, created_at)
      values (${own.olga.id}, ${own.organization}, 'viewer', ${server.clock.read()})`);
    const mail = await keep({ account: own.olga }, 'Set a new password');
    const ada = await signedIn(server, own.ada);
    for (const path of [mail, `${mail}/html`]) await expectPage(await ada.open(path), 404);
    expect(await ada.read(MAIL)).not.toContain(mail);
  });

  test('of somebody who belongs nowhere: never', async () => {
    const mail = await keep({ account: people.nora });
    await expectPage(await (await signedIn(server, people.ada)).open(mail), 404);
  });
});
