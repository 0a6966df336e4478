import type { Notice } from '../../domain/notifications/notice.ts';
import { type Happening, happeningOf } from '../transports/notice-words.ts';

const RANK: Partial<Record<Happening, number>> = { critical: 0, warning: 1, stale: 2 };
const THE_REST = 3;

/** What is not real, or over, comes after all that needs somebody. */
const rankOf = (notice: Notice): number =>
  notice.mark === null ? (RANK[happeningOf(notice)] ?? THE_REST) : THE_REST;

/** Critical, warning, stale, then the rest; among equals the oldest first. */
export const compareWorstFirst = (one: Notice, other: Notice): number =>
  rankOf(one) - rankOf(other) ||
  one.at.getTime() - other.at.getTime() ||
  one.serviceName.localeCompare(other.serviceName, 'en', { numeric: true });
