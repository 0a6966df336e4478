import { Counter, Histogram, type Registry } from 'prom-client';
import { TRANSPORTS, type TransportName } from '../../domain/on-call/recipient.ts';
import type { Fate, LetterAttempt } from './mark-letters.ts';

export interface DeliveryMetrics {
  observe(attempt: LetterAttempt & { fate: Fate }): void;
  countDropped(transport: TransportName): void;
}

export function createDeliveryMetrics(registry: Registry): DeliveryMetrics {
  const registers = [registry];
  const deliveries = new Counter({
    name: 'tocsin_deliveries_total',
    help: 'Messages to recipients by what became of them: sent were handed over, which is no arrival; kept did not leave, for want of a mail server; retried counts attempts that will be repeated',
    labelNames: ['transport', 'outcome'],
    registers,
  });
  for (const transport of TRANSPORTS) {
    for (const outcome of ['sent', 'kept', 'failed', 'dropped', 'retried'])
      deliveries.inc({ transport, outcome }, 0);
  }
  const letters = new Counter({
    name: 'tocsin_letters_sent_total',
    help: 'Mails and requests that were handed over; a digest of many messages is one',
    labelNames: ['transport'],
    registers,
  });
  const seconds = new Histogram({
    name: 'tocsin_delivery_seconds',
    help: 'From the moment a message was due until it was handed over',
    labelNames: ['transport'],
    buckets: [1, 2, 3, 4, 5, 10, 30, 60, 300, 1800, 7200, 86_400],
    registers,
  });
  return {
    observe({ letter, fate, at }) {
      const { transport } = letter.recipient;
      const givenUp = fate.state === 'queued' ? fate.givenUpIds.length : 0;
      const outcome = nameOutcome(fate);
      deliveries.inc({ transport, outcome }, letter.deliveries.length - givenUp);
      deliveries.inc({ transport, outcome: 'failed' }, givenUp);
      if (outcome !== 'sent') return;
      letters.inc({ transport });
      for (const { dueAt } of letter.deliveries) {
        seconds.observe({ transport }, Math.max(0, at.getTime() - dueAt.getTime()) / 1000);
      }
    },
    countDropped: (transport) => deliveries.inc({ transport, outcome: 'dropped' }),
  };
}

const nameOutcome = (fate: Fate) => {
  if (fate.state === 'queued') return 'retried';
  return fate.state === 'sent' && fate.isKept ? 'kept' : fate.state;
};
