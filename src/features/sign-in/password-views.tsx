import { SHORTEST_PASSWORD } from '../../domain/accounts/password.ts';
import type { Role } from '../../domain/accounts/role.ts';
import { sayRole } from '../../domain/words/say-role.ts';
import { Page } from '../../engine/pages/page.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import { Field } from '../../platform/html/field.tsx';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { Notice } from '../../platform/html/notice.tsx';
import type { PasswordWords } from './password-words.ts';

interface ForgotProps {
  visitor: Visitor | null;
  email: string;
  error: string | null;
}

export const ForgotPasswordPage = ({ visitor, email, error }: ForgotProps) => {
  const { say } = useLanguage();
  return (
    <Page title={say('Forgot your password?')} visitor={visitor}>
      <div class="narrow">
        <h1>{say('Forgot your password?')}</h1>
        <p>{say('We send you a link to set a new one.')}</p>
        {error !== null && <Notice kind="error">{error}</Notice>}
        <form method="post" action="/forgot-password">
          <Field
            name="email"
            label={say('Email')}
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
              {/* For translators: by mail, to set a new password */}
              {say('Send link')}
            </button>
            <a class="button" href="/login">
              {say('Back to sign in')}
            </a>
          </div>
        </form>
      </div>
    </Page>
  );
};

/** The same for everybody, so that nobody can try out who has an account. */
export const MailAskedPage = ({
  visitor,
  hasMailServer,
}: {
  visitor: Visitor | null;
  hasMailServer: boolean;
}) => (hasMailServer ? <MailComesPage visitor={visitor} /> : <NoMailPage visitor={visitor} />);

const MailComesPage = ({ visitor }: { visitor: Visitor | null }) => {
  const { say } = useLanguage();
  return (
    <Page title={say('Look into your mail')} visitor={visitor}>
      <div class="narrow">
        <h1>{say('Look into your mail')}</h1>
        <p>
          {say(
            'If there is an account with this address, a mail with a link goes to it within a minute. The link works once and for one hour. If nothing comes, look into the junk folder, check the address, or ask an administrator of your lab.',
          )}
        </p>
        <p>
          <a class="button" href="/login">
            {say('Back to sign in')}
          </a>
        </p>
      </div>
    </Page>
  );
};

const NoMailPage = ({ visitor }: { visitor: Visitor | null }) => {
  const { say } = useLanguage();
  return (
    <Page title={say('No mail leaves this service')} visitor={visitor}>
      <div class="narrow">
        <h1>{say('No mail leaves this service')}</h1>
        <p>
          {say(
            'There is no mail server, so no link comes by mail. If there is an account with this address, the mail is kept: an administrator of your lab can give you the link in it, within one hour.',
          )}
        </p>
        <p>
          <a class="button" href="/login">
            {say('Back to sign in')}
          </a>
        </p>
      </div>
    </Page>
  );
};

interface NewPasswordProps {
  visitor: Visitor | null;
  words: PasswordWords;
  action: string;
  email: string;
  /** What an account is activated for. */
  invitation: { organizationName: string; role: Role; invitedBy: string } | null;
  error: string | null;
}

export const NewPasswordPage = ({ visitor, words, action, email, invitation, error }: NewPasswordProps) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <Page title={words.title} visitor={visitor}>
      <div class="narrow">
        <h1>{words.title}</h1>
        <p>
          {/* For translators: whose password is set */}
          {sayWith(language, 'For <strong>{email}</strong>.', {
            email,
            strong: (inside) => <strong>{inside}</strong>,
          })}{' '}
          {words.lead}
        </p>
        {invitation && (
          <p>
            {/* For translators: with the password that is chosen; {role} is viewer, operator or administrator */}
            {sayWith(
              language,
              'With it you accept the invitation of <strong>{invitedBy}</strong> to <strong>{organizationName}</strong> as <strong>{role}</strong>.',
              {
                invitedBy: invitation.invitedBy,
                strong: (inside) => <strong>{inside}</strong>,
                organizationName: invitation.organizationName,
                role: sayRole(invitation.role, language),
              },
            )}
          </p>
        )}
        {error !== null && <Notice kind="error">{error}</Notice>}
        <form method="post" action={action}>
          {/* Lets password managers know whose password it is. */}
          <input type="hidden" name="username" value={email} autocomplete="username" />
          <Field
            name="password"
            label={say('New password')}
            hint={say('At least {least} characters; several words are easiest to remember.', {
              least: SHORTEST_PASSWORD,
            })}
            input={{
              type: 'password',
              required: true,
              autocomplete: 'new-password',
              minLength: SHORTEST_PASSWORD,
            }}
          />
          <Field
            name="repeated"
            label={say('New password, once more')}
            input={{ type: 'password', required: true, autocomplete: 'new-password' }}
          />
          <button type="submit" class="button-primary">
            {words.button}
          </button>
        </form>
      </div>
    </Page>
  );
};

export const DeadLinkPage = ({ visitor, words }: { visitor: Visitor | null; words: PasswordWords }) => {
  const { say } = useLanguage();
  return (
    <Page title={say('This link does not work')} visitor={visitor}>
      <div class="narrow">
        <h1>{say('This link does not work any more')}</h1>
        <p>{words.dead}</p>
        <p class="actions">
          <a class="button button-primary" href="/forgot-password">
            {say('Ask for a new link')}
          </a>
          <a class="button" href="/login">
            {say('Sign in')}
          </a>
        </p>
      </div>
    </Page>
  );
};
