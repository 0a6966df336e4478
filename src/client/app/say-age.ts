import type { Language } from '../../domain/language/speak.ts';

/** Of what is shown although it is not renewed any more. */
export const sayAge = (minutes: number, { say }: Language): string =>
  say('{minutes, plural, =0 {less than a minute} one {# minute} other {# minutes}}', { minutes });
