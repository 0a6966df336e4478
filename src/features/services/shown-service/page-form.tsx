import type { ComponentChildren } from 'preact';

/** Acknowledge and mute, with what undoes them, are sent to the room of alarms, which leads back here. */
export type VerbName =
  | 'schedule-downtime'
  | 'cancel-downtime'
  | 'delete-band'
  | 'recommend'
  | 'apply-recommendation'
  | 'rename';

interface VerbFormProps {
  serviceId: number;
  verb: VerbName | 'acknowledge' | 'unacknowledge';
  hidden?: Record<string, string | number>;
  class?: string;
  /** Asked before it is sent, where scripts run. */
  confirm?: string;
  /** Only this part of the page is taken from the answer, where scripts run; else the whole page. */
  replaces?: string;
  children: ComponentChildren;
}

const ALARM_VERBS = ['acknowledge', 'unacknowledge'];

/** Sends a verb of the page. Works as it is; where scripts run, the page stays where it is scrolled to. */
export const VerbForm = ({
  serviceId,
  verb,
  hidden = {},
  confirm,
  replaces,
  children,
  ...rest
}: VerbFormProps) => (
  <form
    method="post"
    action={`/${ALARM_VERBS.includes(verb) ? 'alarms' : 'services'}/${serviceId}/${verb}`}
    class={rest.class}
    {...(confirm && { 'hx-confirm': confirm })}
    {...(replaces && {
      'hx-boost': 'true',
      'hx-target': replaces,
      'hx-select': replaces,
      'hx-select-oob': '#state, #history',
      'hx-swap': 'outerHTML show:none',
      'hx-push-url': 'false',
    })}
  >
    {Object.entries(hidden).map(([name, value]) => (
      <input key={name} type="hidden" name={name} value={value} />
    ))}
    {children}
  </form>
);
