import type { Language } from '../../domain/language/speak.ts';

export interface PasswordWords {
  title: string;
  lead: string;
  button: string;
  /** What to do when the link leads nowhere any more. */
  dead: string;
}

export type PasswordPurpose = 'password_reset' | 'activation';

export const PATHS: Record<PasswordPurpose, string> = {
  password_reset: '/reset-password',
  activation: '/activate',
};

export const wordsOf = (purpose: PasswordPurpose, { say }: Language): PasswordWords =>
  purpose === 'password_reset'
    ? {
        title: say('Set a new password'),
        // For translators: a new password
        lead: say('All devices are signed out once it is set.'),
        button: say('Set password'),
        // For translators: a link to set a new password
        dead: say('It works once and for one hour. Ask for a new one.'),
      }
    : {
        title: say('Activate your account'),
        lead: say('Choose a password, then you can sign in.'),
        button: say('Activate account'),
        // For translators: a link to choose a password
        dead: say(
          'It works once and for seven days. If you have set a password already, sign in. Else ask for a new link.',
        ),
      };
