import { SHORTEST_PASSWORD } from '../../domain/accounts/password.ts';
import { Field } from '../../platform/html/field.tsx';
import { useLanguage } from '../../platform/html/language.tsx';

/** A new password, typed twice. */
export const NewPasswordFields = ({ errorOf }: { errorOf(field: string): string | undefined }) => {
  const { say } = useLanguage();
  return (
    <>
      <Field
        name="password"
        label={say('New password')}
        hint={say('At least {least} characters.', { least: SHORTEST_PASSWORD })}
        error={errorOf('password')}
        input={{
          type: 'password',
          required: true,
          minLength: SHORTEST_PASSWORD,
          autocomplete: 'new-password',
        }}
      />
      <Field
        name="password_again"
        label={say('The same once more')}
        error={errorOf('password_again')}
        input={{ type: 'password', required: true, autocomplete: 'new-password' }}
      />
    </>
  );
};
