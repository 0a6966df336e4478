import type { AccountId } from '../../domain/ids.ts';
import type { Database } from '../../platform/db/database.ts';
import { type Reader, showTime } from '../../platform/html/time.tsx';
import { readPageId } from '../../platform/http/pages.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { frameOf, routeDesk } from '../../platform/http/settings-pages.ts';
import { activate, changeRole, deactivate, MEMBERS, remove, setPassword } from './change-member.ts';
import { invite, inviteAgain } from './invite.ts';
import { type Member, selectMember, selectMembers } from './queries.ts';
import { MEMBER_REFUSALS } from './refusals.ts';
import { type MemberModel, MemberPage, MembersPage } from './views.tsx';

export interface MemberPageDeps {
  db: Database;
  publicUrl: URL | null;
}

export function routeMemberPages(app: HttpServer, deps: MemberPageDeps): void {
  routeDesk(app, deps, {
    url: MEMBERS,
    verbs: { invite },
    refusals: MEMBER_REFUSALS,
    done: {
      invite: 'Invited. A mail with a link to choose a password is on its way.',
      added: 'Added. The person has an account already and signs in as before.',
      remove: 'Removed. The person can see nothing of this organization any more.',
    },
    show: async (visit, news) => {
      const members = await selectMembers(deps.db, visit.organization.id);
      const models = members.map((member) => describeMember(member, visit.visitor));
      return <MembersPage frame={frameOf(visit, news)} members={models} fault={news.fault} />;
    },
  });

  routeDesk(app, deps, {
    url: `${MEMBERS}/:account_id`,
    verbs: {
      role: changeRole,
      'invite-again': inviteAgain,
      'set-password': setPassword,
      deactivate,
      activate,
      remove,
    },
    refusals: MEMBER_REFUSALS,
    done: {
      role: 'The role is changed, from the next click on.',
      'invite-again': 'The invitation is on its way once more.',
      'set-password': 'The password is set. Whatever was signed in with the old one is signed out.',
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
          isOwn={member.id === visit.visitor.id}
          isOursAlone={member.organizationIds.every((id) => own.includes(id))}
          fault={news.fault}
        />
      );
    },
  });
}

const describeMember = (
  { id, name, email, role, joinedAt, ...account }: Member,
  reader: Reader,
): MemberModel => ({
  id,
  name,
  email,
  role,
  state: findState(account),
  joined: showTime(joinedAt, reader),
});

const findState = ({
  isActive,
  hasPassword,
}: Pick<Member, 'isActive' | 'hasPassword'>): MemberModel['state'] => {
  if (!isActive) return 'deactivated';
  return hasPassword ? 'active' : 'invited';
};
