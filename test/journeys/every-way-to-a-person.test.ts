// Every kind of contact method that the profile offers can be added, proved by the code that arrives, and used at every hour
// that the form offers. A kind that is added is tried without a line here.
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { METHOD_KINDS } from '../../src/domain/on-call/contact-method.ts';
import type { ProviderSettings } from '../../src/engine/providers/providers.ts';
import { readProviderSettings } from '../../src/engine/providers/read-provider-settings.ts';
import { makePushKeys } from '../../src/platform/web-push/vapid.ts';
import { minutes } from '../support/movable-clock.ts';
import { textOf } from '../support/page.ts';
import { formTo, type PageForm, readForms } from '../support/page-forms.ts';
import { invitePeople, type People } from '../support/people.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { signedIn, type VisitorBrowser } from '../support/visitor.ts';
import { answers, startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

const CONTACTS = '/profile/contacts';
/** As every maker answers when all is well. */
const THANKS = JSON.stringify({ sid: 'x', status: 1, ok: true, result: { message_id: 1, chat: { id: 1 } } });

const read = readProviderSettings(`
sms: { gateway: twilio, user: AC1, password: s, from: "+4930" }
pushover: { token: t }
telegram: { token: "1:t" }
signal: { number: "+491510000000", url: "http://127.0.0.1:1" }`);
if (typeof read === 'string') throw new Error(read);
const push: ProviderSettings['push'] = { ...makePushKeys(), subject: 'https://tocsin.lab.example/' };
const providers: ProviderSettings = { ...read, push };

let server: TestServer;
let people: People;
let oscar: VisitorBrowser;
let receiver: WebhookReceiver;
beforeAll(async () => {
  server = await startServer({ providers, isPrivateWebhookAllowed: true });
  people = await invitePeople(server);
  oscar = await signedIn(server, people.oscar);
});
beforeEach(async () => {
  receiver = await startWebhookReceiver(answers(200, THANKS));
  if (providers.sms) providers.sms.url = `${receiver.url}/Messages.json`;
  for (const one of [providers.pushover, providers.telegram, providers.signal])
    if (one) one.url = receiver.url;
});

const offered = async (): Promise<PageForm[]> =>
  readForms(await oscar.read(CONTACTS)).filter(({ action }) => action === `${CONTACTS}/add`);

/** What a person types, by what the field is called. */
const ADDRESSES: Record<string, () => Record<string, string>> = {
  email: () => ({}),
  sms: () => ({ address: '+49 151 2345678' }),
  voice: () => ({ address: '+49 30 1234567' }),
  signal: () => ({ address: '+49 151 7654321' }),
  pushover: () => ({ address: 'u'.repeat(30) }),
  telegram: () => ({ address: '4711' }),
  ntfy: () => ({ address: `${receiver.url}/cold-team` }),
  gotify: () => ({ address: receiver.url, secret: 'A1' }),
};

/** Out of whatever came last: six digits, alone or one by one. */
function findCode(): string {
  const { text = '' } = receiver.received.at(-1) ?? {};
  const read = text.startsWith('{') ? text : decodeURIComponent(text.replaceAll('+', ' '));
  return /(?<!\d)(?:\d(?:, )?){6}(?!\d)/.exec(read)?.[0].replaceAll(', ', '') ?? '';
}

const isStored = async (kind: string, during: string, isOnlyCritical: boolean) =>
  (
    await server.db.query(sql`
      select from contact_method where account_id = ${people.oscar.id} and kind = ${kind} and during = ${during}
        and only_critical = ${isOnlyCritical} and verified_at is not null`)
  ).length === 1;

/** Adds it, types in the code, and looks. */
async function tryWay(
  { action, untouched }: PageForm,
  chosen: Record<string, string>,
): Promise<string | null> {
  const kind = untouched.kind ?? '';
  const typed = ADDRESSES[kind]?.();
  if (!typed) return 'nobody knows what to type: give an example of its address';
  // Five codes are sent within an hour, and a session ends meanwhile.
  server.clock.advance(minutes(61));
  oscar = await signedIn(server, people.oscar);
  const added = await oscar.send(action, { ...untouched, ...chosen, ...typed });
  if (added.status !== 303) return `${added.status} ${textOf(await added.text()).slice(0, 200)}`;
  const page = await oscar.read(CONTACTS);
  if (kind !== 'email') {
    const prove = formTo(page, /\/prove$/);
    const proved = await oscar.send(prove.action, { code: findCode() });
    if (proved.status !== 303) return `${proved.status}: the code ${findCode()} was not taken`;
  }
  const shown = formTo(await oscar.read(CONTACTS), /\/change$/).untouched;
  const isSame = shown.during === chosen.during && shown.only_critical === chosen.only_critical;
  const isThere = await isStored(kind, chosen.during ?? '', chosen.only_critical === 'on');
  return !isThere ? 'not stored' : isSame ? null : `shown as ${JSON.stringify(shown)}`;
}

test('each kind, at each hour, for everything or for critical alarms alone', async () => {
  const forms = await offered();
  const failed: string[] = [];
  for (const form of forms) {
    const hours = form.choices.get('during') ?? [];
    const boxes = [...form.boxes.values()].map(({ name, value }) => ({ [name]: value }));
    const combinations = [
      ...hours.map(({ value }) => ({ during: value })),
      ...boxes.map((box) => ({ during: 'always', ...box })),
    ];
    expect(combinations.length).toBeGreaterThan(3);
    for (const chosen of combinations) {
      const fault = await tryWay(form, chosen);
      await server.db.query(sql`delete from contact_method where account_id = ${people.oscar.id}`);
      if (fault !== null) failed.push(`${form.untouched.kind} ${JSON.stringify(chosen)}: ${fault}`);
    }
  }
  expect(failed).toEqual([]);
  // A browser subscribes by a script: install.test.ts.
  expect(forms.map(({ untouched }) => untouched.kind)).toEqual(
    METHOD_KINDS.filter((kind) => kind !== 'push'),
  );
}, 120_000);

test('what is in use takes every other hour', async () => {
  const email = (await offered()).find(({ untouched }) => untouched.kind === 'email');
  await oscar.send(`${CONTACTS}/add`, email?.untouched);
  const change = async () => formTo(await oscar.read(CONTACTS), /\/change$/);
  for (const { value: during } of (await change()).choices.get('during') ?? [])
    for (const box of [{}, { only_critical: 'on' }]) {
      const { action, untouched } = await change();
      const { only_critical: _, ...rest } = untouched;
      expect((await oscar.send(action, { ...rest, ...box, during })).status).toBe(303);
      expect(await isStored('email', during, 'only_critical' in box)).toBe(true);
      const { only_critical: shown, ...times } = (await change()).untouched;
      expect([times.during, shown !== undefined]).toEqual([during, 'only_critical' in box]);
    }
});

test('a browser', async () => {
  const { action } = formTo(await oscar.read(CONTACTS), /\/push$/);
  const keys = {
    p256dh: Buffer.alloc(65, 4).toString('base64url'),
    auth: Buffer.alloc(16).toString('base64url'),
  };
  const sent = await oscar.send(action, { endpoint: 'https://push.example/send/abc', ...keys });
  expect(sent.status).toBe(303);
  expect(await isStored('push', 'always', false)).toBe(true);
  expect(textOf(await oscar.read(CONTACTS))).toContain('Push');
});
