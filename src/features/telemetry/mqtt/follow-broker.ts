// A broker of the lab, followed as its client. It keeps what we have not answered, so a message is answered when it is
// stored and judged; several are under way at a time, and answered in the order in which they came.
import type { IClientOptions, IPublishPacket, MqttClient } from 'mqtt';
import type { BrokerConfig } from '../../../platform/config.ts';
import type { Log } from '../../../platform/log.ts';
import type { Sources } from '../sources.ts';
import type { MqttMetrics } from './mqtt-metrics.ts';
import { MOST_PACKET_BYTES, MOST_UNANSWERED } from './packets.ts';
import type { Client, TakeMessage } from './take-message.ts';

/** With the name under which the broker knows us. */
export type Broker = BrokerConfig & { clientId: string };

export interface FollowDeps {
  /** Loaded only where there are brokers. */
  connect: (url: string, options: IClientOptions) => MqttClient;
  sources: Sources;
  takeMessage: TakeMessage;
  log: Log;
  metrics: MqttMetrics | null;
  /** Whether this program is still the one that follows it. */
  mayConnect(): boolean;
}

export interface Following {
  /** Every second: connects where there is no connection and it is time for one. */
  tend(): void;
  /** Answers what is under way, and says goodbye; the broker keeps the rest. */
  leave(): Promise<void>;
}

interface Unanswered {
  messageId: number | null;
  isTaken: boolean;
}

const WEEK_SECONDS = 7 * 24 * 3_600;
const KEEP_ALIVE_SECONDS = 15;
const CONNECT_WITHIN_MS = 10_000;
const PAUSES_MS = { first: 1_000, longest: 30_000 };
const LEAVE_WITHIN_MS = 5_000;
/** Unsupported version, in the words of both. */
const WRONG_VERSION = [1, 0x84];

