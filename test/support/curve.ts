import type { Curve } from '../../src/domain/notifications/notice.ts';

const ENDS_AT = Date.parse('2026-11-15T02:05:00Z');
const MINUTE = 60_000;

/** Four and a half hours around -80 °C, then 80 minutes of warming up to -55.2 °C. */
export const WARMING: Curve = {
  from: new Date(ENDS_AT - 360 * MINUTE),
  to: new Date(ENDS_AT),
  points: Array.from({ length: 121 }, (_, step) => {
    const value = step < 94 ? -79.5 + 1.2 * Math.sin(step / 2) : -79.5 + (step - 94) * 0.9346;
    return [ENDS_AT - (120 - step) * 3 * MINUTE, Math.round(value * 10) / 10];
  }),
  limits: [
    { severity: 'critical', limit: -60 },
    { severity: 'warning', limit: -70 },
  ],
};
