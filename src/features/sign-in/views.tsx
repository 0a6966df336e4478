import { Page } from '../../engine/pages/page.tsx';
import { PasskeyForm } from '../../engine/pages/passkey-form.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import { Field } from '../../platform/html/field.tsx';
import { Notice } from '../../platform/html/notice.tsx';

/** What brought somebody to the sign-in page, by the word in its address. */
export const NEWS = {
  'password-set': 'Your password is set. Sign in with it.',
  joined: 'You accepted the invitation. Sign in to go on.',
  declined: 'You declined the invitation. Nothing was changed.',
};
export type SignInNews = keyof typeof NEWS;

export const BY_PASSKEY = '/login/passkey';

export interface SignInModel {
  /** Where to after signing in. */
  next: string | null;
  email: string;
  error: string | null;
  news: SignInNews | null;
  offersPasskeys: boolean;
  visitor: Visitor | null;
}

export const SignInPage = ({ next, email, error, news, offersPasskeys, visitor }: SignInModel) => (
  <Page title="Sign in" visitor={visitor} scripts={offersPasskeys ? ['passkeys.js'] : []}>
    <div class="narrow">
      <h1>Sign in</h1>
      {news && <Notice kind="done">{NEWS[news]}</Notice>}
      {error !== null && <Notice kind="error">{error}</Notice>}
      {visitor && (
        <p>
          You are signed in as {visitor.name}. <a href={next ?? '/'}>Go on</a>, or sign in as somebody else.
        </p>
      )}
      {!visitor && next !== null && !error && <p>Sign in first, then you get to the page you asked for.</p>}
      {offersPasskeys && (
        <PasskeyForm action={BY_PASSKEY} way="use">
          {next !== null && <input type="hidden" name="next" value={next} />}
          <button type="submit" class="button-primary">
            Sign in with a passkey
          </button>
        </PasskeyForm>
      )}
      <form method="post" action="/login">
        {next !== null && <input type="hidden" name="next" value={next} />}
        <Field
          name="username"
          label="Email"
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
          label="Password"
          input={{ type: 'password', required: true, autocomplete: 'current-password' }}
        />
        <div class="actions">
          <button type="submit" class="button-primary">
            Sign in
          </button>
          <a class="button" href="/forgot-password">
            Forgot your password?
          </a>
        </div>
      </form>
    </div>
  </Page>
);
