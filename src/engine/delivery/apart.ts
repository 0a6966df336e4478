// Deciding and forming go round by round. What organizations have much of would take longer than a round: it goes on beside
// the next ones, a share of each in turn, and the rounds find it locked and do what the others have.
import type { OrganizationId } from '../../domain/ids.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';

interface ApartDeps {
  clock: Clock;
  log: Log;
  /** Answers whether there is more of it. */
  doShare: (organizationId: OrganizationId, now: Date) => Promise<boolean>;
}

export function createApart({ clock, log, doShare }: ApartDeps) {
  const waiting = new Set<OrganizationId>();
  let faults: unknown[] = [];
  let working: Promise<void> | null = null;
  let isLeaving = false;

  async function work(): Promise<void> {
    // Whoever is put back comes after all who wait.
    for (const organizationId of waiting) {
      if (isLeaving) return;
      waiting.delete(organizationId);
      const hasMore = await doShare(organizationId, clock()).catch((error) => {
        log.error(
          { err: error, organizationId },
          'what is told of an organization could not be gone on with',
        );
        faults.push(error);
        return false;
      });
      if (hasMore) waiting.add(organizationId);
    }
  }

  return {
    /** Does not wait for it. What failed since the last round is thrown: whoever notes how rounds end is to know. */
    begin(organizationIds: readonly OrganizationId[]): void {
      for (const organizationId of organizationIds) waiting.add(organizationId);
      if (waiting.size > 0)
        working ??= work().finally(() => {
          working = null;
        });
      const thrown = faults;
      faults = [];
      if (thrown.length > 0) throw new AggregateError(thrown, 'what is told of some organizations failed');
    },
    settle: async (): Promise<void> => void (await working),
    /** After the share that is under way. */
    leave: (): void => {
      isLeaving = true;
    },
  };
}
