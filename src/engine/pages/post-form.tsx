import type { ComponentChildren } from 'preact';
import { settingsPath } from './settings-path.ts';

interface PostFormProps {
  organization: { id: number };
  /** Where it is sent to. */
  action: string;
  hidden?: Record<string, string | number>;
  class?: string;
  children: ComponentChildren;
}

/** A form of a settings page: it says which organization it is about. */
export const PostForm = ({ organization, action, hidden = {}, children, ...rest }: PostFormProps) => (
  <form method="post" action={settingsPath(action, organization)} class={rest.class}>
    {Object.entries(hidden).map(([name, value]) => (
      <input key={name} type="hidden" name={name} value={value} />
    ))}
    {children}
  </form>
);
