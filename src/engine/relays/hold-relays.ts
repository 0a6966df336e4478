// Tells switches how to stand, in the words of a Shelly (Switch.Set). Each word holds for two minutes and is said again every
// minute, so that a siren falls silent when nobody says so any more; as a dead man's switch it sounds then.
import type { Database } from '../../platform/db/database.ts';
import type { Log } from '../../platform/log.ts';
import {
  type OutboundPost,
  type OutboundSettings,
  postOutbound,
} from '../../platform/outbound/post-outbound.ts';
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

export async function holdRelays(deps: RelayDeps, now: Date): Promise<void> {
  const due = await leaseRelays(deps.db, new Date(now.getTime() + LEASE_MS), now);
  await Promise.all(
    due.map(async (relay) => {
      const error = await tellRelay(deps, relay);
      if (error !== null && error !== relay.lastError)
        deps.log.warn({ relay: relay.id, error }, 'a siren or lamp cannot be told');
      await markRelay(deps.db, relay, error, now);
    }),
  );
}

/** What holds without renewal is what is meant to last should this program die. */
const writeSwitch = ({ switchId, deadMan, wanted }: Pick<DueRelay, 'switchId' | 'deadMan' | 'wanted'>) => ({
  id: switchId,
  on: wanted,
  ...(wanted !== deadMan && { toggle_after: 2 * RENEW_SECONDS }),
});

async function tellRelay({ outbound }: RelayDeps, relay: DueRelay): Promise<string | null> {
  const post: OutboundPost = {
    url: new URL('/rpc/Switch.Set', relay.url),
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(writeSwitch(relay)),
  };
  const settings = { ...outbound, timeoutMs: TIMEOUT_MS };
  const signal = new AbortController().signal;
  let answer = await postOutbound(post, settings, signal);
  if (answer.ok && answer.value.status === 401 && relay.password !== null) {
    const authorization = answerChallenge(answer.value.headers['www-authenticate'] ?? '', {
      user: 'admin',
      password: relay.password,
      method: 'POST',
      path: post.url.pathname,
    });
    if (authorization === null) return `${post.url.host} asks for a kind of password that is not known here`;
    answer = await postOutbound({ ...post, headers: { ...post.headers, authorization } }, settings, signal);
  }
  if (!answer.ok) {
    const outcome = explainFailure(post, answer.refusal);
    return outcome.isSent ? null : outcome.error;
  }
  const { status } = answer.value;
  if (status === 401) return `${post.url.host} does not take the password`;
  return status >= 200 && status < 300 ? null : `${post.url.host} answered ${status}`;
}
