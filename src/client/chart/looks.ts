// The colours of the page's own tokens, read anew whenever light and dark change.

export interface Looks {
  line: string;
  spread: string;
  text: string;
  grid: string;
  setpoint: string;
  critical: string;
  warning: string;
  stale: string;
  downtime: string;
  damaged: string;
  /** What is drawn over the curve. */
  over: string[];
  font: string;
}

export function readLooks(): Looks {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    line: token('accent'),
    spread: token('accent'),
    text: token('muted'),
    grid: token('line'),
    setpoint: token('text'),
    critical: token('critical'),
    warning: token('warning'),
    stale: token('stale'),
    downtime: token('control-line'),
    damaged: token('text'),
    over: [1, 2, 3].map((place) => token(`over-${place}`)),
    font: `12px ${token('font') || 'sans-serif'}`,
  };
}
