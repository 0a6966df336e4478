// Services whose readings come through gateways: while those are stale and tell so, that the services are too says nothing new.

export interface Gateway {
  name: string;
  isArchived: boolean;
  isStale: boolean;
  hasGroup: boolean;
  enableSystemNotifications: boolean;
}

/** Those that tell of a service in its place; null: it tells of itself. One that works, or tells nobody, is enough for that. */
export function nameStaleGateways(gateways: readonly Gateway[]): string | null {
  const standing = gateways.filter(({ isArchived }) => !isArchived);
  const areTelling = standing.every((one) => one.isStale && one.hasGroup && one.enableSystemNotifications);
  return standing.length > 0 && areTelling ? standing.map(({ name }) => name).join(', ') : null;
}
