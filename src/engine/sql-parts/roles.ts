// What roles may, for conditions on a column `role`: `role = ${AN_ADMINISTRATOR}`.
import sql from 'sql-template-tag';
import { canAdminister, canOperate, ROLES, type Role } from '../../domain/accounts/role.ts';

const oneOf = (roles: readonly Role[]) => sql`any(${`{${roles.join()}}`}::text[])`;

export const AN_OPERATOR = oneOf(ROLES.filter(canOperate));
export const AN_ADMINISTRATOR = oneOf(ROLES.filter(canAdminister));
