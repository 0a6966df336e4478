export const HISTORY = '/history';
export const INSIGHT = `${HISTORY}/insight`;