export function followBroker(broker: Broker, deps: FollowDeps): Following {
  const { log, metrics } = deps;
  const about = { broker: broker.name };
  let client: MqttClient | null = null;
  let settle: () => Promise<void> = async () => {};
  let version = broker.version ?? 5;
  let isBusy = false;
  let pauseMs = PAUSES_MS.first;
  let nextAt = 0;

  function tryLater(): void {
    nextAt = performance.now() + pauseMs * (0.75 + Math.random() / 2);
    pauseMs = Math.min(2 * pauseMs, PAUSES_MS.longest);
  }

  async function open(): Promise<void> {
    const sender = await deps.sources.find(broker.secret);
    if (!sender) {
      log.error(about, 'the secret of a broker belongs to no source: it is not followed');
      return tryLater();
    }
    if (!deps.mayConnect()) return;
    const connected = deps.connect(broker.url, optionsOf(broker, version));
    client = connected;
    settle = attend(connected, { ...sender, clientId: broker.clientId });
  }

  /** Until the connection is closed. Answers with how to wait for what is under way. */
  function attend(connected: MqttClient, sender: Client): () => Promise<void> {
    const unanswered: Unanswered[] = [];
    const waiting: (() => void)[] = [];
    const settled: (() => void)[] = [];
    let isGreeted = false;
    let isBroken = false;

    const answerInOrder = () => {
      while (unanswered[0]?.isTaken) {
        const { messageId } = unanswered.shift() as Unanswered;
        if (messageId !== null && !isBroken && connected.connected) sendPuback(connected, messageId);
      }
      if (unanswered.length < MOST_UNANSWERED) for (const goOn of waiting.splice(0)) goOn();
      if (unanswered.length === 0) for (const resolve of settled.splice(0)) resolve();
    };

    connected.handleMessage = (packet: IPublishPacket, goOn: (error?: Error) => void) => {
      const one: Unanswered = {
        messageId: packet.qos > 0 ? (packet.messageId ?? null) : null,
        isTaken: false,
      };
      unanswered.push(one);
      const startedAt = performance.now();
      const { topic, payload, qos, dup, retain } = packet;
      deps
        .takeMessage(sender, {
          topic,
          payload: Buffer.from(payload),
          isAnswered: qos > 0,
          isRepeated: dup,
          isRetained: retain,
        })
        .then((outcome) => {
          metrics?.observe(outcome === 'taken' ? 'taken' : 'refused', (performance.now() - startedAt) / 1000);
          if (outcome === 'unknown_source') throw new Error('the source is gone');
          one.isTaken = true;
        })
        .catch((error) => {
          metrics?.observe('failed', (performance.now() - startedAt) / 1000);
          log.error({ ...about, err: error }, 'readings could not be stored');
          // The broker sends it again, but only over a new connection.
          isBroken = true;
          one.isTaken = true;
          connected.stream.destroy();
        })
        .finally(answerInOrder);
      // An error makes the library read on without an answer: that is given later, in its turn.
      const readOn = () => goOn(qos > 0 ? ANSWERED_LATER : undefined);
      if (unanswered.length < MOST_UNANSWERED) readOn();
      else waiting.push(readOn);
    };

    connected.on('connect', () => {
      isGreeted = true;
      pauseMs = PAUSES_MS.first;
      metrics?.followBroker(broker.name, true);
      log.info(about, 'a broker is followed');
      // Each time: what is retained comes anew, and a broker may have forgotten us.
      connected.subscribe(broker.topics, { qos: 1 }, (error, granted = []) => {
        const refused = granted.filter(({ qos }) => qos >= 128).map(({ topic }) => topic);
        if (error || refused.length > 0)
          log.error({ ...about, err: error, refused }, 'a broker does not let us subscribe');
      });
    });
    connected.on('error', (error: Error & { code?: unknown }) => {
      log.warn({ ...about, err: error }, 'a broker cannot be followed');
      if (WRONG_VERSION.includes(error.code as number)) changeVersion();
    });
    connected.on('close', () => {
      metrics?.followBroker(broker.name, false);
      if (client !== connected) return;
      if (isGreeted) log.warn(about, 'the connection to a broker was lost');
      client = null;
      for (const goOn of waiting.splice(0)) goOn();
      connected.end(true);
      tryLater();
    });
    return () =>
      unanswered.length === 0 ? Promise.resolve() : new Promise((resolve) => settled.push(resolve));
  }

  function changeVersion(): void {
    if (broker.version === null) version = version === 5 ? 4 : 5;
  }

  return {
    tend() {
      if (client !== null || isBusy || performance.now() < nextAt || !deps.mayConnect()) return;
      isBusy = true;
      open()
        .catch((error) => {
          log.error({ ...about, err: error }, 'a broker cannot be followed');
          tryLater();
        })
        .finally(() => {
          isBusy = false;
        });
    },
    async leave() {
      const leaving = client;
      client = null;
      nextAt = 0;
      if (!leaving) return;
      let timer: NodeJS.Timeout | undefined;
      await Promise.race([
        settle(),
        new Promise<void>((resolve) => {
          timer = setTimeout(resolve, LEAVE_WITHIN_MS);
        }),
      ]);
      clearTimeout(timer);
      metrics?.followBroker(broker.name, false);
      await new Promise<void>((resolve) => {
        leaving.end(!leaving.connected, {}, () => resolve());
      });
    },
  };
}

const ANSWERED_LATER = new Error('answered later');

/** Not of the interface of the library: follow-broker.test.ts sees to it that it is there. */
function sendPuback(client: MqttClient, messageId: number): void {
  (client as unknown as { _sendPacket(packet: object): void })._sendPacket({ cmd: 'puback', messageId });
}

const optionsOf = (broker: Broker, protocolVersion: 4 | 5): IClientOptions => ({
  clientId: broker.clientId,
  protocolVersion,
  clean: false,
  // Whether to connect again is not for the library to say.
  reconnectPeriod: 0,
  resubscribe: false,
  keepalive: KEEP_ALIVE_SECONDS,
  connectTimeout: CONNECT_WITHIN_MS,
  ...(broker.auth && { username: broker.auth.user, password: broker.auth.password }),
  ...(broker.ca && { ca: broker.ca }),
  ...(broker.cert && broker.key && { cert: broker.cert, key: broker.key }),
  ...(protocolVersion === 5 && {
    properties: {
      sessionExpiryInterval: WEEK_SECONDS,
      receiveMaximum: MOST_UNANSWERED,
      maximumPacketSize: MOST_PACKET_BYTES,
    },
  }),
});
