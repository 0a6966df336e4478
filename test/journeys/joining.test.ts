// Whoever comes to be told while an alarm runs is told of it at once, whichever way they came.

import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import { COMMAND_LINE } from '../../src/domain/accounts/requester.ts';
import type { AccountId } from '../../src/domain/ids.ts';
import { applyLabFile } from '../../src/features/lab-file/apply-lab-file.ts';
import { type DeliveryDesk, openDeliveryDesk } from '../support/delivery-desk.ts';
import { seconds } from '../support/movable-clock.ts';
import type { Person } from '../support/people.ts';
import { refused } from '../support/postbox.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { signedIn, type VisitorBrowser } from '../support/visitor.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});

const HOOK = { kind: 'generic', url: 'https://chat.example/hook', secret: 'the old secret of it' };

interface Scene {
  desk: DeliveryDesk;
  freezer: { id: number; name: string; device: string };
  ada: VisitorBrowser;
  applies(file: Record<string, unknown>): Promise<void>;
  /** In the organization of the desk. */
  appliesHere(rest: Record<string, unknown>): Promise<void>;
}

async function openScene(desk: DeliveryDesk): Promise<Scene> {
  const { lab } = desk;
  const freezer = await desk.freezer();
  const applies = async (file: Record<string, unknown>) => {
    const input = { text: JSON.stringify(file), fileName: 'lab.yaml', isDryRun: false };
    const applied = await applyLabFile(server.db, COMMAND_LINE, input, server.clock.read());
    expect(applied).toMatchObject({ ok: true });
  };
  const appliesHere = (rest: Record<string, unknown>) =>
    applies({ organizations: [{ name: lab.organizationName, ...rest }] });
  return { desk, freezer, ada: await signedIn(server, lab.ada), applies, appliesHere };
}

const appliesGroup = ({ appliesHere }: Scene, rest: Record<string, unknown>) =>
  appliesHere({ groups: [{ name: 'Cold team', ...rest }] });

const namesInGroup = ({ desk }: Scene, { id }: { id: AccountId }) =>
  server.db.query(sql`
    insert into notification_group_account (group_id, account_id) values (${desk.groupId}, ${id})`);

const changesGroup = ({ ada, desk }: Scene, verb: string, form: Record<string, string>) =>
  ada.send(`/settings/groups/${desk.groupId}/${verb}`, form);

const changesMember = (
  { ada, desk }: Scene,
  { id }: Person,
  verb: string,
  form: Record<string, string> = {},
) => ada.send(`/settings/members/${id}/${verb}?organization=${desk.lab.organization}`, form);

const hookOf = async ({ desk }: Scene) => {
  const [hook] = await server.db.query<{ id: number }>(sql`
    select id from notification_group_webhook where group_id = ${desk.groupId}`);
  return { webhook_id: String(hook?.id) };
};

const nothing = async () => {};

interface Way {
  /** Before the alarm begins. */
  before?: (scene: Scene) => Promise<unknown>;
  comes(scene: Scene): Promise<unknown>;
  who: (scene: Scene) => string;
}

const vera = ({ desk }: Scene) => desk.lab.vera.email;
const nora = ({ desk }: Scene) => desk.lab.nora.email;

