import type { ComponentChildren } from 'preact';
import { AskLink } from '../../engine/pages/ask.tsx';

interface RowProps {
  action: string;
  fields: Record<string, string>;
  verb: string;
  /** The same with whom or what it is about. */
  label: string;
  children: ComponentChildren;
}

/** With an act that hurts, which is asked about first. */
export const Row = ({ children, ...form }: RowProps) => (
  <li>
    <div>{children}</div>
    <SmallAsk {...form} />
  </li>
);

/** A button with what it is about, for screen readers too. */
export const SmallForm = ({ action, fields, verb, label }: Omit<RowProps, 'children'>) => (
  <form method="post" action={action}>
    {Object.entries(fields).map(([name, value]) => (
      <input key={name} type="hidden" name={name} value={value} />
    ))}
    <button type="submit" aria-label={label}>
      {verb}
    </button>
  </form>
);

/** The same of an act that hurts: it leads to its question. */
export const SmallAsk = ({ action, fields, verb, label }: Omit<RowProps, 'children'>) => (
  <AskLink to={action} hidden={fields} label={label} isQuiet>
    {verb}
  </AskLink>
);
