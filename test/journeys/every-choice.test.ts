// Whatever a form offers to choose can be stored: each choice is read from the page, sent as a browser sends it, and found
// again. A choice that is added to a form is tried without a line here.
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Lab, openLab } from '../support/lab.ts';
import { textOf } from '../support/page.ts';
import { type Choice, formTo, type PageForm } from '../support/page-forms.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { signedIn, type VisitorBrowser } from '../support/visitor.ts';

let server: TestServer;
let lab: Lab;
let ada: VisitorBrowser;
beforeAll(async () => {
  server = await startServer({ isPrivateWebhookAllowed: true });
  lab = await openLab(server);
  ada = await signedIn(server, lab.ada);
});

interface Offer {
  /** Where the form stands. */
  page: string;
  /** Where it leads. */
  action: RegExp;
  field: string;
  /** What a person types beside it. */
  typed?: (choice: Choice) => Record<string, string>;
  /** Empty where it is stored and shown; else what is there instead. */
  look: (choice: Choice) => Promise<string>;
}

/** Tries each choice of a field; answers with those that were not stored, and how that went. */
async function tryAll({ page, action, field, typed = () => ({}), look }: Offer): Promise<string[]> {
  const offered = formTo(await ada.read(page), action).choices.get(field) ?? [];
  expect(offered.length, `${field} offers something`).toBeGreaterThan(1);
  const failed = [];
  for (const choice of offered) {
    const form: PageForm = formTo(await ada.read(page), action);
    const sent = await ada.send(form.action, { ...form.untouched, [field]: choice.value, ...typed(choice) });
    const fault = sent.status < 400 ? await look(choice) : textOf(await sent.text());
    if (fault !== '') failed.push(`${choice.value}: ${sent.status} ${fault}`);
  }
  return failed;
}

describe('a group', () => {
  const WEBHOOKS: Record<string, Record<string, string>> = {
    matrix: { url: 'https://matrix.lab.example/!abc:lab.example', secret: 'token' },
    mqtt: { url: 'mqtts://broker.lab.example:8883/lab', secret: 'user:password' },
  };

  test('takes every kind of webhook', async () => {
    const id = await lab.group({ name: 'Webhooks' });
    const page = `/settings/groups/${id}`;
    const failed = await tryAll({
      page,
      action: /add-webhook/,
      field: 'kind',
      typed: ({ value }) => WEBHOOKS[value] ?? { url: 'https://receiver.example/in', secret: 'R0uting' },
      look: async ({ value, label }) => {
        const rows = await server.db.query(sql`
          select from notification_group_webhook where group_id = ${id} and kind = ${value}`);
        const isShown = textOf(await ada.read(page)).includes(`${label} http`) || value === 'mqtt';
        return rows.length === 1 && isShown ? '' : 'not there';
      },
    });
    expect(failed).toEqual([]);
  });
});
