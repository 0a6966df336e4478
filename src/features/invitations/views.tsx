import type { Role } from '../../domain/accounts/role.ts';
import { NewPasswordFields } from '../../engine/pages/new-password-fields.tsx';
import { Page } from '../../engine/pages/page.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import { Notice } from '../../platform/html/notice.tsx';

export const INVITATIONS = '/invitations';

interface InvitationModel {
  id: number;
  organizationName: string;
  role: Role;
  invitedBy: string;
}

const MAY: Record<Role, string> = {
  viewer: 'A viewer sees its equipment and alarms.',
  operator: 'An operator sees its equipment and alarms, acknowledges and mutes them, and plans downtime.',
  administrator:
    'An administrator sees its equipment and alarms, acts on them, and changes limits, equipment and people.',
};

const Offer = ({ organizationName, role, invitedBy }: InvitationModel) => (
  <>
    <p>
      <strong>{invitedBy}</strong> invites you to <strong>{organizationName}</strong> as{' '}
      <strong>{role}</strong>.
    </p>
    <p>
      {MAY[role]} Once you accept, its administrators see your name and what you do there. Until then they see
      nothing of you.
    </p>
  </>
);

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
  const { visitor, invitations, mayAccept, hasMailServer, done, refusal } = props;
  return (
    <Page title="Invitations" visitor={visitor} current={INVITATIONS}>
      <div class="narrow">
        <h1>Invitations</h1>
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
                    aria-label={`Accept the invitation to ${invitation.organizationName}`}
                  >
                    Accept
                  </button>
                </form>
              )}
              <form method="post" action={`${INVITATIONS}/${invitation.id}/decline`}>
                <button type="submit" aria-label={`Decline the invitation to ${invitation.organizationName}`}>
                  Decline
                </button>
              </form>
            </div>
          </section>
        ))}
        {invitations.length === 0 && (
          <>
            <p>{done === null ? 'No invitation waits for your answer.' : 'No other invitation waits.'}</p>
            <p>
              <a class="button" href="/">
                To the alarms
              </a>
            </p>
          </>
        )}
      </div>
    </Page>
  );
};

const NewPasswordFirst = ({ hasMailServer, isMember }: { hasMailServer: boolean; isMember: boolean }) => (
  <section class="card">
    <h2>First a new password</h2>
    <p>
      Your password was chosen by a link that an administrator could read. Before you join another
      organization, choose one that nobody else can know.
    </p>
    {hasMailServer ? (
      <p>
        <a class="button" href="/forgot-password">
          Get a link by mail
        </a>
      </p>
    ) : isMember ? (
      <p>No mail leaves this service: ask whoever runs it to set one for you, then sign in and accept.</p>
    ) : (
      <p>
        No mail leaves this service: ask whoever invites you for the link in the invitation. It lets you
        choose a new password and accepts with it.
      </p>
    )}
  </section>
);

interface JoinProps {
  visitor: Visitor | null;
  action: string;
  email: string;
  invitation: InvitationModel;
  needsPassword: boolean;
  error: string | null;
}

export const JoinPage = ({ visitor, action, email, invitation, needsPassword, error }: JoinProps) => (
  <Page title="Invitation" visitor={visitor}>
    <div class="narrow">
      <h1>Invitation to {invitation.organizationName}</h1>
      {error !== null && <Notice kind="error">{error}</Notice>}
      <p>
        For <strong>{email}</strong>.
      </p>
      <Offer {...invitation} />
      <form method="post" action={action}>
        {needsPassword && (
          <>
            <p>
              An administrator may know the password of this account. Choose a new one; all devices are signed
              out then.
            </p>
            {/* Lets password managers know whose password it is. */}
            <input type="hidden" name="username" value={email} autocomplete="username" />
            <NewPasswordFields errorOf={() => undefined} />
          </>
        )}
        <div class="actions">
          <button type="submit" name="answer" value="accept" class="button-primary">
            Accept
          </button>
          <button type="submit" name="answer" value="decline" formNoValidate>
            Decline
          </button>
        </div>
      </form>
    </div>
  </Page>
);

export const DeadInvitationPage = ({ visitor }: { visitor: Visitor | null }) => (
  <Page title="This link does not work" visitor={visitor}>
    <div class="narrow">
      <h1>This link does not work any more</h1>
      <p>
        It works once and for seven days, as long as the invitation is open. Sign in to see whether an
        invitation waits for you.
      </p>
      <p class="actions">
        <a class="button button-primary" href={INVITATIONS}>
          See my invitations
        </a>
      </p>
    </div>
  </Page>
);
