import type { Language } from '../language/speak.ts';

/** `25 h 30 min` */
export function sayMinutes(minutes: number, { say }: Language): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours === 0) return say('{rest} min', { rest });
  return rest > 0 ? say('{hours} h {rest} min', { hours, rest }) : say('{hours} h', { hours });
}
