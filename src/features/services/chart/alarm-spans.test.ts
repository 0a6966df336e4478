import { describe, expect, test } from 'vitest';
import { listAlarmSpans, type SpanEvent } from './alarm-spans.ts';

const raised = (at: number, to: SpanEvent['to'] = 'critical'): SpanEvent => ({ kind: 'raised', to, at });
const recovered = (at: number): SpanEvent => ({ kind: 'recovered', to: 'normal', at });
const window = { from: 100, to: 200 };

describe('what a chart shades', () => {
  test('nothing happened: nothing', () => expect(listAlarmSpans([], window)).toEqual([]));

  test('an episode inside', () => {
    expect(listAlarmSpans([raised(120), recovered(150)], window)).toEqual([
      { kind: 'critical', from: 120, to: 150 },
    ]);
  });

  test('one that began before and still holds covers all of it', () => {
    expect(listAlarmSpans([raised(10)], window)).toEqual([{ kind: 'critical', from: 100, to: 200 }]);
  });

  test('one that was over before leaves nothing', () => {
    expect(listAlarmSpans([recovered(90)], window)).toEqual([]);
  });

  test('an escalation changes the shade', () => {
    const events = [
      raised(110, 'warning'),
      { kind: 'changed', to: 'critical', at: 130 } as const,
      recovered(140),
    ];
    expect(listAlarmSpans(events, window)).toEqual([
      { kind: 'warning', from: 110, to: 130 },
      { kind: 'critical', from: 130, to: 140 },
    ]);
  });

  test('stale runs beside the alarm', () => {
    const events: SpanEvent[] = [
      { kind: 'went_stale', to: 'critical', at: 50 },
      raised(110),
      { kind: 'came_back', to: 'critical', at: 120 },
    ];
    expect(listAlarmSpans(events, window)).toEqual([
      { kind: 'critical', from: 110, to: 200 },
      { kind: 'stale', from: 100, to: 120 },
    ]);
  });
});
