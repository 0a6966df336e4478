// Tells switches how to stand, in the words of a Shelly (Switch.Set). Each word holds for two minutes and is said again every
// minute, so that a siren falls silent when nobody says so any more; as a dead man's switch it sounds then. Organizations take
// turns, and a round waits for no switch.
import { setMaxListeners } from 'node:events';
import { writeFailure } from '../../domain/words/failure-words.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Log } from '../../platform/log.ts';
import {
  type OutboundRequest,
  type OutboundSettings,
  requestOutbound,
} from '../../platform/outbound/request-outbound.ts';
import { holdBriefly, SetAside } from '../../platform/process/in-hand.ts';
import { openGate } from '../../platform/turns.ts';
import { explainFailure } from '../transports/webhook/webhook-outcome.ts';
import { answerChallenge } from './digest-auth.ts';
import { type DueRelay, leaseRelays, markRelay, RENEW_SECONDS } from './relays.ts';

interface RelayDeps {
  db: Database;
  log: Log;
  outbound: Pick<OutboundSettings, 'allowPrivate' | 'resolve'>;
}

const LEASE_MS = 30_000;
const TIMEOUT_MS = 5_000;
/** It may be asked twice, once more with the answer to its challenge. What waited longer than this is left to the next round. */
const LONGEST_WAIT_MS = LEASE_MS - 2 * TIMEOUT_MS;
const AT_ONCE = 32;
/** Of an organization: as many as it has under way while nobody else has any. */
const MOST_IN_HAND = AT_ONCE / 2;

export interface RelayHolder {
  /** Begins to tell what is due; does not wait for switches. */
  round(now: Date): Promise<void>;
  /** Until nothing is under way. */
  settle(): Promise<void>;
  /** What is under way is broken off, and free for others at once. */
  leave(): Promise<void>;
}

export function createRelayHolder(deps: RelayDeps): RelayHolder {
  const { db, log } = deps;
  const gate = openGate({ atOnce: AT_ONCE, leavesRoom: true });
  const stopping = new AbortController();
  // Every switch under way listens.
  setMaxListeners(0, stopping.signal);
  const inHand = new Map<number, { organizationId: number; done: Promise<void> }>();

  async function tell(relay: DueRelay, leasedAt: number, now: Date): Promise<void> {
    if (performance.now() - leasedAt > LONGEST_WAIT_MS) return;
    const error = await tellRelay(deps, relay, stopping.signal).catch((fault) => {
      if (fault instanceof SetAside) return fault.message;
      throw fault;
    });
    if (error !== null && error !== relay.lastError)
      log.warn({ relay: relay.id, error }, 'a siren or lamp cannot be told');
    await markRelay(db, relay, error, now);
  }

  async function settle(): Promise<void> {
    while (inHand.size > 0) await Promise.all([...inHand.values()].map(({ done }) => done));
  }

  return {
    async round(now) {
      const leasedAt = performance.now();
      const held = [...inHand].map(([id, { organizationId }]) => ({ id, organizationId }));
      const room = { most: MOST_IN_HAND, held };
      for (const relay of await leaseRelays(db, room, new Date(now.getTime() + LEASE_MS), now)) {
        const { id, organizationId } = relay;
        const done = gate
          .pass(organizationId, () => tell(relay, leasedAt, now))
          .catch((error) => log.error({ err: error, relay: id }, 'what a siren was told is not noted'))
          .finally(() => inHand.delete(id));
        inHand.set(id, { organizationId, done });
      }
    },
    settle,
    async leave() {
      stopping.abort();
      await settle();
    },
  };
}

/** What holds without renewal is what is meant to last should this program die. */
const writeSwitch = ({ switchId, deadMan, wanted }: Pick<DueRelay, 'switchId' | 'deadMan' | 'wanted'>) => ({
  id: switchId,
  on: wanted,
  ...(wanted !== deadMan && { toggle_after: 2 * RENEW_SECONDS }),
});

async function tellRelay(
  { outbound }: RelayDeps,
  relay: DueRelay,
  signal: AbortSignal,
): Promise<string | null> {
  const post: OutboundRequest = {
    url: new URL('/rpc/Switch.Set', relay.url),
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(writeSwitch(relay)),
  };
  const { host } = post.url;
  const settings = { ...outbound, timeoutMs: TIMEOUT_MS };
  let answer = await requestOutbound(post, settings, signal);
  if (answer.ok && answer.value.status === 401 && relay.password !== null) {
    const challenge = answer.value.headers['www-authenticate'] ?? '';
    const asked = { user: 'admin', password: relay.password, method: 'POST', path: post.url.pathname };
    const authorization = holdBriefly(`siren ${relay.id}`, () => answerChallenge(challenge, asked));
    if (authorization === null) return writeFailure('unknown_password', { host });
    answer = await requestOutbound(
      { ...post, headers: { ...post.headers, authorization } },
      settings,
      signal,
    );
  }
  if (!answer.ok) {
    const outcome = explainFailure(post, answer.refusal);
    return outcome.isSent ? null : outcome.error;
  }
  const { status } = answer.value;
  if (status === 401) return writeFailure('wrong_password', { host });
  return status >= 200 && status < 300 ? null : writeFailure('answered', { host, status });
}
