// A form that a device has to answer first (src/client/passkeys.ts). Without scripts, and where a browser knows no passkeys,
// it does not show.
import type { ComponentChildren } from 'preact';

interface PasskeyFormProps {
  action: string;
  /** A new one is made, or one is used. */
  way: 'make' | 'use';
  children: ComponentChildren;
}

export const PasskeyForm = ({ action, way, children }: PasskeyFormProps) => (
  <form method="post" action={action} data-passkey={way} hidden>
    <input type="hidden" name="answer" value="" />
    <p class="notice notice-error" role="alert" hidden />
    {children}
  </form>
);
