import type { Notice } from '../../domain/notice.ts';

const RANK: Record<Notice['kind'], number> = {
  critical: 0,
  warning: 1,
  system: 2,
  acknowledgement: 3,
  recovery: 4,
};

/** Bad news before good news; silence before data that came back; of the same kind the oldest first. */
export const compareWorstFirst = (one: Notice, other: Notice): number =>
  RANK[one.kind] - RANK[other.kind] ||
  Number(one.severity === 'normal') - Number(other.severity === 'normal') ||
  one.at.getTime() - other.at.getTime() ||
  one.serviceName.localeCompare(other.serviceName, 'en', { numeric: true });
