// Everything a form of this room can be refused for, in words, beside the field they are about.

import { sayMost } from '../../domain/mosts.ts';
import { LONGEST_NAME } from '../../domain/names.ts';
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

const WORDS: Record<GroupWord, [field: GroupField, text: string]> = {
  no_name: ['name', 'Give the group a name.'],
  name_too_long: ['name', `Choose a name of at most ${LONGEST_NAME} characters.`],
  name_taken: ['name', 'This organization has a group of that name already. Choose another name.'],
  not_an_email: ['email', 'This is not an email address. Write it like cold-team@lab.example.'],
  email_there: ['email', 'This address is in the group already.'],
  no_such_member: [
    'account_id',
    'Choose somebody from the list: only members of the organization can be added.',
  ],
  member_there: ['account_id', 'This person is in the group already.'],
  unknown_kind: ['kind', 'Choose a kind from the list.'],
  not_a_web_address: ['url', 'This is not a web address. It starts with https:// or http://.'],
  credentials_in_address: [
    'url',
    'Leave user and password out of the address: it is shown to other administrators.',
  ],
  address_too_long: ['url', 'The address is too long: at most 2000 characters.'],
  webhook_there: ['url', 'The group has a webhook of this kind with this address already.'],
  secret_too_long: ['secret', 'A secret has at most 500 characters.'],
  nobody_to_tell: ['group', 'There is nobody to tell in this group. Add somebody first.'],
  too_many_unproved: ['group', TOO_MANY_UNPROVED],
  too_many_steps: ['step', sayMost('steps')],
  not_minutes: ['step', `Write whole minutes, from 1 to ${LONGEST_WAIT_MINUTES}.`],
  not_later: ['step', 'A later step must have more minutes than the one before it.'],
  no_kind: ['step', 'Choose what the step is for.'],
  step_in_use: ['step', 'Take everybody off this step first.'],
  no_such_step: ['step', 'The group has no such step.'],
  nobody_chosen: ['who', 'Choose somebody, or write an address.'],
  not_a_switch: ['relay_url', 'Write the address of the switch like http://10.0.0.7, without a user.'],
  relay_there: ['relay_url', 'The group has this switch already.'],
  too_many_relays: ['relay_url', sayMost('relays')],
  not_standing_minutes: [
    'acknowledged_minutes',
    `Write whole minutes from ${SHORTEST_ACKNOWLEDGED_MINUTES} to ${LONGEST_ACKNOWLEDGED_MINUTES}, or nothing.`,
  ],
  unknown_language: ['language', UNKNOWN_LANGUAGE],
  stands_there: ['who', 'Choose somebody of this organization who does not stand there already.'],
};

export const describeRefusal = (refusal: GroupRefusal): [field: GroupField, text: string] =>
  typeof refusal === 'object' ? ['url', `${refusal.webhook}.`] : WORDS[refusal];
