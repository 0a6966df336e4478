export const ROLES = ['viewer', 'operator', 'administrator'] as const;
export type Role = (typeof ROLES)[number];

/** Acknowledge, mute, schedule downtime. null: no role there. */
export const canOperate = (role: Role | null): boolean => role === 'operator' || role === 'administrator';

/** Edit limits and notification settings, request and apply recommendations. */
export const canAdminister = (role: Role | null): boolean => role === 'administrator';
