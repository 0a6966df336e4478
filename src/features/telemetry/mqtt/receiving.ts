// What a program with the role `mqtt` does.

import { openCodecs } from '../../../engine/codecs/codecs.ts';
import { openUplinkDecoder } from '../../../engine/codecs/uplink-decoder.ts';
import type { Road } from '../../../engine/ingest/road.ts';
import { openSourceLedger } from '../../../engine/sources/source-ledger.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Config } from '../../../platform/config.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { Log } from '../../../platform/log.ts';
import type { Metrics } from '../../../platform/metrics.ts';
import { rememberSources } from '../sources.ts';
import { startFollowing } from './follow-brokers.ts';
import { listenMqtt } from './listen-mqtt.ts';
import { createMqttMetrics } from './mqtt-metrics.ts';
import { openTakeMessage } from './take-message.ts';

interface ReceivingDeps {
  config: Pick<Config, 'tls' | 'connections' | 'trustProxy' | 'mqtt' | 'brokers'>;
  clock: Clock;
  log: Log;
  db: Database;
  road: Road;
  metrics: Metrics | null;
}

export async function startReceiving({ road, ...given }: ReceivingDeps) {
  const { config, db, log } = given;
  const ledger = openSourceLedger(db, log);
  const sources = rememberSources(db);
  const codecs = openCodecs();
  const takeMessage = openTakeMessage({
    ...given,
    sources,
    take: road.take,
    ledger,
    codecs: openUplinkDecoder(db, codecs),
  });
  const metrics = given.metrics && createMqttMetrics(given.metrics.registry);
  const deps = { ...given, sources, ledger, takeMessage, metrics };
  const listener = config.mqtt && (await listenMqtt({ ...deps, listen: config.mqtt }));
  const following = config.brokers.length > 0 ? await startFollowing(config.brokers, deps) : null;
  return {
    urls: listener?.urls ?? [],
    async stop() {
      await Promise.all([listener?.close(), following?.stop()]);
      await codecs.close();
      await ledger.close();
    },
  };
}
