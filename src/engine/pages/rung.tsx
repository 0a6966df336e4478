import type { ComponentChildren } from 'preact';
import { LAST_RESORT } from '../../domain/notifications/ladder.ts';

interface RungProps {
  step: number;
  when: ComponentChildren;
  /** Beside the time, less loud. */
  note?: ComponentChildren;
  /** Reaches nobody. */
  isEmpty: boolean;
  children: ComponentChildren;
}

/** One step of a ladder, drawn between its two rails; steps that reach nobody have a broken one. */
export const Rung = ({ step, when, note, isEmpty, children }: RungProps) => (
  <li class={isEmpty ? 'rung rung-empty' : 'rung'}>
    <span class="rung-mark" aria-hidden="true">
      <span class="rung-step">{step === LAST_RESORT ? '!' : step}</span>
    </span>
    <div class="rung-people">
      <p class="rung-when">
        <strong>{when}</strong> {note !== undefined && <span class="muted">{note}</span>}
      </p>
      {children}
    </div>
  </li>
);
