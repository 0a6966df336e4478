import { LONGEST_PIN, SHORTEST_PIN } from '../../domain/accounts/phone-pin.ts';
import type { Language } from '../../domain/language/speak.ts';
import { inARow } from '../../domain/list-names.ts';
import type { OwnPin } from '../../engine/accounts/phone-pins.ts';
import { Field } from '../../platform/html/field.tsx';
import { useLanguage } from '../../platform/html/language.tsx';

export const CONTACTS = '/profile/contacts';
export const PIN = `${CONTACTS}/pin`;

export interface PinProps extends OwnPin {
  email: string;
  fault: { field: string; text: string } | null;
}

/** null: nothing is missing. */
export const sayMissingPin = ({ hasPin, hasPhone, askedBy }: OwnPin, language: Language): string | null =>
  hasPin || !hasPhone || askedBy.length === 0
    ? null
    : // For translators: {organizations} ask for a PIN
      language.say(
        '{organizations}: alarms are acknowledged by SMS or in a call with a PIN only, and you have none.',
        { organizations: inARow(askedBy, language) },
      );

export const PinCard = ({ hasPin, askedBy, email, fault }: PinProps) => {
  const language = useLanguage();
  const { say } = language;
  const errorOf = (field: string) => (fault?.field === field ? fault.text : undefined);
  return (
    <section class="card" id="pin">
      <h2>{say('PIN for answers by phone')}</h2>
      <p>
        {askedBy.length === 0
          ? say(
              'An organization can ask for it when you acknowledge by SMS or in a call. None of yours does.',
            )
          : say(
              '{count, plural, one {{organizations} asks} other {{organizations} ask}} for it when you acknowledge by SMS (the code, then the PIN) or in a call.',
              { count: askedBy.length, organizations: inARow(askedBy, language) },
            )}{' '}
        <strong>{hasPin ? say('You have one.') : say('You have none.')}</strong>
      </p>
      <form method="post" action={PIN}>
        <input type="hidden" name="username" autocomplete="username" value={email} />
        <Field
          id="new-pin"
          name="pin"
          label={hasPin ? say('New PIN') : say('PIN')}
          hint={say('{least} to {most} digits.', {
            least: SHORTEST_PIN,
            most: LONGEST_PIN,
          })}
          error={errorOf('pin')}
          input={PIN_INPUT}
        />
        <Field
          name="pin_again"
          label={say('The same again')}
          error={errorOf('pin_again')}
          input={PIN_INPUT}
        />
        <PasswordField id="pin-password" error={errorOf('current_password')} />
        <button type="submit" class="button-primary">
          {hasPin ? say('Change the PIN') : say('Set the PIN')}
        </button>
      </form>
      {hasPin && (
        <details>
          <summary>{say('Remove the PIN')}</summary>
          <form method="post" action={`${PIN}/remove`}>
            <input type="hidden" name="username" autocomplete="username" value={email} />
            <PasswordField id="pin-remove-password" />
            <button type="submit" class="button-danger">
              {say('Remove the PIN')}
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

const PasswordField = ({ id, error }: { id: string; error?: string | undefined }) => {
  const { say } = useLanguage();
  return (
    <Field
      id={id}
      name="current_password"
      label={say('Your password')}
      error={error}
      input={{ type: 'password', required: true, autocomplete: 'current-password' }}
    />
  );
};
