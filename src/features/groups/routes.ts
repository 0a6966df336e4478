import { h } from 'preact';
import type { OrganizationId } from '../../domain/ids.ts';
import { message } from '../../domain/language/message.ts';
import { type Sayable, sayOne } from '../../domain/language/sayable.ts';
import type { Result } from '../../domain/result.ts';
import { answerErrorPage, answerPage } from '../../engine/pages/answer-page.ts';
import { readAskedForm } from '../../engine/pages/ask.tsx';
import { askBefore, askFirst, type OrganizationVisit } from '../../engine/pages/ask-settings.ts';
import { readPageId } from '../../engine/pages/page-routes.ts';
import { settingsPath } from '../../engine/pages/settings-path.ts';
import {
  frameOf,
  routeSettingsPage,
  type SettingsVisit,
  visitIn,
} from '../../engine/pages/settings-routes.ts';
import type { WebhookSettings } from '../../engine/transports/webhook/webhook-check.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { administerGroup, canAdministerIn } from './administer-group.ts';
import { GROUP_QUESTIONS } from './ask-groups.ts';
import {
  addEmail,
  addMember,
  createGroup,
  type GroupVerb,
  remove,
  removeEmail,
  removeMember,
  rename,
  setLanguage,
} from './change-group.ts';
import { place, removeStep, setExpiry, setStep, unplace } from './change-ladder.ts';
import { addRelay, removeRelay } from './change-relays.ts';
import { addWebhook, removeWebhook, switchOffWebhook, switchOnWebhook } from './change-webhooks.ts';
import { type FormFault, GROUPS } from './form-fault.ts';
import { GroupPage } from './group-view.tsx';
import { GroupListPage } from './list-view.tsx';
import { readGroupModel } from './page-model.ts';
import { type Group, selectGroups } from './queries.ts';
import { describeRefusal, type GroupRefusal } from './refusals.ts';
import { sendTest } from './send-test.ts';

/** By the word in the address that a form leads to. */
const DONE: Record<string, Sayable> = {
  created: message('The group is there. Now add who is to be notified.'),
  deleted: message('The group is deleted.'),
  rename: message('The group has its new name.'),
  'add-member': message('Added. From now on this person is notified.'),
  'remove-member': message('Removed. This person is no longer notified by this group.'),
  'add-email': message('Added. From now on this address is notified.'),
  'remove-email': message('Removed. This address is no longer notified by this group.'),
  'add-webhook': message('The webhook is added. Send a test message to see whether it works.'),
  'remove-webhook': message('The webhook is removed.'),
  'disable-webhook': message('The webhook is off: nothing is sent to it.'),
  'enable-webhook': message('The webhook is on again.'),
  'set-step': message('The step is on the ladder. Now put somebody on it.'),
  'remove-step': message('The step is removed.'),
  place: message('On the ladder from now on.'),
  unplace: message('Taken off this step.'),
  'add-relay': message('The switch is added. It learns how to stand within seconds.'),
  'remove-relay': message('The switch is removed.'),
  'set-language': message('The language is set.'),
  'set-expiry': message('Set. It counts for acknowledgements that stand already, too.'),
};

const VERBS: Record<string, GroupVerb> = {
  rename,
  'add-member': addMember,
  'remove-member': removeMember,
  'add-email': addEmail,
  'remove-email': removeEmail,
  'remove-webhook': removeWebhook,
  'disable-webhook': switchOffWebhook,
  'enable-webhook': switchOnWebhook,
  'set-step': setStep,
  'remove-step': removeStep,
  place,
  unplace,
  'set-expiry': setExpiry,
  'set-language': setLanguage,
  'add-relay': addRelay,
  'remove-relay': removeRelay,
};

/** After these somebody may be missing. */
const TAKES_AWAY = ['remove-member', 'remove-email', 'remove-webhook', 'disable-webhook', 'unplace'];

export interface GroupPageDeps {
  db: Database;
  webhooks: WebhookSettings;
  publicUrl: () => URL | null;
}

