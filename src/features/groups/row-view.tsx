import type { ComponentChildren } from 'preact';

interface RowProps {
  action: string;
  fields: Record<string, string>;
  verb: string;
  /** The same with whom or what it is about. */
  label: string;
  children: ComponentChildren;
}

export const Row = ({ children, ...form }: RowProps) => (
  <li>
    <div>{children}</div>
    <SmallForm {...form} />
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
