import { SHORTEST_PASSWORD } from '../../domain/accounts/password.ts';
import type { Role } from '../../domain/accounts/role.ts';
import { Page } from '../../engine/pages/page.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import { Field } from '../../platform/html/field.tsx';
import { Notice } from '../../platform/html/notice.tsx';
import type { PasswordWords } from './password-words.ts';

interface ForgotProps {
  visitor: Visitor | null;
  email: string;
  error: string | null;
}

export const ForgotPasswordPage = ({ visitor, email, error }: ForgotProps) => (
  <Page title="Forgot your password?" visitor={visitor}>
    <div class="narrow">
      <h1>Forgot your password?</h1>
      <p>We send you a link to set a new one.</p>
      {error !== null && <Notice kind="error">{error}</Notice>}
      <form method="post" action="/forgot-password">
        <Field
          name="email"
          label="Email"
          input={{
            type: 'email',
            value: email,
            required: true,
            autocomplete: 'username',
            autocapitalize: 'none',
          }}
        />
        <div class="actions">
          <button type="submit" class="button-primary">
            Send link
          </button>
          <a class="button" href="/login">
            Back to sign in
          </a>
        </div>
      </form>
    </div>
  </Page>
);

/** The same for everybody, so that nobody can try out who has an account. */
export const MailAskedPage = ({
  visitor,
  hasMailServer,
}: {
  visitor: Visitor | null;
  hasMailServer: boolean;
}) => (hasMailServer ? <MailComesPage visitor={visitor} /> : <NoMailPage visitor={visitor} />);

const MailComesPage = ({ visitor }: { visitor: Visitor | null }) => (
  <Page title="Look into your mail" visitor={visitor}>
    <div class="narrow">
      <h1>Look into your mail</h1>
      <p>
        If there is an account with this address, a mail with a link goes to it within a minute. The link
        works once and for one hour. If nothing comes, look into the junk folder, check the address, or ask an
        administrator of your lab.
      </p>
      <p>
        <a class="button" href="/login">
          Back to sign in
        </a>
      </p>
    </div>
  </Page>
);

const NoMailPage = ({ visitor }: { visitor: Visitor | null }) => (
  <Page title="No mail leaves this service" visitor={visitor}>
    <div class="narrow">
      <h1>No mail leaves this service</h1>
      <p>
        There is no mail server, so no link comes by mail. If there is an account with this address, the mail
        is kept: an administrator of your lab can give you the link in it, within one hour.
      </p>
      <p>
        <a class="button" href="/login">
          Back to sign in
        </a>
      </p>
    </div>
  </Page>
);

interface NewPasswordProps {
  visitor: Visitor | null;
  words: PasswordWords;
  action: string;
  email: string;
  /** What an account is activated for. */
  invitation: { organizationName: string; role: Role; invitedBy: string } | null;
  error: string | null;
}

export const NewPasswordPage = ({ visitor, words, action, email, invitation, error }: NewPasswordProps) => (
  <Page title={words.title} visitor={visitor}>
    <div class="narrow">
      <h1>{words.title}</h1>
      <p>
        For <strong>{email}</strong>. {words.lead}
      </p>
      {invitation && (
        <p>
          With it you accept the invitation of <strong>{invitation.invitedBy}</strong> to{' '}
          <strong>{invitation.organizationName}</strong> as <strong>{invitation.role}</strong>.
        </p>
      )}
      {error !== null && <Notice kind="error">{error}</Notice>}
      <form method="post" action={action}>
        {/* Lets password managers know whose password it is. */}
        <input type="hidden" name="username" value={email} autocomplete="username" />
        <Field
          name="password"
          label="New password"
          hint={`At least ${SHORTEST_PASSWORD} characters; several words are easiest to remember.`}
          input={{
            type: 'password',
            required: true,
            autocomplete: 'new-password',
            minLength: SHORTEST_PASSWORD,
          }}
        />
        <Field
          name="repeated"
          label="New password, once more"
          input={{ type: 'password', required: true, autocomplete: 'new-password' }}
        />
        <button type="submit" class="button-primary">
          {words.button}
        </button>
      </form>
    </div>
  </Page>
);

export const DeadLinkPage = ({ visitor, words }: { visitor: Visitor | null; words: PasswordWords }) => (
  <Page title="This link does not work" visitor={visitor}>
    <div class="narrow">
      <h1>This link does not work any more</h1>
      <p>{words.dead}</p>
      <p class="actions">
        <a class="button button-primary" href="/forgot-password">
          Ask for a new link
        </a>
        <a class="button" href="/login">
          Sign in
        </a>
      </p>
    </div>
  </Page>
);
