import { ROLES, type Role } from '../../domain/accounts/role.ts';
import { message } from '../../domain/language/message.ts';
import type { Language } from '../../domain/language/speak.ts';
import { LONGEST_NAME } from '../../domain/names.ts';
import { sayRole } from '../../domain/words/say-role.ts';
import type { PinDemand } from '../../engine/organizations/phone-pin.ts';
import { type AddressDoubt, AddressWarning } from '../../engine/pages/address-warning.tsx';
import { AskLink } from '../../engine/pages/ask.tsx';
import { PostForm } from '../../engine/pages/post-form.tsx';
import { type SettingsFrame, SettingsPage } from '../../engine/pages/settings-page.tsx';
import { settingsPath } from '../../engine/pages/settings-path.ts';
import type { Fault } from '../../engine/pages/settings-routes.ts';
import { Field } from '../../platform/html/field.tsx';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { Select } from '../../platform/html/select.tsx';
import { Cell, ColumnHeads, TableScroll } from '../../platform/html/table-scroll.tsx';
import { type ShownTime, Time } from '../../platform/html/time.tsx';
import { MEMBERS } from './change-member.ts';
import { DeviceDaysCard } from './device-days-card.tsx';
import type { LastMail } from './last-mail.ts';
import { LastMailLine } from './last-mail-view.tsx';
import { PersonalLinksCard } from './personal-links-card.tsx';
import { PinDemandCard } from './pin-demand-card.tsx';

export interface MemberModel {
  id: number;
  name: string;
  email: string;
  role: Role;
  state: 'active' | 'invited' | 'deactivated';
  joined: ShownTime;
  toldBy: string;
}

const STATES = {
  active: message('Can sign in'),
  invited: message('Invited, has no password yet'),
  deactivated: message('Deactivated'),
} satisfies Record<MemberModel['state'], string>;

const ROLE_WORDS = {
  viewer: message('Viewer: sees everything'),
  operator: message('Operator: acknowledges, mutes, plans downtime'),
  administrator: message('Administrator: changes limits, equipment and people'),
} satisfies Record<Role, string>;
const roleOptions = ({ say }: Language) => ROLES.map((role) => [role, say(ROLE_WORDS[role])] as const);

interface InvitationModel {
  id: number;
  name: string;
  email: string;
  role: Role;
  invitedBy: string;
  at: ShownTime;
  mail: LastMail | null;
}

interface ListProps {
  frame: SettingsFrame;
  members: MemberModel[];
  invitations: InvitationModel[];
  hasMailServer: boolean;
  doubt: AddressDoubt | null;
  pinDemand: PinDemand;
  arePersonalLinksAllowed: boolean;
  deviceDays: number;
  fault: Fault | null;
}

