export const ROLES = ['viewer', 'operator', 'administrator'] as const;
export type Role = (typeof ROLES)[number];

interface Rights {
  /** Acknowledge, mute, schedule downtime. */
  operates: boolean;
  /** Edit limits and notification settings, request and apply recommendations. */
  administers: boolean;
}

const RIGHTS: Record<Role, Rights> = {
  viewer: { operates: false, administers: false },
  operator: { operates: true, administers: false },
  administrator: { operates: true, administers: true },
};

/** null: no role there. */
export const canOperate = (role: Role | null): boolean => role !== null && RIGHTS[role].operates;

export const canAdminister = (role: Role | null): boolean => role !== null && RIGHTS[role].administers;
