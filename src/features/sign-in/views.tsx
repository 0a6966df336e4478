import { message } from '../../domain/language/message.ts';
import { Page } from '../../engine/pages/page.tsx';
import { PasskeyForm } from '../../engine/pages/passkey-form.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import { Field } from '../../platform/html/field.tsx';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { Notice } from '../../platform/html/notice.tsx';

/** What brought somebody to the sign-in page, by the word in its address. */
export const NEWS = {
  'password-set': message('Your password is set. Sign in with it.'),
  // For translators: an invitation to an organization
  joined: message('You accepted the invitation. Sign in to go on.'),
  // For translators: an invitation to an organization
  declined: message('You declined the invitation. Nothing was changed.'),
};
export type SignInNews = keyof typeof NEWS;

export const BY_PASSKEY = '/login/passkey';

export interface SignInModel {
  /** Where to after signing in. */
  next: string | null;
  email: string;
  /** Whether the browser is to stay signed in. */
  stays: boolean;
  error: string | null;
  news: SignInNews | null;
  offersPasskeys: boolean;
  visitor: Visitor | null;
}

export const SignInPage = ({ next, email, stays, error, news, offersPasskeys, visitor }: SignInModel) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <Page title={say('Sign in')} visitor={visitor} scripts={offersPasskeys ? ['passkeys.js'] : []}>
      <div class="narrow">
        {/* For translators: heading of the page where people sign in, and its button */}
        <h1>{say('Sign in')}</h1>
        {news && <Notice kind="done">{say(NEWS[news])}</Notice>}
        {error !== null && <Notice kind="error">{error}</Notice>}
        {visitor && (
          <p>
            {/* For translators: {name} is the name of a person; the link leads to the page they wanted */}
            {sayWith(language, 'You are signed in as {name}. <a>Go on</a>, or sign in as somebody else.', {
              name: visitor.name,
              a: (inside) => <a href={next ?? '/'}>{inside}</a>,
            })}
          </p>
        )}
        {!visitor && next !== null && !error && (
          <p>{say('Sign in first, then you get to the page you asked for.')}</p>
        )}
        {offersPasskeys && (
          <PasskeyForm action={BY_PASSKEY} way="use">
            {next !== null && <input type="hidden" name="next" value={next} />}
            <Stay isChosen={stays} hasHint={false} />
            <button type="submit" class="button-primary">
              {/* For translators: a passkey is what systems call the key on a phone or computer that signs in without a password */}
              {say('Sign in with a passkey')}
            </button>
          </PasskeyForm>
        )}
        <form method="post" action="/login">
          {next !== null && <input type="hidden" name="next" value={next} />}
          <Field
            name="username"
            label={say('Email')}
            input={{
              type: 'email',
              value: email,
              required: true,
              autocomplete: 'username',
              autocapitalize: 'none',
              spellcheck: false,
            }}
          />
          <Field
            name="password"
            label={say('Password')}
            input={{ type: 'password', required: true, autocomplete: 'current-password' }}
          />
          <Stay isChosen={stays} hasHint />
          <div class="actions">
            <button type="submit" class="button-primary">
              {say('Sign in')}
            </button>
            <a class="button" href="/forgot-password">
              {say('Forgot your password?')}
            </a>
          </div>
        </form>
      </div>
    </Page>
  );
};

const Stay = ({ isChosen, hasHint }: { isChosen: boolean; hasHint: boolean }) => {
  const { say } = useLanguage();
  return (
    <div class="field">
      <label class="check">
        {/* For translators: below the fields of the sign-in page; whoever chooses it need not sign in again on this phone or computer */}
        <input type="checkbox" name="stay" value="yes" checked={isChosen} />{' '}
        {say('Stay signed in on this device')}
      </label>
      {hasHint && (
        <p class="hint">
          {say('For up to 90 days, as your organization allows. Not on a computer that others use too.')}
        </p>
      )}
    </div>
  );
};