export const MembersPage = (props: ListProps) => {
  const language = useLanguage();
  const { say } = language;
  const {
    frame,
    members,
    invitations,
    hasMailServer,
    doubt,
    pinDemand,
    arePersonalLinksAllowed,
    deviceDays,
    fault,
  } = props;
  const { organization } = frame;
  const errorOf = (field: string) => (fault?.field === field ? fault.text : undefined);
  const typed = fault?.typed ?? {};
  return (
    <SettingsPage title={say('Members')} frame={frame} current={MEMBERS}>
      <TableScroll label={say('Members')}>
        <table class="stacked">
          <ColumnHeads
            columns={[
              say('Name'),
              say('Email'),
              say('Role'),
              say('Account'),
              say('Notified by'),
              say('Member since'),
            ]}
          />
          <tbody>
            {members.map(({ id, name, email, role, state, joined, toldBy }) => (
              <tr key={id}>
                <th scope="row">
                  <a class="row-link" href={settingsPath(`${MEMBERS}/${id}`, organization)}>
                    {name}
                  </a>
                </th>
                <Cell column={say('Email')}>{email}</Cell>
                <Cell column={say('Role')}>{sayRole(role, language)}</Cell>
                <Cell column={say('Account')}>{say(STATES[state])}</Cell>
                <Cell column={say('Notified by')}>{toldBy}</Cell>
                <Cell column={say('Member since')}>
                  <Time {...joined} />
                </Cell>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
      {invitations.length > 0 && <Invitations organization={organization} invitations={invitations} />}
      <section class="card">
        <h2>{say('Invite somebody')}</h2>
        <AddressWarning doubt={doubt} />
        <p>
          {hasMailServer
            ? say('They get a mail, and belong to {organization} once they accept.', {
                organization: organization.name,
              })
            : say('They belong to {organization} once they accept.', { organization: organization.name })}
        </p>
        {!hasMailServer && (
          <p>
            {sayWith(
              language,
              'No mail leaves this service: there is no mail server. The mail is kept here, and you hand on the link in it; <a>Mail</a> says how it can leave. Whoever has an account already finds the invitation after signing in. If they cannot accept it there, whoever runs the service can.',
              { a: (inside) => <a href={settingsPath('/settings/mail', organization)}>{inside}</a> },
            )}
          </p>
        )}
        <PostForm organization={organization} action={`${MEMBERS}/invite`}>
          <Field
            name="email"
            label={say('Email')}
            error={errorOf('email')}
            input={{ type: 'email', value: typed.email ?? '', required: true, autocomplete: 'off' }}
          />
          <Field
            name="name"
            label={say('Name')}
            error={errorOf('name')}
            input={{ value: typed.name ?? '', required: true, maxLength: LONGEST_NAME, autocomplete: 'off' }}
          />
          <Select
            name="role"
            label={say('Role')}
            options={roleOptions(language)}
            chosen={typed.role}
            error={errorOf('role')}
          />
          <button type="submit" class="button-primary">
            {/* For translators: a button */}
            {say('Invite')}
          </button>
        </PostForm>
      </section>
      <PinDemandCard organization={organization} {...pinDemand} />
      <DeviceDaysCard organization={organization} days={deviceDays} />
      <PersonalLinksCard organization={organization} areAllowed={arePersonalLinksAllowed} />
    </SettingsPage>
  );
};

const Invitations = ({
  organization,
  invitations,
}: {
  organization: SettingsFrame['organization'];
  invitations: InvitationModel[];
}) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <>
      <h2>{say('Invitations')}</h2>
      <TableScroll label={say('Invitations')}>
        <table class="stacked">
          <ColumnHeads
            columns={[say('Name'), say('Email'), say('Role'), say('State'), say('Invited'), say('Change')]}
          />
          <tbody>
            {invitations.map(({ id, name, email, role, invitedBy, at, mail }) => (
              <tr key={id}>
                <th scope="row">{name}</th>
                <Cell column={say('Email')}>{email}</Cell>
                <Cell column={say('Role')}>{sayRole(role, language)}</Cell>
                <Cell column={say('State')}>
                  {say('Invited, not yet accepted')}
                  <LastMailLine organization={organization} mail={mail} name={name} />
                </Cell>
                <Cell column={say('Invited')}>
                  {sayWith(language, '{time} by {name}', { time: <Time {...at} />, name: invitedBy })}
                </Cell>
                <td>
                  <div class="actions">
                    <PostForm
                      organization={organization}
                      action={`${MEMBERS}/invite-again`}
                      hidden={{ invitation_id: id }}
                    >
                      <button
                        type="submit"
                        aria-label={say('Send again, the invitation of {name}', { name })}
                      >
                        {say('Send again')}
                      </button>
                    </PostForm>
                    <AskLink
                      to={settingsPath(`${MEMBERS}/withdraw`, organization)}
                      hidden={{ invitation_id: id }}
                      label={say('Withdraw the invitation of {name}', { name })}
                    >
                      {say('Withdraw')}
                    </AskLink>
                  </div>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
    </>
  );
};

export interface MemberProps {
  frame: SettingsFrame;
  member: MemberModel;
  isOwn: boolean;
  isOursAlone: boolean;
  isBarred: boolean;
  /** The last one with a link to choose a password. */
  mail: LastMail | null;
  fault: Fault | null;
}

export const MemberPage = (props: MemberProps) => {
  const language = useLanguage();
  const { say } = language;
  const { frame, member, isOwn, mail, fault } = props;
  const { organization } = frame;
  const home = `${MEMBERS}/${member.id}`;
  const errorOf = (field: string) => (fault?.field === field ? fault.text : undefined);
  return (
    <SettingsPage
      title={member.name}
      frame={frame}
      current={MEMBERS}
      up={{ path: MEMBERS, label: say('Members') }}
    >
      <p>{say('{email} · {state}', { email: member.email, state: say(STATES[member.state]) })}</p>
      <div class="cards">
        <section class="card">
          <h2>{say('Role in {organization}', { organization: organization.name })}</h2>
          <PostForm organization={organization} action={`${home}/role`}>
            <Select
              name="role"
              label={say('Role')}
              options={roleOptions(language)}
              chosen={fault?.typed.role ?? member.role}
              error={errorOf('role')}
            />
            <button type="submit">{say('Change role')}</button>
          </PostForm>
        </section>
        {member.state === 'invited' && (
          <section class="card">
            <h2>{say('Invitation')}</h2>
            <p>{say('Sends the mail with a new link. Earlier links work as long as they would have.')}</p>
            <LastMailLine organization={organization} mail={mail} name={member.name} />
            <PostForm organization={organization} action={`${home}/invite-again`}>
              <button type="submit">{say('Send the invitation again')}</button>
            </PostForm>
          </section>
        )}
        <AccountPart home={home} {...props} />
        {!isOwn && member.state === 'active' && (
          <section class="card">
            <h2>{say('Password')}</h2>
            <p>
              {say('Only {name} chooses it. The link to choose a new one is mailed to {email}.', {
                name: member.name,
                email: member.email,
              })}
            </p>
            <LastMailLine organization={organization} mail={mail} name={member.name} />
            <PostForm organization={organization} action={`${home}/reset-password`}>
              <button type="submit">{say('Send a link for a new password')}</button>
            </PostForm>
          </section>
        )}
        <section class="card">
          <h2>{say('Remove from {organization}', { organization: organization.name })}</h2>
          <p>
            {isOwn
              ? say(
                  'You can then see nothing of {organization} any more and is taken off its groups. The account and what it did stay on record.',
                  { organization: organization.name },
                )
              : say(
                  '{name} can then see nothing of {organization} any more and is taken off its groups. The account and what it did stay on record.',
                  { name: member.name, organization: organization.name },
                )}
          </p>
          <AskLink to={settingsPath(`${home}/remove`, organization)}>
            {isOwn ? say('Remove yourself') : say('Remove {name}', { name: member.name })}
          </AskLink>
        </section>
      </div>
    </SettingsPage>
  );
};

const AccountPart = ({
  home,
  frame: { organization },
  member,
  isOwn,
  isOursAlone,
  isBarred,
}: Omit<MemberProps, 'fault' | 'mail'> & { home: string }) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <section class="card">
      <h2>{say('Account')}</h2>
      {isOwn ? (
        <p>
          {sayWith(language, 'This is you. Name, time zone and password are on <a>your profile page</a>.', {
            a: (inside) => <a href="/profile">{inside}</a>,
          })}
        </p>
      ) : !isOursAlone ? (
        <p>
          {say(
            'The account belongs to another organization as well, which you do not administer. You can change the role here and remove {name} from {organization}, but not deactivate the account.',
            { name: member.name, organization: organization.name },
          )}
        </p>
      ) : isBarred ? (
        <p>{say('Whoever runs the service deactivated the account, and only they can activate it.')}</p>
      ) : member.state === 'deactivated' ? (
        <>
          <p>{say('Nobody can sign in with it, and nobody is notified through it.')}</p>
          <PostForm organization={organization} action={`${home}/activate`}>
            <button type="submit">{say('Activate the account')}</button>
          </PostForm>
        </>
      ) : (
        <>
          <p>
            {say('Deactivating signs {name} out everywhere, at once. It can be undone.', {
              name: member.name,
            })}
          </p>
          <AskLink to={settingsPath(`${home}/deactivate`, organization)}>
            {say('Deactivate the account')}
          </AskLink>
        </>
      )}
    </section>
  );
};
