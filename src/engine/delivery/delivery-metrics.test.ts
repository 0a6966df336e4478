import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { english } from '../../domain/language/english.ts';
import type { ClaimedLetter } from './claim-letters.ts';
import { createDeliveryMetrics } from './delivery-metrics.ts';

const NOW = new Date('2026-11-15T03:00:00Z');
const delivery = (seconds: number) => ({
  id: '1',
  notificationId: '1',
  isAlarm: true,
  dueAt: new Date(NOW.getTime() - seconds * 1000),
});
const letter = (...deliveries: ReturnType<typeof delivery>[]): ClaimedLetter => ({
  id: '7',
  groupId: 1,
  hasSteps: false,
  lane: 'email',
  recipient: {
    transport: 'email',
    address: 'cold@lab.example',
    account: null,
    hasSeveral: false,
    language: english,
  },
  attempts: 0,
  createdAt: NOW,
  claimedAt: NOW,
  leasedUntil: NOW,
  deliveries,
});
const refusal = { isSent: false, error: 'no', retryAfterMs: null, isGone: false } as const;

test('counts messages by outcome and transport, letters once, and how long the messages took', async () => {
  const registry = new Registry();
  const metrics = createDeliveryMetrics(registry);
  const sent = {
    outcome: { isSent: true } as const,
    fate: { state: 'sent', nextAttemptAt: null, handedTo: 'mail.example', isKept: false } as const,
    at: NOW,
  };
  metrics.observe({ letter: letter(delivery(2.5), delivery(40)), ...sent });
  metrics.observe({
    letter: letter(delivery(0)),
    outcome: refusal,
    fate: { state: 'queued', nextAttemptAt: NOW, givenUpIds: [] },
    at: NOW,
  });
  metrics.observe({
    letter: letter(delivery(0), delivery(0)),
    outcome: refusal,
    fate: { state: 'queued', nextAttemptAt: NOW, givenUpIds: ['1'] },
    at: NOW,
  });
  metrics.observe({
    letter: letter(delivery(0)),
    outcome: refusal,
    fate: { state: 'failed', nextAttemptAt: null },
    at: NOW,
  });
  metrics.countDropped('webhook');
  const lines = (await registry.metrics()).split('\n');
  for (const line of [
    'tocsin_deliveries_total{transport="email",outcome="sent"} 2',
    'tocsin_deliveries_total{transport="email",outcome="retried"} 2',
    'tocsin_deliveries_total{transport="email",outcome="failed"} 2',
    'tocsin_deliveries_total{transport="email",outcome="dropped"} 0',
    'tocsin_deliveries_total{transport="webhook",outcome="dropped"} 1',
    'tocsin_letters_sent_total{transport="email"} 1',
    'tocsin_delivery_seconds_bucket{le="3",transport="email"} 1',
    'tocsin_delivery_seconds_bucket{le="60",transport="email"} 2',
  ])
    expect(lines).toContain(line);
});
