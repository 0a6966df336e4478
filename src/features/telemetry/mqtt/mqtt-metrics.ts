import { Gauge, Histogram, type Registry } from 'prom-client';

export interface MqttMetrics {
  /** `refused`: of a source that is gone; `failed`: ours, and it will be sent again. */
  observe(outcome: 'taken' | 'refused' | 'failed', seconds: number): void;
  countConnections(count: number): void;
  followBroker(broker: string, isFollowed: boolean): void;
}

export function createMqttMetrics(registry: Registry): MqttMetrics {
  const messages = new Histogram({
    name: 'tocsin_mqtt_message_seconds',
    help: 'From the arrival of a message of MQTT until it was stored and judged, by what became of it',
    labelNames: ['outcome'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  const connections = new Gauge({
    name: 'tocsin_mqtt_connections',
    help: 'Clients of the MQTT listener',
    registers: [registry],
  });
  const brokers = new Gauge({
    name: 'tocsin_mqtt_broker_followed',
    help: 'Whether this program is connected to a broker: 1, else 0. Of several programs one is',
    labelNames: ['broker'],
    registers: [registry],
  });
  return {
    followBroker: (broker, isFollowed) => brokers.set({ broker }, isFollowed ? 1 : 0),
    observe: (outcome, seconds) => messages.observe({ outcome }, seconds),
    countConnections: (count) => connections.set(count),
  };
}
