// Eve administers one organization and wants into Ada's, by way of Mia, who is to belong to Ada's. Eve reads whatever mail
// the pages show her, keeps every link, password and token she gets hold of, and tries them all.
import { pino } from 'pino';
import sql from 'sql-template-tag';
import { expect, onTestFinished } from 'vitest';
import type { AccountId } from '../../src/domain/ids.ts';
import { sendAccountMails } from '../../src/engine/accounts/send-account-mails.ts';
import { openMailer } from '../../src/engine/mail/mailer.ts';
import { createAccountByHand, setPasswordByHand } from '../../src/features/accounts/commands.ts';
import { readConfig } from '../../src/platform/config.ts';
import { createFreezer } from './equipment.ts';
import { invitePeople, type People, type Person } from './people.ts';
import { settled } from './settled-delivery.ts';
import { askToken } from './sign-in.ts';
import { openSmtpReceiver } from './smtp-receiver.ts';
import type { TestServer } from './test-server.ts';
import { openVisitor } from './visitor.ts';

export type MailMode = 'mail leaves' | 'mail is kept';

const MEMBERS = '/settings/members';
const EVES_PASSWORD = 'known to Eve alone';
const MIAS_PASSWORD = 'known to Mia alone';
const LINK = /https:\/\/tocsin\.lab\.example(\/(?:activate|reset-password|join)\/[\w-]{43})/g;

export interface Scene {
  here: People;
  there: People;
  eve: Person;
  mia: string;
  /** A form of Eve's page of Mia. */
  eveSends(verb: string, form?: Record<string, string>): Promise<Response>;
  eveInvites(role?: string): Promise<void>;
  adaInvites(): Promise<void>;
  /** Reads and keeps every link in the mail that Eve may read. */
  eveReads(): Promise<string[]>;
  /** Every link she knows, with a password of hers; then she signs in and keeps the token. */
  eveFollows(): Promise<void>;
  /** Signed in as Mia, if she can, she accepts what waits. */
  eveAccepts(): Promise<void>;
  /** Mia gets into Eve's organization by the command line, with a password that Eve does not know. */
  operatorAdds(): Promise<void>;
  /** Mia herself, in Eve's organization and in good faith. */
  miaActivates(): Promise<void>;
  /** Mia herself, and in good faith: by her mail, or by the link that Ada hands on, or with the operator's help. */
  miaJoins(): Promise<void>;
  /** The status of a mute in Ada's organization with everything that Eve has. */
  eveMutes(): Promise<number[]>;
  miaMutes(): Promise<number>;
}

