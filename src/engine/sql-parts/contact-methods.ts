// Which contact methods of people count.
import sql from 'sql-template-tag';

/** Proved by their code, and not switched off. */
export const IS_IN_USE = sql`verified_at is not null and disabled_at is null`;

/** Answered by SMS or by keys. */
export const IS_PHONE = sql`kind in ('sms', 'voice')`;
