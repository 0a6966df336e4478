import type { Role } from '../accounts/role.ts';
import type { Language } from '../language/speak.ts';

/** `viewer`: what somebody is in an organization. */
export const sayRole = (role: Role, { say }: Language): string =>
  say('{role, select, viewer {viewer} operator {operator} other {administrator}}', { role });
