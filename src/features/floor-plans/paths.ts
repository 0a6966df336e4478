export const FLOOR_PLANS = '/settings/floor-plans';
