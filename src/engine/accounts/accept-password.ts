import {
  type AcceptedPassword,
  judgePassword,
  type PasswordFault,
  type PasswordOwner,
} from '../../domain/accounts/password.ts';
import type { Result } from '../../domain/result.ts';
import { isCommonPassword } from '../../platform/auth/common-passwords.ts';

export const acceptPassword = (
  password: string,
  owner: PasswordOwner = {},
): Result<AcceptedPassword, PasswordFault> => judgePassword(password, owner, isCommonPassword);
