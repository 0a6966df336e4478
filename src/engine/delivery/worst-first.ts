import type { Notice } from '../../domain/notifications/notice.ts';
import { BEGINNINGS, isBeginning } from '../../domain/notifications/subject.ts';

/** What is not real, or over, comes after all that needs somebody. */
const rankOf = (notice: Notice): number =>
  notice.mark === null && isBeginning(notice.subject)
    ? BEGINNINGS.indexOf(notice.subject)
    : BEGINNINGS.length;

/** Critical, warning, stale, then the rest; among equals the oldest first. */
export const compareWorstFirst = (one: Notice, other: Notice): number =>
  rankOf(one) - rankOf(other) ||
  one.at.getTime() - other.at.getTime() ||
  one.serviceName.localeCompare(other.serviceName, 'en', { numeric: true });
