import { SHORTEST_PASSWORD } from '../../domain/accounts/password.ts';

export interface PasswordWords {
  path: string;
  title: string;
  lead: string;
  button: string;
  tooShort: string;
  /** What to do when the link leads nowhere any more. */
  dead: string;
}

const TOO_SHORT = `Choose a password of at least ${SHORTEST_PASSWORD} characters.`;

export type PasswordPurpose = 'password_reset' | 'activation';

export const PAGES: Record<PasswordPurpose, PasswordWords> = {
  password_reset: {
    path: '/reset-password',
    title: 'Set a new password',
    lead: 'All devices are signed out once it is set.',
    button: 'Set password',
    tooShort: TOO_SHORT,
    dead: 'It works once and for one hour. Ask for a new one.',
  },
  activation: {
    path: '/activate',
    title: 'Activate your account',
    lead: 'Choose a password, then you can sign in.',
    button: 'Activate account',
    tooShort: TOO_SHORT,
    dead: 'It works once and for seven days. If you have set a password already, sign in. Else ask for a new link.',
  },
};
