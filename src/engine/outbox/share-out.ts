// What is done together: of organizations that have little to do. The others' would keep them waiting: it is done apart, a
// share at a time (delivery/apart.ts).
import { groupBy } from '../../domain/group-by.ts';
import type { OrganizationId } from '../../domain/ids.ts';

interface Part {
  organizationId: OrganizationId;
  deliveries: number;
}

/** Of one organization that waits for nobody else's. */
const MUCH = 500;
/** Of all that is done together. */
const MOST_TOGETHER = 5_000;
/** Of what is done apart, before another organization has its turn. */
const MOST_IN_A_SHARE = 2_000;

/** What is done together, and whose is done apart; who has the least comes first. A share of the only one keeps nobody waiting. */
export function shareOut<One extends Part>(
  parts: readonly One[],
): { together: One[]; apart: OrganizationId[] } {
  const shares = [...groupBy(parts, ({ organizationId }) => organizationId)]
    .map(([organizationId, own]) => ({ organizationId, own, deliveries: sum(own) }))
    .sort((one, other) => one.deliveries - other.deliveries);
  const [only] = shares;
  if (shares.length === 1 && only && only.deliveries <= MOST_IN_A_SHARE)
    return { together: only.own, apart: [] };
  const together: One[] = [];
  const apart: OrganizationId[] = [];
  let left = MOST_TOGETHER;
  for (const { organizationId, own, deliveries } of shares) {
    left -= deliveries;
    if (deliveries <= MUCH && left >= 0) together.push(...own);
    else apart.push(organizationId);
  }
  return { together, apart };
}

/** The first of them, as many as are done in one go: one at least. */
export function takeShare<One extends Part>(parts: readonly One[]): One[] {
  let left = MOST_IN_A_SHARE;
  return parts.filter(({ deliveries }, index) => {
    left -= deliveries;
    return index === 0 || left >= 0;
  });
}

const sum = (parts: readonly Part[]): number => parts.reduce((all, { deliveries }) => all + deliveries, 0);
