// Whose post is formed together: of organizations that have little to send. The others' would keep them waiting.
import { groupBy } from '../../domain/group-by.ts';

interface WaitingPost {
  organizationId: number;
  deliveries: number;
}

/** Of one organization that waits for nobody else's. */
const MUCH = 500;
/** Of all that are formed together. */
const MOST_TOGETHER = 5_000;

/** Posts of groups that are formed together, and of each other organization its own; who has the least comes first. */
export function shareOut<Post extends WaitingPost>(
  posts: readonly Post[],
): { together: Post[]; alone: Post[][] } {
  const shares = [...groupBy(posts, ({ organizationId }) => organizationId).values()]
    .map((ofOne) => ({ ofOne, deliveries: ofOne.reduce((sum, { deliveries }) => sum + deliveries, 0) }))
    .sort((one, other) => one.deliveries - other.deliveries);
  const together: Post[] = [];
  const alone: Post[][] = [];
  let left = MOST_TOGETHER;
  for (const { ofOne, deliveries } of shares) {
    left -= deliveries;
    if (deliveries <= MUCH && left >= 0) together.push(...ofOne);
    else alone.push(ofOne);
  }
  return { together, alone };
}