export async function openHostileScene(server: TestServer, mode: MailMode): Promise<Scene> {
  const [here, there] = [await invitePeople(server), await invitePeople(server)];
  const [eve, ada] = [here.ada, there.ada];
  const freezer = await createFreezer(server, there, { name: 'Freezer 1' });
  const mia = `mia.${here.organization}@lab.example`;
  const links = new Set<string>();
  const tokens = new Set<string>();

  const receiver = mode === 'mail leaves' ? await openSmtpReceiver() : null;
  const mailer = openMailer({
    settings: settled(readConfig(receiver ? { SMTP_URL: receiver.url } : {})),
    db: server.db,
  });
  onTestFinished(() => mailer.close());
  const deliver = async () => {
    const deps = {
      db: server.db,
      mailer,
      log: pino({ level: 'silent' }),
      publicUrl: () => 'https://tocsin.lab.example',
    };
    while ((await sendAccountMails(deps, server.clock.read())) > 0);
  };

  const readKept = async (reader: Person): Promise<string[]> => {
    await deliver();
    const list = await (await reader.get('/settings/mail')).text();
    const paths = [...list.matchAll(/href="(\/settings\/mail\/\d+)[^"]*"/g)].map(([, path]) => path ?? '');
    const pages = await Promise.all(paths.map(async (path) => (await reader.get(path)).text()));
    return pages.flatMap((page) => [...page.matchAll(LINK)].map(([, link]) => link ?? ''));
  };
  /** Newest first. */
  const miasMail = (): string[] =>
    (receiver?.mails ?? [])
      .filter(({ to_ }) => to_.includes(mia))
      .flatMap(({ text = '' }) => [...text.matchAll(LINK)].map(([, link]) => link ?? ''))
      .toReversed();

  const follow = (link: string, password: string) =>
    openVisitor(server).send(link, {
      password,
      repeated: password,
      password_again: password,
      answer: 'accept',
    });
  const tokenFor = async (password: string): Promise<string | undefined> => {
    // Nobody here guesses; everybody comes from the same address.
    await server.db.query(sql`delete from sign_in_throttle`);
    await server.db.query(sql`delete from sign_in_budget`);
    const answer = await askToken(server, { username: mia, password });
    return ((await answer.json()) as { access_token?: string }).access_token;
  };
  const mute = async (token: string): Promise<number> => {
    const answer = await fetch(`${server.url}/api/v1/services/${freezer.id}/mute`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
    return answer.status;
  };
  const idOf = async () =>
    (await server.db.query<{ id: AccountId }>(sql`select id from account where email = ${mia}`))[0]?.id;
  const invitations = async () =>
    (
      await server.db.query<{ id: number }>(sql`
        select id from invitation where account_id = ${await idOf()} order by id`)
    ).map(({ id }) => id);
  const acceptAll = async (token: string) => {
    for (const id of await invitations())
      await fetch(`${server.url}/invitations/${id}/accept`, {
        method: 'POST',
        redirect: 'manual',
        headers: { authorization: `Bearer ${token}` },
      });
  };
  const isThere = async () =>
    (
      await server.db.query(sql`
        select from membership where account_id = ${await idOf()} and organization_id = ${there.organization}`)
    ).length > 0;

  const scene: Scene = {
    here,
    there,
    eve,
    mia,
    eveSends: async (verb, form = {}) => eve.post(`${MEMBERS}/${await idOf()}/${verb}`, form),
    async eveInvites(role = 'operator') {
      await eve.post(`${MEMBERS}/invite`, { email: mia, name: 'Mia', role });
    },
    async adaInvites() {
      const answer = await ada.post(`${MEMBERS}/invite`, { email: mia, name: 'Mia', role: 'operator' });
      expect(answer.status).toBe(303);
    },
    async eveReads() {
      for (const link of await readKept(eve)) links.add(link);
      return [...links];
    },
    async eveFollows() {
      for (const link of await scene.eveReads()) await follow(link, EVES_PASSWORD);
      const token = await tokenFor(EVES_PASSWORD);
      if (token) tokens.add(token);
    },
    async eveAccepts() {
      const token = await tokenFor(EVES_PASSWORD);
      if (token) tokens.add(token);
      for (const one of tokens) await acceptAll(one);
    },
    async operatorAdds() {
      const [row] = await server.db.query<{ name: string }>(sql`
        select name from organization where id = ${here.organization}`);
      const account = { email: mia, name: 'Mia', timezone: 'UTC', password: MIAS_PASSWORD };
      const input = { ...account, organization: row?.name ?? '' };
      expect(await createAccountByHand(server.db, input, server.clock.read())).toMatchObject({ ok: true });
    },
    async miaActivates() {
      await deliver();
      const [link] = receiver
        ? miasMail()
        : (await readKept(eve)).filter((path) => path.includes('activate'));
      expect((await follow(link ?? '', MIAS_PASSWORD)).status).toBe(303);
    },
    async miaJoins() {
      await deliver();
      for (const link of receiver ? miasMail() : await readKept(ada))
        if (!(await isThere())) await follow(link, MIAS_PASSWORD);
      if (await isThere()) return;
      let token = await tokenFor(MIAS_PASSWORD);
      if (token) await acceptAll(token);
      if (await isThere()) return;
      await setPasswordByHand(server.db, mia, MIAS_PASSWORD, server.clock.read());
      token = await tokenFor(MIAS_PASSWORD);
      await acceptAll(token ?? '');
      expect(await isThere()).toBe(true);
    },
    async eveMutes() {
      await scene.eveFollows();
      await scene.eveAccepts();
      return Promise.all([...tokens].map(mute));
    },
    miaMutes: async () => mute((await tokenFor(MIAS_PASSWORD)) ?? ''),
  };
  return scene;
}
