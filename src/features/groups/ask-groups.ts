// What is asked before a group loses somebody, or is deleted.
import { sayOne } from '../../domain/language/sayable.ts';
import { listNames } from '../../domain/list-names.ts';
import type { ActQuestion } from '../../engine/pages/ask.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import { readRelays } from '../../engine/relays/relays.ts';
import { kindNamed } from '../../engine/transports/webhook/kinds.ts';
import { shortenAddress } from '../../engine/transports/webhook/shorten-address.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import type { FormFields } from '../../platform/http/form-body.ts';
import { readGroupModel } from './page-model.ts';
import { type Group, selectAccounts, selectEmails, selectServices, selectWebhooks } from './queries.ts';

interface Asked {
  group: Group;
  form: FormFields;
  visitor: Visitor;
}

/** null: there is nothing that it could be done to. */
type GroupQuestion = (db: ReadDatabase, asked: Asked) => Promise<ActQuestion | null>;

const sayGone = (name: string, { group, visitor: { language } }: Asked): string =>
  language.say('{name} is no longer notified by {groups}.', { name, groups: group.name });

const askPerson: GroupQuestion = async (db, asked) => {
  const { say } = asked.visitor.language;
  const account = (await selectAccounts(db, asked.group)).find(
    ({ id, isInGroup }) => isInGroup && String(id) === asked.form.account_id,
  );
  if (!account) return null;
  const { name, isMember } = account;
  return { act: say('Remove {name}', { name }), says: [sayGone(name, asked)], canUndo: isMember };
};

const askEmail: GroupQuestion = async (db, asked) => {
  const { email: name = '' } = asked.form;
  const { say } = asked.visitor.language;
  if (!(await selectEmails(db, asked.group)).includes(name)) return null;
  return { act: say('Remove {name}', { name }), says: [sayGone(name, asked)], canUndo: true };
};

const askWebhook =
  (isOff: boolean): GroupQuestion =>
  async (db, { group, form, visitor: { language } }) => {
    const webhook = (await selectWebhooks(db, group)).find(({ id }) => String(id) === form.webhook_id);
    if (!webhook || (isOff && webhook.disabledAt)) return null;
    const { say } = language;
    const what = {
      kind: sayOne(kindNamed(webhook.kind).label, language),
      address: shortenAddress(webhook.url),
    };
    return {
      act: isOff ? say('Switch off {kind} at {address}', what) : say('Remove {kind} at {address}', what),
      says: [say('Nothing is sent to it from now on.')],
      canUndo: isOff,
    };
  };

const askRelay: GroupQuestion = async (db, { group, form, visitor: { language } }) => {
  const relay = (await readRelays(db, group.id)).find(({ id }) => String(id) === form.relay_id);
  if (!relay) return null;
  const { say } = language;
  return {
    act: say('Remove {url} switch {number}', { url: relay.url, number: relay.switchId }),
    says: [say('It does not go on any more when a critical alarm begins.')],
    canUndo: false,
  };
};

const askUnplace: GroupQuestion = async (db, { group, form, visitor }) => {
  const { ladder } = await readGroupModel(db, group, visitor);
  const rung = ladder?.rungs.find(({ step }) => String(step) === form.step);
  const one = rung?.stand.find(({ who, during }) => who === form.who && during === form.during);
  if (!rung || !one) return null;
  const { say } = visitor.language;
  const facts = { step: rung.step, name: one.name };
  return {
    act: say('Remove from step {step}: {name}', facts),
    says: [say('{name} is no longer notified on step {step}.', facts)],
    canUndo: true,
  };
};

const askDelete: GroupQuestion = async (db, { group, visitor: { language } }) => {
  const services = await selectServices(db, group);
  const { say } = language;
  return {
    act: say('Delete {name}', { name: group.name }),
    says: [
      services.length === 0
        ? say('No equipment notifies this group. Nothing else changes.')
        : say('Without a group from now on: {names}.', {
            names: listNames(
              services.map(({ name }) => name),
              'and',
              language,
            ),
          }),
    ],
    canUndo: false,
  };
};

/** By the word of the act. */
export const GROUP_QUESTIONS: Record<string, GroupQuestion> = {
  delete: askDelete,
  'remove-member': askPerson,
  'remove-email': askEmail,
  'remove-webhook': askWebhook(false),
  'disable-webhook': askWebhook(true),
  'remove-relay': askRelay,
  unplace: askUnplace,
};
