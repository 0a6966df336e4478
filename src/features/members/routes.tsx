import type { AccountId } from '../../domain/ids.ts';
import { message } from '../../domain/language/message.ts';
import { selectDeviceDays } from '../../engine/organizations/device-days.ts';
import { selectPersonalLinks } from '../../engine/organizations/personal-links.ts';
import { selectPinDemand } from '../../engine/organizations/phone-pin.ts';
import { readAddressDoubt } from '../../engine/pages/address-warning.tsx';
import { readPageId } from '../../engine/pages/page-routes.ts';
import { frameOf, routeDesk, type SettingsVisit } from '../../engine/pages/settings-routes.ts';
import { nameMethods } from '../../engine/providers/providers.ts';
import type { Database } from '../../platform/db/database.ts';
import { type Reader, showTime } from '../../platform/html/time.tsx';
import type { HttpServer } from '../../platform/http/server.ts';
import { askDeactivate, askRemove, askWithdraw } from './ask-members.ts';
import { activate, changeRole, deactivate, MEMBERS, remove, resetPassword } from './change-member.ts';
import { activateAgain, invite, inviteAgain, withdraw } from './invite.ts';
import { readLastMails, type StoredMail } from './last-mail.ts';
import {
  type Member,
  selectLastLinkMail,
  selectMember,
  selectMembers,
  selectOpenInvitations,
} from './queries.ts';
import { MEMBER_REFUSALS } from './refusals.ts';
import { setDeviceDays } from './set-device-days.ts';
import { setPersonalLinks } from './set-personal-links.ts';
import { setPinDemand } from './set-pin-demand.ts';
import { type MemberModel, MemberPage, MembersPage } from './views.tsx';

export interface MemberPageDeps {
  db: Database;
  publicUrl: () => URL | null;
  hasMailServer: () => boolean;
  /** What links in invitations begin with. */
  linkBase: () => string;
}

export function routeMemberPages(app: HttpServer, deps: MemberPageDeps): void {
  const readMails = ({ visitor, organizations }: SettingsVisit, mails: StoredMail[]) =>
    readLastMails(deps.db, mails, {
      ...visitor,
      organizationIds: organizations.map(({ id }) => id),
      hasMailServer: deps.hasMailServer(),
    });

  routeDesk(app, deps, {
    url: MEMBERS,
    verbs: {
      invite,
      'invite-again': inviteAgain,
      withdraw,
      'phone-pin': setPinDemand,
      'personal-links': setPersonalLinks,
      'device-days': setDeviceDays,
    },
    refusals: MEMBER_REFUSALS,
    questions: { withdraw: askWithdraw(deps.db) },
    done: {
      invite: message(
        'Invited. They belong to the organization once they accept. What became of the mail stands below.',
      ),
      'invite-again': message('The mail is written once more. What became of it stands below.'),
      withdraw: message('The invitation is withdrawn.'),
      'phone-pin': message('Saved. It counts from the next answer on.'),
      'personal-links': message('Saved. It counts from the next message on.'),
      'device-days': message('Saved. It counts from now on, for browsers that stay signed in already too.'),
      remove: message('Removed. The person can see nothing of this organization any more.'),
    },
    show: async (visit, news) => {
      const { organization, visitor } = visit;
      const [members, open, pinDemand, arePersonalLinksAllowed, deviceDays] = await Promise.all([
        selectMembers(deps.db, organization.id),
        selectOpenInvitations(deps.db, organization.id),
        selectPinDemand(deps.db, organization.id),
        selectPersonalLinks(deps.db, organization.id),
        selectDeviceDays(deps.db, organization.id),
      ]);
      const mails = await readMails(
        visit,
        open.flatMap(({ mail }) => mail ?? []),
      );
      return (
        <MembersPage
          frame={frameOf(visit, news)}
          members={members.map((member) => describeMember(member, visitor))}
          invitations={open.map(({ createdAt, mail, ...rest }) => ({
            ...rest,
            at: showTime(createdAt, visitor),
            mail: (mail && mails.get(mail.id)) ?? null,
          }))}
          hasMailServer={deps.hasMailServer()}
          doubt={await readAddressDoubt(deps.db, visitor, deps.linkBase())}
          pinDemand={pinDemand}
          arePersonalLinksAllowed={arePersonalLinksAllowed}
          deviceDays={deviceDays}
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
    questions: { deactivate: askDeactivate(deps.db), remove: askRemove(deps.db) },
    asksFirst: ['deactivate', 'remove'],
    done: {
      role: message('The role is changed, from the next click on.'),
      'invite-again': message('The mail is written once more. What became of it stands below.'),
      'reset-password': message(
        'A mail with a link to choose a new password is written. What became of it stands below.',
      ),
      deactivate: message('The account is deactivated.'),
      activate: message('The account is active again.'),
    },
    show: async (visit, news) => {
      const accountId = readPageId<AccountId>(visit.params.account_id);
      const member = accountId && (await selectMember(deps.db, visit.organization.id, accountId));
      if (!member) return null;
      const own = visit.organizations.map(({ id }) => id);
      const isOursAlone = member.organizationIds.every((id) => own.includes(id));
      // Whoever belongs elsewhere too may have asked for it there.
      const mail = isOursAlone ? await selectLastLinkMail(deps.db, member.id) : null;
      const mails = await readMails(visit, mail ? [mail] : []);
      return (
        <MemberPage
          frame={frameOf(visit, news)}
          member={describeMember(member, visit.visitor)}
          isOwn={member.id === visit.visitor.accountId}
          isOursAlone={isOursAlone}
          mail={(mail && mails.get(mail.id)) ?? null}
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
  toldBy: nameMethods(toldBy, reader.language),
});

const findState = ({
  isActive,
  hasPassword,
}: Pick<Member, 'isActive' | 'hasPassword'>): MemberModel['state'] => {
  if (!isActive) return 'deactivated';
  return hasPassword ? 'active' : 'invited';
};
