import type { ComponentChildren } from 'preact';

/** What came of the form that was just sent. Read out at once by a screen reader. */
export const Notice = ({ kind, children }: { kind: 'done' | 'error'; children: ComponentChildren }) => (
  <p class={`notice notice-${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
    {children}
  </p>
);
