import type { Role } from '../../domain/accounts/role.ts';
import { message } from '../../domain/language/message.ts';
import { sayRole } from '../../domain/words/say-role.ts';
import { NewPasswordFields } from '../../engine/pages/new-password-fields.tsx';
import { Page } from '../../engine/pages/page.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { Notice } from '../../platform/html/notice.tsx';

export const INVITATIONS = '/invitations';

interface InvitationModel {
  id: number;
  organizationName: string;
  role: Role;
  invitedBy: string;
}

const MAY = {
  viewer: message(
    'A viewer sees its equipment and alarms. Once you accept, its administrators see your name and what you do there. Until then they see nothing of you.',
  ),
  operator: message(
    'An operator sees its equipment and alarms, acknowledges and mutes them, and plans downtime. Once you accept, its administrators see your name and what you do there. Until then they see nothing of you.',
  ),
  administrator: message(
    'An administrator sees its equipment and alarms, acts on them, and changes limits, equipment and people. Once you accept, its administrators see your name and what you do there. Until then they see nothing of you.',
  ),
} satisfies Record<Role, string>;

const Offer = ({ organizationName, role, invitedBy }: InvitationModel) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <>
      <p>
        {/* For translators: {role} is viewer, operator or administrator */}
        {sayWith(
          language,
          '<strong>{invitedBy}</strong> invites you to <strong>{organization}</strong> as <strong>{role}</strong>.',
          {
            invitedBy,
            strong: (inside) => <strong>{inside}</strong>,
            organization: organizationName,
            role: sayRole(role, language),
          },
        )}
      </p>
      <p>{say(MAY[role])}</p>
    </>
  );
};

interface InvitationsProps {
  visitor: Visitor;
  invitations: InvitationModel[];
  /** False: an administrator may know the password of this account. */
  mayAccept: boolean;
  hasMailServer: boolean;
  done: string | null;
  refusal: string | null;
}

export const InvitationsPage = (props: InvitationsProps) => {
  const { say } = useLanguage();
  const { visitor, invitations, mayAccept, hasMailServer, done, refusal } = props;
  return (
    <Page title={say('Invitations')} visitor={visitor} current={INVITATIONS}>
      <div class="narrow">
        <h1>{say('Invitations')}</h1>
        {done !== null && <Notice kind="done">{done}</Notice>}
        {refusal !== null && <Notice kind="error">{refusal}</Notice>}
        {invitations.length > 0 && !mayAccept && (
          <NewPasswordFirst hasMailServer={hasMailServer} isMember={visitor.memberships.length > 0} />
        )}
        {invitations.map((invitation) => (
          <section key={invitation.id} class="card">
            <h2>{invitation.organizationName}</h2>
            <Offer {...invitation} />
            <div class="actions">
              {mayAccept && (
                <form method="post" action={`${INVITATIONS}/${invitation.id}/accept`}>
                  <button
                    type="submit"
                    class="button-primary"
                    aria-label={say('Accept the invitation to {organization}', {
                      organization: invitation.organizationName,
                    })}
                  >
                    {say('Accept')}
                  </button>
                </form>
              )}
              <form method="post" action={`${INVITATIONS}/${invitation.id}/decline`}>
                <button
                  type="submit"
                  aria-label={say('Decline the invitation to {organization}', {
                    organization: invitation.organizationName,
                  })}
                >
                  {say('Decline')}
                </button>
              </form>
            </div>
          </section>
        ))}
        {invitations.length === 0 && (
          <>
            <p>
              {done === null
                ? say('No invitation waits for your answer.')
                : say('No other invitation waits.')}
            </p>
            <p>
              <a class="button" href="/">
                {say('To the alarms')}
              </a>
            </p>
          </>
        )}
      </div>
    </Page>
  );
};

const NewPasswordFirst = ({ hasMailServer, isMember }: { hasMailServer: boolean; isMember: boolean }) => {
  const { say } = useLanguage();
  return (
    <section class="card">
      <h2>{say('First a new password')}</h2>
      <p>
        {say(
          'Your password was chosen by a link that an administrator could read. Before you join another organization, choose one that nobody else can know.',
        )}
      </p>
      {hasMailServer ? (
        <p>
          <a class="button" href="/forgot-password">
            {say('Get a link by mail')}
          </a>
        </p>
      ) : isMember ? (
        <p>
          {say(
            'No mail leaves this service: ask whoever runs it to set one for you, then sign in and accept.',
          )}
        </p>
      ) : (
        <p>
          {say(
            'No mail leaves this service: ask whoever invites you for the link in the invitation. It lets you choose a new password and accepts with it.',
          )}
        </p>
      )}
    </section>
  );
};

interface JoinProps {
  visitor: Visitor | null;
  action: string;
  email: string;
  invitation: InvitationModel;
  needsPassword: boolean;
  error: string | null;
}

export const JoinPage = ({ visitor, action, email, invitation, needsPassword, error }: JoinProps) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <Page title={say('Invitation')} visitor={visitor}>
      <div class="narrow">
        <h1>{say('Invitation to {organization}', { organization: invitation.organizationName })}</h1>
        {error !== null && <Notice kind="error">{error}</Notice>}
        <p>
          {sayWith(language, 'For <strong>{email}</strong>.', {
            email,
            strong: (inside) => <strong>{inside}</strong>,
          })}
        </p>
        <Offer {...invitation} />
        <form method="post" action={action}>
          {needsPassword && (
            <>
              <p>
                {/* For translators: somebody joins by the link in an invitation */}
                {say(
                  'An administrator may know the password of this account. Choose a new one; all devices are signed out then.',
                )}
              </p>
              {/* Lets password managers know whose password it is. */}
              <input type="hidden" name="username" value={email} autocomplete="username" />
              <NewPasswordFields errorOf={() => undefined} />
            </>
          )}
          <div class="actions">
            <button type="submit" name="answer" value="accept" class="button-primary">
              {say('Accept')}
            </button>
            <button type="submit" name="answer" value="decline" formNoValidate>
              {say('Decline')}
            </button>
          </div>
        </form>
      </div>
    </Page>
  );
};

export const DeadInvitationPage = ({ visitor }: { visitor: Visitor | null }) => {
  const { say } = useLanguage();
  return (
    <Page title={say('This link does not work')} visitor={visitor}>
      <div class="narrow">
        <h1>{say('This link does not work any more')}</h1>
        <p>
          {say(
            'It works once and for seven days, as long as the invitation is open. Sign in to see whether an invitation waits for you.',
          )}
        </p>
        <p class="actions">
          <a class="button button-primary" href={INVITATIONS}>
            {say('See my invitations')}
          </a>
        </p>
      </div>
    </Page>
  );
};
