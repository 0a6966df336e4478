// The brokers that this installation follows, each by one program at a time.
import { createHash } from 'node:crypto';
import type { Clock } from '../../../platform/clock.ts';
import { createClockLoop } from '../../../platform/clock-loop.ts';
import type { BrokerConfig } from '../../../platform/config.ts';
import type { Database } from '../../../platform/db/database.ts';
import { type Broker, type FollowDeps, followBroker } from './follow-broker.ts';
import { createBrokerHolder } from './hold-broker.ts';

interface BrokersDeps extends Omit<FollowDeps, 'connect' | 'mayConnect'> {
  db: Database;
  clock: Clock;
}

export async function startFollowing(
  brokers: readonly BrokerConfig[],
  deps: BrokersDeps,
): Promise<{ stop(): Promise<void> }> {
  const { connect } = (await import('mqtt')).default;
  const followed = brokers.map((config) => {
    const broker: Broker = { ...config, clientId: config.clientId ?? nameOf(config) };
    const holder = createBrokerHolder(deps.db, broker.clientId);
    const following = followBroker(broker, { ...deps, connect, mayConnect: holder.isSurelyHeld });
    return { broker, holder, following };
  });
  const loop = createClockLoop(
    deps,
    followed.map(({ broker, holder, following }) => ({
      name: `broker ${broker.name}`,
      everySeconds: 1,
      async run() {
        if (await holder.round()) following.tend();
        else await following.leave();
      },
    })),
  );
  loop.start();
  return {
    async stop() {
      await loop.stop();
      await Promise.all(
        followed.map(async ({ holder, following }) => {
          await following.leave();
          await holder.leave();
        }),
      );
    },
  };
}

/** The same after each start and in each program, and another one for each installation and source. */
const nameOf = ({ secret, url }: BrokerConfig): string =>
  `tocsin-${createHash('sha256').update(`broker ${url} ${secret}`).digest('hex').slice(0, 16)}`;
