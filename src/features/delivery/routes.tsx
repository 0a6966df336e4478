// The pages of keepers. For everybody else there is nothing here.
import type { FastifyReply } from 'fastify';
import { normaliseEmail } from '../../domain/accounts/email.ts';
import { message } from '../../domain/language/message.ts';
import { sayOne } from '../../domain/language/sayable.ts';
import { type KeeperRefusal, setKeeper } from '../../engine/accounts/keepers.ts';
import type { DeliverySettings } from '../../engine/delivery-settings/delivery-settings.ts';
import { SETTING_NAMES, type SettingName } from '../../engine/delivery-settings/stored.ts';
import { answerErrorPage, answerPage } from '../../engine/pages/answer-page.ts';
import { type ActQuestion, AskPage, readAskedForm } from '../../engine/pages/ask.tsx';
import { type PageDeps, routePage, type Visit } from '../../engine/pages/page-routes.ts';
import type { Visitor } from '../../engine/pages/visitor.ts';
import type { Database } from '../../platform/db/database.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { askKeeper, askRemove } from './ask-delivery.ts';
import { removeSetting, storeSetting } from './change-setting.ts';
import { DeliveryPage } from './delivery-view.tsx';
import { readDelivery, SECRETS } from './page-model.ts';
import { DELIVERY, type SettingFault } from './setting-card.tsx';
import { MOST_TRIES_A_MINUTE, noteTry, TRIED_KINDS, type Tried, tryKind } from './try-setting.tsx';

export interface DeliveryPageDeps extends PageDeps {
  db: Database;
  delivery: DeliverySettings;
  /** What links begin with at this moment. */
  linkBase: () => string;
}

type KeeperVisit = Visit & { visitor: Visitor };

const DONE: Record<string, string> = {
  stored: message('Saved. It counts from now on, in every program.'),
  removed: message('Removed.'),
  keeper: message('Keeper now: the page is open to them from the next click on.'),
  'no-keeper': message('No keeper any more.'),
};

const KEEPER_FAULTS = {
  no_such_account: message('There is no account with this email.'),
  not_active: message('This account is deactivated.'),
  last_keeper: message('This is the last keeper who can sign in: make somebody else keeper first.'),
} satisfies Record<KeeperRefusal, string>;

const SECRET_FIELDS = [...SECRETS, 'headers', 'body'];

export function routeDeliveryPages(app: HttpServer, deps: DeliveryPageDeps): void {
  const { db, delivery } = deps;

  const show = async (
    { reply, visitor, query }: KeeperVisit,
    news: { fault?: SettingFault; tried?: Tried } = {},
  ) => {
    const { fault = null, tried = null } = news;
    const done = query.done !== undefined && Object.hasOwn(DONE, query.done) ? DONE[query.done] : undefined;
    const model = await readDelivery(deps, visitor);
    const status = fault || tried?.isSent === false ? 422 : 200;
    return answerPage(
      reply,
      status,
      <DeliveryPage
        {...model}
        visitor={visitor}
        done={fault || tried || done === undefined ? null : sayOne(done, visitor.language)}
        fault={fault}
        tried={tried}
      />,
    );
  };

  const route = (
    method: 'GET' | 'POST',
    path: string,
    answer: (visit: KeeperVisit) => Promise<FastifyReply>,
  ) =>
    routePage(app, deps, {
      method,
      url: DELIVERY + path,
      show: (visit) => (visit.visitor.isKeeper ? answer(visit) : answerErrorPage(visit.reply, 404)),
    });

  const refuse = (visit: KeeperVisit, form: string, { field, text }: { field: string; text: string }) => {
    const typed = Object.entries(visit.form).filter(([name]) => !SECRET_FIELDS.includes(name));
    return show(visit, { fault: { form, field, text, typed: Object.fromEntries(typed) } });
  };

  const answerQuestion = async (visit: KeeperVisit, question: ActQuestion | null, part: string) => {
    const { request, reply, visitor } = visit;
    const form = readAskedForm(visit.query);
    if (!question || !form) return answerErrorPage(reply, 404);
    const [action = ''] = request.url.split('?');
    const asked = { question, losses: [], action, form, back: DELIVERY + part };
    return answerPage(reply, 200, <AskPage visitor={visitor} current={DELIVERY} {...asked} />);
  };

  route('GET', '', (visit) => show(visit));

  for (const name of SETTING_NAMES) {
    route('POST', `/${name}`, (visit) => store(visit, name));
    route('GET', `/${name}/remove`, async (visit) => {
      const { settings } = await readDelivery(deps, visit.visitor);
      return answerQuestion(visit, askRemove(name, settings[name], visit.visitor.language), `#${name}`);
    });
    route('POST', `/${name}/remove`, async ({ reply, visitor }) => {
      await db.transaction((tx) => removeSetting(tx, visitor, { name }, visitor.now));
      await delivery.refresh();
      return reply.redirect(`${DELIVERY}?done=removed#${name}`, 303);
    });
  }

  const store = async (visit: KeeperVisit, name: SettingName) => {
    const { reply, visitor, form } = visit;
    const shown = name === 'sms' && form.gateway === 'custom' ? 'custom' : name;
    const key = await delivery.key.readOrMake();
    if (typeof key === 'string')
      return refuse(visit, shown, {
        field: '',
        text: visitor.language.say(
          'Nothing was stored, for there is no key to keep it with: {fault}. Set TOCSIN_KEY.',
          { fault: key },
        ),
      });
    const given = { name, form, key, language: visitor.language };
    const stored = await db.transaction((tx) => storeSetting(tx, visitor, given, visitor.now));
    if (!stored.ok) return refuse(visit, shown, stored.refusal);
    await delivery.refresh();
    return reply.redirect(`${DELIVERY}?done=stored#${name}`, 303);
  };

  for (const kind of TRIED_KINDS)
    route('POST', `/try/${kind}`, async (visit) => {
      const { visitor } = visit;
      const noted = await db.transaction((tx) => noteTry(tx, visitor, { kind }, visitor.now));
      if (!noted.ok) {
        const summary = visitor.language.say('{most} tries a minute are enough. Wait a little.', {
          most: MOST_TRIES_A_MINUTE,
        });
        return show(visit, { tried: { kind, isSent: false, summary, answer: null } });
      }
      const inForce = await delivery.refresh();
      const tryDeps = { db, inForce, linkBase: deps.linkBase() };
      return show(visit, { tried: await tryKind(tryDeps, visitor, kind, visitor.now) });
    });

  const changeKeeper = (isKeeper: boolean) => async (visit: KeeperVisit) => {
    const { reply, visitor, form } = visit;
    const email = normaliseEmail(form.email ?? '');
    const set = await db.transaction((tx) => setKeeper(tx, visitor, { email, isKeeper }, visitor.now));
    if (!set.ok)
      return refuse(visit, 'keepers', {
        field: 'email',
        text: visitor.language.say(KEEPER_FAULTS[set.refusal]),
      });
    const isStillOne = isKeeper || email !== visitor.email;
    return reply.redirect(
      isStillOne ? `${DELIVERY}?done=${isKeeper ? 'keeper' : 'no-keeper'}#keepers` : '/',
      303,
    );
  };
  route('GET', '/keepers/remove', async (visit) => {
    const { keepers } = await readDelivery(deps, visit.visitor);
    const keeper = keepers.find(({ email }) => email === visit.query.email);
    return answerQuestion(visit, keeper ? askKeeper(keeper.name, visit.visitor.language) : null, '#keepers');
  });
  route('POST', '/keepers/add', changeKeeper(true));
  route('POST', '/keepers/remove', changeKeeper(false));
}
