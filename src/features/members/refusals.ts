// Everything a form of this room can be refused for, in words, beside the field they are about.

import { message } from '../../domain/language/message.ts';
import type { Sayable } from '../../domain/language/sayable.ts';
import { sayNameTooLong } from '../../domain/names.ts';

export type MemberRefusal =
  | 'not_an_email'
  | 'no_name'
  | 'name_too_long'
  | 'no_such_role'
  | 'already_member'
  | 'already_invited'
  | 'no_such_invitation'
  | 'activated_already'
  | 'last_administrator'
  | 'last_keeper'
  | 'belongs_elsewhere'
  | 'own_account'
  | 'own_password'
  | 'barred'
  | 'cannot_sign_in'
  | 'mailed_enough'
  | 'too_many_mails'
  | 'wrong_days';

export const MEMBER_REFUSALS: Record<MemberRefusal, [field: string, text: Sayable]> = {
  wrong_days: ['device_days', message('Choose a number of days from the list.')],
  not_an_email: ['email', message('This is not an email address. Write it like vera@lab.example.')],
  no_name: ['name', message('Write the name of the person.')],
  name_too_long: ['name', sayNameTooLong],
  no_such_role: ['role', message('Choose a role from the list.')],
  already_member: ['email', message('This person is a member of the organization already.')],
  already_invited: [
    'email',
    message('This address is invited already. To offer another role, withdraw that invitation first.'),
  ],
  no_such_invitation: [
    'account',
    message('This invitation is no longer open: it was answered or withdrawn.'),
  ],
  activated_already: [
    'account',
    message('The account is activated already, or deactivated: no mail was sent.'),
  ],
  last_administrator: [
    'role',
    message('Nobody else could administer the organization then. Make somebody else an administrator first.'),
  ],
  last_keeper: [
    'account',
    message(
      'This is the last keeper of the service. Somebody else has to be made keeper first: by them on the page Delivery, or by whoever runs the service.',
    ),
  ],
  belongs_elsewhere: [
    'account',
    message(
      'This account belongs to another organization as well, which you do not administer. Nothing was changed.',
    ),
  ],
  own_account: ['account', message('This is your own account. Another administrator has to do that.')],
  own_password: ['password', message('Change your own password on your profile page.')],
  barred: [
    'account',
    message('Whoever runs the service deactivated this account, and only they can activate it.'),
  ],
  cannot_sign_in: [
    'account',
    message('Nobody can sign in with this account at the moment: no mail was sent.'),
  ],
  too_many_mails: [
    'email',
    message(
      'Enough invitations and tests were sent for now, to this address or in all: try again in an hour. Nobody was invited.',
    ),
  ],
  mailed_enough: [
    'account',
    message('Three such mails were written within the hour. The links in them still work.'),
  ],
};
