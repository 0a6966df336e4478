// What programs read: generic, PagerDuty, Alertmanager.
import { describe, expect, test } from 'vitest';
import { digestOf, letterOf, NOTICES, PUBLIC_URL, type Told } from '../../../../../test/support/notices.ts';
import type { Letter } from '../../../letters/letter.ts';
import { kindNamed, type WebhookKind } from '../kinds.ts';

const context = { publicUrl: PUBLIC_URL, now: new Date('2026-11-15T02:05:01Z') };

const shape = (kind: WebhookKind, letter: Letter, secret: string | null = 'R0uting') =>
  kindNamed(kind)
    .shape(letter, { url: 'https://hooks.example/x', secret }, context)
    .map(({ headers, body }) => ({ headers, body: JSON.parse(body) }));
const shapeOne = (kind: WebhookKind, letter: Letter, secret?: string | null) => {
  const posts = shape(kind, letter, secret);
  expect(posts).toHaveLength(1);
  return posts[0] as (typeof posts)[number];
};

describe('generic', () => {
  test.each<[Told, string]>([
    ['critical', 'alarm.raised'],
    ['warning', 'alarm.raised'],
    ['repeat', 'alarm.repeated'],
    ['acknowledgement', 'alarm.acknowledged'],
    ['recovery', 'alarm.recovered'],
    ['stale', 'service.stale'],
    ['back', 'service.back'],
    ['test', 'test'],
    ['drill', 'drill'],
  ])('%s is %s', (told, type) => expect(shapeOne('generic', letterOf(NOTICES[told])).body.type).toBe(type));

  test('every key is there, whatever it holds', () => {
    const { headers, body } = shapeOne('generic', letterOf(NOTICES.stale), null);
    expect(headers).toEqual({
      'content-type': 'application/json',
      'webhook-id': '1001',
      'webhook-timestamp': '1794708301',
    });
    expect(body).toEqual({
      type: 'service.stale',
      timestamp: '2026-11-15T02:05:00.000+00:00',
      data: {
        notification_id: '901',
        kind: 'system',
        mark: null,
        is_repeat: false,
        organization: 'Cell Biology',
        group: 'Cold team',
        service_id: 7,
        service_name: 'Freezer 3',
        location_name: 'Room 101',
        episode_id: null,
        severity: 'stale',
        message: 'No data since 2026-11-15 02:00 UTC',
        channel: null,
        channel_label: null,
        unit: null,
        value: null,
        limit: null,
        since: '2026-11-15T02:00:00.000+00:00',
        at: '2026-11-15T02:05:00.000+00:00',
        acknowledged_by: null,
        comment: null,
        service_url: `${PUBLIC_URL}/services/7`,
        acknowledge_url: null,
      },
    });
  });

  test('a small digest has all its notices, a large one says how many it leaves out', () => {
    const { body } = shapeOne('generic', digestOf(6));
    expect(body).toMatchObject({ type: 'digest', data: { total: 6, left_out: 0 } });
    expect(body.data.notices.map(({ type }: { type: string }) => type)).toEqual(
      Array(6).fill('alarm.raised'),
    );
    const { data } = shapeOne('generic', digestOf(500)).body;
    expect(data).toMatchObject({ total: 500, counts: { critical: 300, warning: 150, stale: 50, drill: 0 } });
    expect(data.notices).toHaveLength(100);
    expect(data.left_out).toBe(400);
  });
});

