// Whose post is formed together: of organizations that have little to send. The others' would keep them waiting.

export interface WaitingPost {
  groupId: number;
  organizationId: number;
  deliveries: number;
}

/** Of one organization that waits for nobody else's. */
const MUCH = 500;
/** Of all that are formed together. */
const MOST_TOGETHER = 5_000;

/** Groups that are formed together, and of each other organization its own; who has the least comes first. */
export function shareOut(waiting: readonly WaitingPost[]): { together: number[]; alone: number[][] } {
  const byOrganization = new Map<number, { groupIds: number[]; deliveries: number }>();
  for (const { groupId, organizationId, deliveries } of waiting) {
    const post = byOrganization.get(organizationId) ?? { groupIds: [], deliveries: 0 };
    byOrganization.set(organizationId, post);
    post.groupIds.push(groupId);
    post.deliveries += deliveries;
  }
  const posts = [...byOrganization.values()].sort((one, other) => one.deliveries - other.deliveries);
  const together: number[] = [];
  const alone: number[][] = [];
  let left = MOST_TOGETHER;
  for (const { groupIds, deliveries } of posts) {
    left -= deliveries;
    if (deliveries <= MUCH && left >= 0) together.push(...groupIds);
    else alone.push(groupIds);
  }
  return { together, alone };
}
