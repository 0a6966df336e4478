import { LONGEST_PIN, SHORTEST_PIN } from '../../domain/accounts/phone-pin.ts';
import type { OwnPin } from '../../engine/accounts/phone-pins.ts';
import { Field } from '../../platform/html/field.tsx';

export const CONTACTS = '/profile/contacts';
export const PIN = `${CONTACTS}/pin`;

export interface PinProps extends OwnPin {
  email: string;
  fault: { field: string; text: string } | null;
}

/** null: nothing is missing. */
export const sayMissingPin = ({ hasPin, hasPhone, askedBy }: OwnPin): string | null =>
  hasPin || !hasPhone || askedBy.length === 0
    ? null
    : `${askedBy.join(', ')}: alarms are acknowledged by SMS or in a call with a PIN only, and you have none.`;

export const PinCard = ({ hasPin, askedBy, email, fault }: PinProps) => {
  const errorOf = (field: string) => (fault?.field === field ? fault.text : undefined);
  return (
    <section class="card" id="pin">
      <h2>PIN for answers by phone</h2>
      <p>
        {askedBy.length === 0
          ? 'An organization can ask for it when you acknowledge by SMS or in a call. None of yours does.'
          : `${askedBy.join(', ')} ${askedBy.length === 1 ? 'asks' : 'ask'} for it when you acknowledge by SMS (the code, then the PIN) or in a call.`}{' '}
        <strong>{hasPin ? 'You have one.' : 'You have none.'}</strong>
      </p>
      <form method="post" action={PIN}>
        <input type="hidden" name="username" autocomplete="username" value={email} />
        <Field
          id="new-pin"
          name="pin"
          label={hasPin ? 'New PIN' : 'PIN'}
          hint={`${SHORTEST_PIN} to ${LONGEST_PIN} digits.`}
          error={errorOf('pin')}
          input={PIN_INPUT}
        />
        <Field name="pin_again" label="The same again" error={errorOf('pin_again')} input={PIN_INPUT} />
        <PasswordField id="pin-password" error={errorOf('current_password')} />
        <button type="submit" class="button-primary">
          {hasPin ? 'Change the PIN' : 'Set the PIN'}
        </button>
      </form>
      {hasPin && (
        <details>
          <summary>Remove the PIN</summary>
          <form method="post" action={`${PIN}/remove`}>
            <input type="hidden" name="username" autocomplete="username" value={email} />
            <PasswordField id="pin-remove-password" />
            <button type="submit" class="button-danger">
              Remove the PIN
            </button>
          </form>
        </details>
      )}
    </section>
  );
};

const PIN_INPUT = {
  type: 'password',
  inputMode: 'numeric',
  required: true,
  minLength: SHORTEST_PIN,
  maxLength: LONGEST_PIN,
  pattern: '[0-9]*',
  autocomplete: 'off',
} as const;

const PasswordField = ({ id, error }: { id: string; error?: string | undefined }) => (
  <Field
    id={id}
    name="current_password"
    label="Your password"
    error={error}
    input={{ type: 'password', required: true, autocomplete: 'current-password' }}
  />
);