describe('PagerDuty', () => {
  test('an alarm triggers an incident of its episode', () => {
    expect(shapeOne('pagerduty', letterOf(NOTICES.critical)).body).toEqual({
      routing_key: 'R0uting',
      event_action: 'trigger',
      dedup_key: 'tocsin-42',
      client: 'Tocsin',
      client_url: PUBLIC_URL,
      payload: {
        summary:
          '[CRITICAL] Freezer 3 (Room 101): Temperature −55.2 °C is above the critical limit of −60 °C',
        source: 'Freezer 3',
        severity: 'critical',
        timestamp: '2026-11-15T02:05:00.000Z',
        component: 'Temperature',
        group: 'Cold team',
        class: 'critical',
        custom_details: {
          organization: 'Cell Biology',
          service_id: 7,
          location: 'Room 101',
          message: NOTICES.critical.message,
          value: -55.2,
          unit: '°C',
          limit: -60,
          since: '2026-11-15T02:00:00.000Z',
          mark: null,
        },
      },
      links: [
        { href: `${PUBLIC_URL}/services/7`, text: 'Open in Tocsin' },
        { href: `${PUBLIC_URL}/acknowledge/long-random-path`, text: 'Acknowledge in Tocsin' },
      ],
    });
  });

  test.each<[Told, string, string, string | undefined]>([
    ['warning', 'trigger', 'tocsin-42', 'warning'],
    ['repeat', 'trigger', 'tocsin-42', 'critical'],
    ['acknowledgement', 'acknowledge', 'tocsin-42', undefined],
    ['recovery', 'resolve', 'tocsin-42', undefined],
    ['stale', 'trigger', 'tocsin-stale-7', 'error'],
    ['back', 'resolve', 'tocsin-stale-7', undefined],
    ['test', 'trigger', 'tocsin-test-42', 'info'],
    ['drill', 'trigger', 'tocsin-drill-42', 'critical'],
  ])('%s: %s %s', (told, action, key, severity) => {
    const { body } = shapeOne('pagerduty', letterOf(NOTICES[told]));
    expect([body.event_action, body.dedup_key, body.payload?.severity]).toEqual([action, key, severity]);
  });

  test('several at once are an event each', () => {
    expect(shape('pagerduty', digestOf(6)).map(({ body }) => body.dedup_key)).toEqual(
      ['5000', '5001', '5002', '5003', '5004', '5005'].map((episode) => `tocsin-${episode}`),
    );
  });
});

describe('Alertmanager', () => {
  const alertOf = (told: Told) => shapeOne('alertmanager', letterOf(NOTICES[told])).body.alerts[0];

  test('an alarm fires', () => {
    const { headers, body } = shapeOne('alertmanager', letterOf(NOTICES.critical), 'geheim');
    expect(headers.authorization).toBe('Bearer geheim');
    const labels = {
      alertname: 'TocsinAlarm',
      severity: 'critical',
      organization: 'Cell Biology',
      service: 'Freezer 3',
      service_id: '7',
      location: 'Room 101',
      group: 'Cold team',
    };
    const annotations = {
      summary: '[CRITICAL] Freezer 3',
      description: NOTICES.critical.message,
      acknowledge_url: `${PUBLIC_URL}/acknowledge/long-random-path`,
    };
    expect(body).toEqual({
      version: '4',
      groupKey: 'tocsin/42',
      truncatedAlerts: 0,
      status: 'firing',
      receiver: 'Cold team',
      groupLabels: { organization: 'Cell Biology' },
      commonLabels: labels,
      commonAnnotations: annotations,
      externalURL: PUBLIC_URL,
      alerts: [
        {
          status: 'firing',
          labels,
          annotations,
          startsAt: '2026-11-15T02:00:00.000Z',
          endsAt: '0001-01-01T00:00:00Z',
          generatorURL: `${PUBLIC_URL}/services/7`,
          fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/),
        },
      ],
    });
  });

  test.each<[Told, string, string, string | undefined]>([
    ['warning', 'firing', 'TocsinAlarm', 'warning'],
    ['acknowledgement', 'firing', 'TocsinAlarm', 'critical'],
    ['recovery', 'resolved', 'TocsinAlarm', undefined],
    ['stale', 'firing', 'TocsinNoData', 'warning'],
    ['back', 'resolved', 'TocsinNoData', undefined],
    ['test', 'firing', 'TocsinTest', 'info'],
    ['drill', 'firing', 'TocsinDrill', 'critical'],
  ])('%s is %s', (told, status, alertname, severity) => {
    const { labels, ...alert } = alertOf(told);
    expect([alert.status, labels.alertname, labels.severity]).toEqual([status, alertname, severity]);
  });

  test('an alarm and its recovery have one fingerprint, stale has another', () => {
    expect(alertOf('recovery').fingerprint).toBe(alertOf('warning').fingerprint);
    expect(alertOf('back').fingerprint).toBe(alertOf('stale').fingerprint);
    expect(alertOf('stale').fingerprint).not.toBe(alertOf('critical').fingerprint);
    expect(alertOf('drill').fingerprint).not.toBe(alertOf('critical').fingerprint);
  });

  test('a digest holds every alert', () => {
    const { body } = shapeOne('alertmanager', digestOf(500));
    expect(body.alerts).toHaveLength(500);
    expect(body).toMatchObject({ groupKey: 'tocsin/digest-1001', truncatedAlerts: 0, status: 'firing' });
    expect(body.commonLabels).toEqual({
      organization: 'Cell Biology',
      location: 'Room 101',
      group: 'Cold team',
    });
  });
});