export function routeGroupPages(app: HttpServer, deps: GroupPageDeps): void {
  const { db } = deps;

  const showList = async (visit: SettingsVisit, fault: FormFault | null = null) => {
    const { reply, organization } = visit;
    const groups = await selectGroups(db, organization.id);
    const frame = frameOf(visit, { done: findDone(visit), fault });
    return answerPage(reply, fault ? 422 : 200, h(GroupListPage, { frame, groups, fault }));
  };

  const showGroup = async (
    visit: SettingsVisit,
    group: Group,
    { fault = null, newSecret = null }: { fault?: FormFault | null; newSecret?: string | null } = {},
  ) => {
    const model = await readGroupModel(db, group, visit.visitor);
    const frame = frameOf(visitIn(visit, group.organizationId), { done: findDone(visit), fault });
    const props = { frame, group: model, fault, newSecret };
    return answerPage(visit.reply, fault ? 422 : 200, h(GroupPage, props));
  };

  const administer = ({ visitor, params }: SettingsVisit) =>
    administerGroup(db, visitor, readPageId(params.group_id) ?? 0);

  const askingOf = (
    visit: SettingsVisit,
    group: Group,
    word: string,
    act: ((tx: Tx) => Promise<Result<unknown, unknown>>) | null,
  ) => ({
    visit: visitIn(visit, group.organizationId),
    frame: frameOf(visitIn(visit, group.organizationId)),
    ask: async ({ form, visitor }: OrganizationVisit) =>
      (await GROUP_QUESTIONS[word]?.(db, { group, form, visitor })) ?? null,
    act,
    back: `${GROUPS}/${group.id}`,
  });

  routeSettingsPage(app, deps, { method: 'GET', url: GROUPS, show: (visit) => showList(visit) });

  routeSettingsPage(app, deps, {
    method: 'POST',
    url: GROUPS,
    show: async (visit) => {
      const { request, reply, form, visitor } = visit;
      const organizationId = readPageId<OrganizationId>(form.organization_id);
      if (organizationId === null || !canAdministerIn(visitor, organizationId))
        return answerErrorPage(reply, 404);
      const created = await db.transaction((tx) =>
        createGroup(tx, visitor, { organizationId, form }, request.now),
      );
      if (!created.ok) return showList(visitIn(visit, organizationId), describeFault(visit, created.refusal));
      return reply.redirect(`${GROUPS}/${created.value}?done=created`, 303);
    },
  });

  routeSettingsPage(app, deps, {
    method: 'GET',
    url: `${GROUPS}/:group_id`,
    show: async (visit) => {
      const permitted = await administer(visit);
      return permitted.ok ? showGroup(visit, permitted.value) : answerErrorPage(visit.reply, 404);
    },
  });

  for (const [word, verb] of Object.entries(VERBS)) {
    routeSettingsPage(app, deps, {
      method: 'POST',
      url: `${GROUPS}/:group_id/${word}`,
      show: async (visit) => {
        const { request, reply, form, visitor } = visit;
        const permitted = await administer(visit);
        if (!permitted.ok) return answerErrorPage(reply, 404);
        const group = permitted.value;
        const act = (tx: Tx) => verb(tx, visitor, { group, form }, request.now);
        if (TAKES_AWAY.includes(word)) {
          const question = await askFirst(db, askingOf(visit, group, word, act));
          if (question) return answerPage(reply, 200, question);
        }
        const changed = await db.transaction(act);
        if (!changed.ok)
          return showGroup(visit, permitted.value, { fault: describeFault(visit, changed.refusal) });
        return reply.redirect(`${GROUPS}/${permitted.value.id}?done=${word}`, 303);
      },
    });
  }

  routeSettingsPage(app, deps, {
    method: 'POST',
    url: `${GROUPS}/:group_id/add-webhook`,
    show: async (visit) => {
      const { request, reply, form, visitor } = visit;
      const permitted = await administer(visit);
      if (!permitted.ok) return answerErrorPage(reply, 404);
      const added = await db.transaction((tx) =>
        addWebhook(
          tx,
          visitor,
          { group: permitted.value, form, settings: deps.webhooks, language: visitor.language },
          request.now,
        ),
      );
      if (!added.ok) return showGroup(visit, permitted.value, { fault: describeFault(visit, added.refusal) });
      const { newSecret } = added.value;
      // Only this one answer holds the secret, so it cannot be a redirect; sent again, the form is refused.
      if (newSecret !== null) return showGroup(visit, permitted.value, { newSecret });
      return reply.redirect(`${GROUPS}/${permitted.value.id}?done=add-webhook`, 303);
    },
  });

  routeSettingsPage(app, deps, {
    method: 'POST',
    url: `${GROUPS}/:group_id/test`,
    show: async (visit) => {
      const { request, reply, visitor } = visit;
      const permitted = await administer(visit);
      if (!permitted.ok) return answerErrorPage(reply, 404);
      const sent = await db.transaction((tx) =>
        sendTest(tx, visitor, { group: permitted.value }, request.now),
      );
      if (!sent.ok) return showGroup(visit, permitted.value, { fault: describeFault(visit, sent.refusal) });
      return reply.redirect(`/settings/tests/${sent.value}`, 303);
    },
  });

  for (const word of Object.keys(GROUP_QUESTIONS))
    routeSettingsPage(app, deps, {
      method: 'GET',
      url: `${GROUPS}/:group_id/${word}`,
      show: async (visit) => {
        const { request, reply, visitor } = visit;
        const permitted = await administer(visit);
        const form = readAskedForm(visit.query);
        if (!permitted.ok || !form) return answerErrorPage(reply, 404);
        const group = permitted.value;
        const verb = TAKES_AWAY.includes(word) ? VERBS[word] : word === 'delete' ? remove : undefined;
        const act = verb ? (tx: Tx) => verb(tx, visitor, { group, form }, request.now) : null;
        const question = await askBefore(db, askingOf({ ...visit, form }, group, word, act));
        return question ? answerPage(reply, 200, question) : answerErrorPage(reply, 404);
      },
    });

  routeSettingsPage(app, deps, {
    method: 'POST',
    url: `${GROUPS}/:group_id/delete`,
    show: async (visit) => {
      const { request, reply, form, visitor } = visit;
      const permitted = await administer(visit);
      if (!permitted.ok) return answerErrorPage(reply, 404);
      await db.transaction((tx) => remove(tx, visitor, { group: permitted.value, form }, request.now));
      const organization = { id: permitted.value.organizationId };
      return reply.redirect(settingsPath(GROUPS, organization, { done: 'deleted' }), 303);
    },
  });
}

const findDone = ({ query: { done }, visitor: { language } }: SettingsVisit): string | null =>
  done !== undefined && Object.hasOwn(DONE, done) ? sayOne(DONE[done] ?? '', language) : null;

/** What was typed stays in the form, except for a secret. */
function describeFault(
  { form: { secret: _, relay_password: __, ...typed }, visitor: { language } }: SettingsVisit,
  refusal: GroupRefusal,
): FormFault {
  const [field, text] = describeRefusal(refusal, language);
  return { field, text, typed };
}
