// From what happened to a service to the spans of time that its chart shades.
import type { Severity } from '../../../domain/judging/severity.ts';

export interface SpanEvent {
  kind: 'raised' | 'changed' | 'recovered' | 'went_stale' | 'came_back';
  to: Severity;
  at: number;
}

export interface ShadedSpan {
  /** Damaged: stored, and cannot be read. */
  kind: 'critical' | 'warning' | 'stale' | 'downtime' | 'damaged';
  from: number;
  to: number;
}

interface Window {
  from: number;
  to: number;
}

/** `events` in order of time; those before the window say how it begins. */
export function listAlarmSpans(events: readonly SpanEvent[], window: Window): ShadedSpan[] {
  const isStaleness = ({ kind }: SpanEvent) => kind === 'went_stale' || kind === 'came_back';
  return [
    ...follow(
      events.filter((event) => !isStaleness(event)),
      ({ to }) => (to === 'normal' ? null : to),
      window,
    ),
    ...follow(events.filter(isStaleness), ({ kind }) => (kind === 'went_stale' ? 'stale' : null), window),
  ];
}

function follow(
  events: readonly SpanEvent[],
  kindAfter: (event: SpanEvent) => ShadedSpan['kind'] | null,
  window: Window,
): ShadedSpan[] {
  const spans = events.map((event, index) => ({
    kind: kindAfter(event),
    from: event.at,
    to: events[index + 1]?.at ?? window.to,
  }));
  return spans.flatMap(({ kind, ...span }) => (kind === null ? [] : clip({ kind, ...span }, window)));
}

/** Nothing of what lies outside. */
export function clip(span: ShadedSpan, { from, to }: Window): ShadedSpan[] {
  const clipped = { ...span, from: Math.max(span.from, from), to: Math.min(span.to, to) };
  return clipped.from < clipped.to ? [clipped] : [];
}
