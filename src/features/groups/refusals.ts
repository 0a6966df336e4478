// Everything a form of this room can be refused for, in words, beside the field they are about.

import { message } from '../../domain/language/message.ts';
import { type Sayable, sayOne } from '../../domain/language/sayable.ts';
import type { Language } from '../../domain/language/speak.ts';
import { sayMost } from '../../domain/mosts.ts';
import { sayNameTooLong } from '../../domain/names.ts';
import {
  LONGEST_ACKNOWLEDGED_MINUTES,
  LONGEST_WAIT_MINUTES,
  SHORTEST_ACKNOWLEDGED_MINUTES,
} from '../../domain/notifications/ladder.ts';
import { TOO_MANY_UNPROVED } from '../../engine/outbox/unproved-mail.ts';
import { UNKNOWN_LANGUAGE } from '../../engine/pages/language-field.tsx';

export type GroupField =
  | 'name'
  | 'email'
  | 'account_id'
  | 'kind'
  | 'url'
  | 'secret'
  | 'group'
  | 'step'
  | 'who'
  | 'acknowledged_minutes'
  | 'relay_url'
  | 'language';

export type GroupRefusal =
  /** What the transport finds wrong with it, in words. */
  { webhook: string } | GroupWord;

type GroupWord =
  | 'no_name'
  | 'name_too_long'
  | 'name_taken'
  | 'not_an_email'
  | 'email_there'
  | 'no_such_member'
  | 'member_there'
  | 'unknown_kind'
  | 'not_a_web_address'
  | 'credentials_in_address'
  | 'address_too_long'
  | 'webhook_there'
  | 'secret_too_long'
  | 'nobody_to_tell'
  | 'too_many_unproved'
  | 'too_many_steps'
  | 'not_minutes'
  | 'not_later'
  | 'no_kind'
  | 'step_in_use'
  | 'no_such_step'
  | 'nobody_chosen'
  | 'stands_there'
  | 'not_standing_minutes'
  | 'not_a_switch'
  | 'relay_there'
  | 'too_many_relays'
  | 'unknown_language';

const WORDS: Record<GroupWord, [field: GroupField, text: Sayable]> = {
  no_name: ['name', message('Give the group a name.')],
  name_too_long: ['name', sayNameTooLong],
  name_taken: ['name', message('This organization has a group of that name already. Choose another name.')],
  not_an_email: ['email', message('This is not an email address. Write it like cold-team@lab.example.')],
  email_there: ['email', message('This address is in the group already.')],
  no_such_member: [
    'account_id',
    message('Choose somebody from the list: only members of the organization can be added.'),
  ],
  member_there: ['account_id', message('This person is in the group already.')],
  unknown_kind: ['kind', message('Choose a kind from the list.')],
  not_a_web_address: ['url', message('This is not a web address. It starts with https:// or http://.')],
  credentials_in_address: [
    'url',
    message('Leave user and password out of the address: it is shown to other administrators.'),
  ],
  address_too_long: ['url', message('The address is too long: at most 2000 characters.')],
  webhook_there: ['url', message('The group has a webhook of this kind with this address already.')],
  secret_too_long: ['secret', message('A secret has at most 500 characters.')],
  nobody_to_tell: ['group', message('There is nobody to notify in this group. Add somebody first.')],
  too_many_unproved: ['group', TOO_MANY_UNPROVED],
  too_many_steps: ['step', (language) => sayMost('steps', language)],
  not_minutes: [
    'step',
    ({ say }) => say('Write whole minutes, from 1 to {most}.', { most: LONGEST_WAIT_MINUTES }),
  ],
  not_later: ['step', message('A later step must have more minutes than the one before it.')],
  no_kind: ['step', message('Choose what the step is for.')],
  step_in_use: ['step', message('Take everybody off this step first.')],
  no_such_step: ['step', message('The group has no such step.')],
  nobody_chosen: ['who', message('Choose somebody, or write an address.')],
  not_a_switch: [
    'relay_url',
    message('Write the address of the switch like http://10.0.0.7, without a user.'),
  ],
  relay_there: ['relay_url', message('The group has this switch already.')],
  too_many_relays: ['relay_url', (language) => sayMost('relays', language)],
  not_standing_minutes: [
    'acknowledged_minutes',
    ({ say }) =>
      say('Write whole minutes from {least} to {most}, or nothing.', {
        least: SHORTEST_ACKNOWLEDGED_MINUTES,
        most: LONGEST_ACKNOWLEDGED_MINUTES,
      }),
  ],
  unknown_language: ['language', UNKNOWN_LANGUAGE],
  stands_there: ['who', message('Choose somebody of this organization who does not stand there already.')],
};

export function describeRefusal(
  refusal: GroupRefusal,
  language: Language,
): [field: GroupField, text: string] {
  if (typeof refusal === 'object') return ['url', language.say('{fault}.', { fault: refusal.webhook })];
  const [field, text] = WORDS[refusal];
  return [field, sayOne(text, language)];
}
