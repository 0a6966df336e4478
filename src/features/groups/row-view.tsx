import type { ComponentChildren } from 'preact';

interface RowProps {
  action: string;
  fields: Record<string, string>;
  verb: string;
  whom: string;
  children: ComponentChildren;
}

export const Row = ({ action, fields, verb, whom, children }: RowProps) => (
  <li>
    <div>{children}</div>
    <SmallForm action={action} fields={fields} verb={verb} whom={whom} />
  </li>
);

/** A button with what it is about, for screen readers too. */
export const SmallForm = ({ action, fields, verb, whom }: Omit<RowProps, 'children'>) => (
  <form method="post" action={action}>
    {Object.entries(fields).map(([name, value]) => (
      <input key={name} type="hidden" name={name} value={value} />
    ))}
    <button type="submit" aria-label={`${verb} ${whom}`}>
      {verb}
    </button>
  </form>
);
