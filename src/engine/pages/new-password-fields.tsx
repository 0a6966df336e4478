import { SHORTEST_PASSWORD } from '../../domain/accounts/password.ts';
import { Field } from '../../platform/html/field.tsx';

/** A new password, typed twice. */
export const NewPasswordFields = ({ errorOf }: { errorOf(field: string): string | undefined }) => (
  <>
    <Field
      name="password"
      label="New password"
      hint={`At least ${SHORTEST_PASSWORD} characters.`}
      error={errorOf('password')}
      input={{ type: 'password', required: true, minLength: SHORTEST_PASSWORD, autocomplete: 'new-password' }}
    />
    <Field
      name="password_again"
      label="The same once more"
      error={errorOf('password_again')}
      input={{ type: 'password', required: true, autocomplete: 'new-password' }}
    />
  </>
);
