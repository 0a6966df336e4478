import type { Happening } from '../../notice-words.ts';

export const COLORS: Record<Happening, string> = {
  critical: '#d92d20',
  warning: '#f79009',
  stale: '#667085',
  acknowledgement: '#1570ef',
  recovery: '#12b76a',
  back: '#12b76a',
};
