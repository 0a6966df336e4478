// The buttons below an alarm: what one sends back names the letter, and counts only from the chat it was sent to.
import type { ButtonVerb } from '../record/updates.ts';

const VERBS = { ack: 'acknowledge', pass: 'pass_on' } as const satisfies Record<string, ButtonVerb>;

export const writeButtonData = (verb: keyof typeof VERBS, letterId: string): string => `${verb} ${letterId}`;

/** null: it is of another button. */
export function readButtonData(data: string): { verb: ButtonVerb; letterId: string } | null {
  const [, verb, letterId] = /^(ack|pass) (\d{1,18})$/.exec(data) ?? [];
  return verb !== undefined && letterId !== undefined
    ? { verb: VERBS[verb as keyof typeof VERBS], letterId }
    : null;
}
