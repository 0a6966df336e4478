// The form of a note takes the moment that was pressed on the chart.
import { pageLanguage } from '../app/page-language.ts';

export interface NotePin {
  /** That moment stands in the form, which says so. */
  choose(atMs: number): void;
  /** Opens the form at its words. */
  open(): void;
}

/** null: who looks on may pin none. */
export function findNotePin(card: Element | null, zone: string): NotePin | null {
  const form = card?.querySelector<HTMLDetailsElement>('.note-form');
  const moment = form?.querySelector<HTMLInputElement>('[name=at]');
  const summary = form?.querySelector('summary');
  if (!form || !moment || !summary) return null;
  for (const hint of form.querySelectorAll<HTMLElement>('[data-pressed]')) hint.hidden = false;
  return {
    choose(atMs) {
      moment.value = writeMoment(atMs, zone);
      summary.textContent = pageLanguage.say('Pin a note at {moment}', { moment: moment.value });
    },
    open() {
      form.open = true;
      form.querySelector('textarea')?.focus();
    },
  };
}

/** `2026-11-15 02:00` on the clock of the page. */
export function writeMoment(atMs: number, zone: string): string {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(atMs);
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  return `${of('year')}-${of('month')}-${of('day')} ${of('hour')}:${of('minute')}`;
}
