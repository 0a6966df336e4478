import type { Subject } from '../../../../domain/notifications/subject.ts';

export const COLORS: Record<Subject, string> = {
  critical: '#d92d20',
  warning: '#f79009',
  stale: '#667085',
  acknowledgement: '#1570ef',
  arrival: '#1570ef',
  recovery: '#12b76a',
  back: '#12b76a',
};
