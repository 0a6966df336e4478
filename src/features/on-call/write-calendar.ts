// The shifts of a rota as a calendar that others can read.
import type { Language } from '../../domain/language/speak.ts';
import { listDuties } from '../../domain/on-call/duties.ts';
import type { Rota } from '../../domain/on-call/rota.ts';

const AHEAD_MS = 8 * 7 * 24 * 60 * 60_000;
const MOST_OCTETS = 73;

export function writeCalendar(
  { id, name, rota, people }: { id: number; name: string; rota: Rota; people: ReadonlyMap<number, string> },
  now: Date,
  { say }: Language,
): string {
  const nameOf = (id: number) => people.get(id) ?? say('Somebody');
  const events = listDuties(rota, now, new Date(now.getTime() + AHEAD_MS)).flatMap(
    ({ startAt, endAt, duty }) => [
      'BEGIN:VEVENT',
      `UID:rota-${id}-${startAt.getTime()}@tocsin`,
      `DTSTAMP:${stamp(now)}`,
      `DTSTART:${stamp(startAt)}`,
      `DTEND:${stamp(endAt)}`,
      `SUMMARY:${escapeText(duty ? say('{rota}: {name}', { rota: name, name: nameOf(duty.accountId) }) : say('{rota}: nobody', { rota: name }))}`,
      'END:VEVENT',
    ],
  );
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Tocsin//On call//EN',
    `X-WR-CALNAME:${escapeText(name)}`,
    ...events,
    'END:VCALENDAR',
  ];
  return `${lines.flatMap(fold).join('\r\n')}\r\n`;
}

const stamp = (at: Date): string => at.toISOString().replaceAll(/[-:]|\.\d{3}/g, '');

const escapeText = (text: string): string =>
  text.replaceAll(/[\\;,]/g, (sign) => `\\${sign}`).replaceAll(/\r?\n/g, '\\n');

/** No line is longer than the format allows; characters stay whole. */
function fold(line: string): string[] {
  if (Buffer.byteLength(line) <= MOST_OCTETS) return [line];
  const lines: string[] = [];
  let last = '';
  let octets = 0;
  for (const letter of line) {
    const size = Buffer.byteLength(letter);
    if (octets + size > MOST_OCTETS) {
      lines.push(last);
      [last, octets] = [' ', 1];
    }
    last += letter;
    octets += size;
  }
  return [...lines, last];
}
