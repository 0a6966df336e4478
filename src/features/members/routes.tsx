import type { AccountId } from '../../domain/ids.ts';
import { selectPinDemand } from '../../engine/organizations/phone-pin.ts';
import { readPageId } from '../../engine/pages/page-routes.ts';
import { frameOf, routeDesk } from '../../engine/pages/settings-routes.ts';
import { nameMethods } from '../../engine/transports/method/kinds.ts';
import type { Database } from '../../platform/db/database.ts';
import { type Reader, showTime } from '../../platform/html/time.tsx';
import type { HttpServer } from '../../platform/http/server.ts';
import { activate, changeRole, deactivate, MEMBERS, remove, resetPassword } from './change-member.ts';
import { activateAgain, invite, inviteAgain, withdraw } from './invite.ts';
import { type Member, selectMember, selectMembers, selectOpenInvitations } from './queries.ts';
import { MEMBER_REFUSALS } from './refusals.ts';
import { setPinDemand } from './set-pin-demand.ts';
import { type MemberModel, MemberPage, MembersPage } from './views.tsx';

export interface MemberPageDeps {
  db: Database;
  publicUrl: () => URL | null;
  hasMailServer: () => boolean;
}

export function routeMemberPages(app: HttpServer, deps: MemberPageDeps): void {
  routeDesk(app, deps, {
    url: MEMBERS,
    verbs: { invite, 'invite-again': inviteAgain, withdraw, 'phone-pin': setPinDemand },
    refusals: MEMBER_REFUSALS,
    done: {
      invite: 'Invited. A mail is on its way; the person belongs to the organization once they accept.',
      'invite-again': 'The invitation is on its way once more.',
      withdraw: 'The invitation is withdrawn.',
      'phone-pin': 'Saved. It counts from the next answer on.',
      remove: 'Removed. The person can see nothing of this organization any more.',
    },
    show: async (visit, news) => {
      const { organization, visitor } = visit;
      const [members, open, pinDemand] = await Promise.all([
        selectMembers(deps.db, organization.id),
        selectOpenInvitations(deps.db, organization.id),
        selectPinDemand(deps.db, organization.id),
      ]);
      return (
        <MembersPage
          frame={frameOf(visit, news)}
          members={members.map((member) => describeMember(member, visitor))}
          invitations={open.map(({ createdAt, ...rest }) => ({ ...rest, at: showTime(createdAt, visitor) }))}
          hasMailServer={deps.hasMailServer()}
          pinDemand={pinDemand}
          fault={news.fault}
        />
      );
    },
  });

  routeDesk(app, deps, {
    url: `${MEMBERS}/:account_id`,
    verbs: {
      role: changeRole,
      'invite-again': activateAgain,
      'reset-password': resetPassword,
      deactivate,
      activate,
      remove,
    },
    refusals: MEMBER_REFUSALS,
    done: {
      role: 'The role is changed, from the next click on.',
      'invite-again': 'The invitation is on its way once more.',
      'reset-password': 'A mail with a link to choose a new password is on its way.',
      deactivate: 'The account is deactivated.',
      activate: 'The account is active again.',
    },
    show: async (visit, news) => {
      const accountId = readPageId<AccountId>(visit.params.account_id);
      const member = accountId && (await selectMember(deps.db, visit.organization.id, accountId));
      if (!member) return null;
      const own = visit.organizations.map(({ id }) => id);
      return (
        <MemberPage
          frame={frameOf(visit, news)}
          member={describeMember(member, visit.visitor)}
          isOwn={member.id === visit.visitor.accountId}
          isOursAlone={member.organizationIds.every((id) => own.includes(id))}
          isBarred={member.isBarred}
          fault={news.fault}
        />
      );
    },
  });
}

const describeMember = (
  { id, name, email, role, joinedAt, toldBy, ...account }: Member,
  reader: Reader,
): MemberModel => ({
  id,
  name,
  email,
  role,
  state: findState(account),
  joined: showTime(joinedAt, reader),
  toldBy: nameMethods(toldBy),
});

const findState = ({
  isActive,
  hasPassword,
}: Pick<Member, 'isActive' | 'hasPassword'>): MemberModel['state'] => {
  if (!isActive) return 'deactivated';
  return hasPassword ? 'active' : 'invited';
};