const WAYS: Record<string, Way> = {
  'an address, by the lab file': {
    comes: (scene) => appliesGroup(scene, { emails: ['new@lab.example'] }),
    who: () => 'new@lab.example',
  },
  'an account, by the lab file': {
    comes: (scene) => appliesGroup(scene, { accounts: [vera(scene)] }),
    who: vera,
  },
  'a webhook, by the lab file': {
    comes: (scene) => appliesGroup(scene, { webhooks: [HOOK] }),
    who: () => HOOK.url,
  },
  'an account that the lab file activates': {
    before: async (scene) => {
      await namesInGroup(scene, scene.desk.lab.vera);
      await scene.applies({ accounts: [{ email: vera(scene), active: false }] });
    },
    comes: (scene) => scene.applies({ accounts: [{ email: vera(scene), active: true }] }),
    who: vera,
  },
  'a member, by the lab file': {
    before: (scene) => namesInGroup(scene, scene.desk.lab.nora),
    comes: (scene) => scene.appliesHere({ members: [{ email: nora(scene), role: 'viewer' }] }),
    who: nora,
  },
  'the group that the lab file chooses for the service': {
    before: ({ appliesHere }) => appliesHere({ groups: [{ name: 'Day team', emails: ['day@lab.example'] }] }),
    comes: ({ appliesHere, freezer: { name, device } }) =>
      appliesHere({ services: [{ name, device: { key: device }, notifications: { group: 'Day team' } }] }),
    who: () => 'day@lab.example',
  },
  'an address, on the page of the group': {
    comes: (scene) => changesGroup(scene, 'add-email', { email: 'new@lab.example' }),
    who: () => 'new@lab.example',
  },
  'an account, on the page of the group': {
    comes: (scene) => changesGroup(scene, 'add-member', { account_id: String(scene.desk.lab.vera.id) }),
    who: vera,
  },
  'a webhook, on the page of the group': {
    comes: (scene) => changesGroup(scene, 'add-webhook', HOOK),
    who: () => HOOK.url,
  },
  'a webhook that is switched on again': {
    before: async (scene) => {
      await appliesGroup(scene, { webhooks: [HOOK] });
      await changesGroup(scene, 'disable-webhook', await hookOf(scene));
    },
    comes: async (scene) => changesGroup(scene, 'enable-webhook', await hookOf(scene)),
    who: () => HOOK.url,
  },
  'an account that is activated again': {
    before: async (scene) => {
      await namesInGroup(scene, scene.desk.lab.vera);
      await changesMember(scene, scene.desk.lab.vera, 'deactivate');
    },
    comes: (scene) => changesMember(scene, scene.desk.lab.vera, 'activate'),
    who: vera,
  },
  'an account that accepts an invitation': {
    before: async (scene) => {
      await namesInGroup(scene, scene.desk.lab.nora);
      await scene.ada.send(`/settings/members/invite?organization=${scene.desk.lab.organization}`, {
        email: nora(scene),
        name: 'Nora',
        role: 'viewer',
      });
    },
    comes: async ({ desk }) => {
      const [invitation] = await server.db.query<{ id: number }>(sql`
        select id from invitation where organization_id = ${desk.lab.organization}`);
      await (await signedIn(server, desk.lab.nora)).send(`/invitations/${invitation?.id}/accept`);
    },
    who: nora,
  },
};

test.each(Object.entries(WAYS))('%s', async (_, { before = nothing, comes, who }) => {
  const desk = await openDeliveryDesk(server);
  const scene = await openScene(desk);
  await before(scene);
  await desk.lab.post({ device: scene.freezer.device, values: { temperature: -40 } });
  await desk.strike(seconds(1));
  await desk.strike(seconds(2));
  const told = () => desk.postbox.tellAll();
  expect(told()).toEqual([`cold@lab.example: ${scene.freezer.name}`]);
  await comes(scene);
  await desk.strike(seconds(1));
  await desk.strike(seconds(2));
  expect(told().slice(1)).toEqual([`${who(scene)}: ${scene.freezer.name}`]);
});

test.each<[string, (scene: Scene) => Promise<unknown>]>([
  [
    'gets the right secret by the lab file',
    (scene) => appliesGroup(scene, { webhooks: [{ ...HOOK, secret: 'the new secret of it' }] }),
  ],
  [
    'is switched off and on',
    async (scene) => {
      const hook = await hookOf(scene);
      await changesGroup(scene, 'disable-webhook', { ...hook, sure: 'yes' });
      await changesGroup(scene, 'enable-webhook', hook);
    },
  ],
])('a webhook that refuses, and %s, is tried again at once', async (_, comes) => {
  const desk = await openDeliveryDesk(server, { webhooks: [HOOK] });
  const scene = await openScene(desk);
  desk.postbox.answer = () => refused('401');
  await desk.lab.post({ device: scene.freezer.device, values: { temperature: -40 } });
  for (let round = 0; round < 30; round += 1) await desk.strike(seconds(10));
  expect(await desk.deliveries()).toMatchObject([{ state: 'queued', attempts: 4 }]);
  desk.postbox.answer = null;
  await comes(scene);
  await desk.strike(seconds(1));
  expect(await desk.deliveries()).toMatchObject([{ state: 'sent', attempts: 5 }]);
});
