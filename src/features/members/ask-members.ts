// What is asked before somebody loses a membership, an account or an invitation.
import type { AccountId } from '../../domain/ids.ts';
import { sayGroupsOf } from '../../engine/groups/groups-of.ts';
import type { AskAct, OrganizationVisit } from '../../engine/pages/ask-settings.ts';
import { readPageId } from '../../engine/pages/page-routes.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { selectMember, selectOpenInvitations } from './queries.ts';

async function findMember(db: ReadDatabase, { organization, params }: OrganizationVisit) {
  const accountId = readPageId<AccountId>(params.account_id);
  return accountId && (await selectMember(db, organization.id, accountId));
}

export const askRemove =
  (db: ReadDatabase): AskAct =>
  async (visit) => {
    const { organization, visitor } = visit;
    const { language } = visitor;
    const { say } = language;
    const member = await findMember(db, visit);
    if (!member) return null;
    const { id: accountId, name } = member;
    const isOwn = accountId === visitor.accountId;
    return {
      act: isOwn ? say('Remove yourself') : say('Remove {name}', { name }),
      says: [
        isOwn
          ? say('From now on you see nothing of {organization}.', { organization: organization.name })
          : say('From now on {name} sees nothing of {organization}.', {
              name,
              organization: organization.name,
            }),
        ...(await sayGroupsOf(db, organization.id, { accountId, name }, language)),
        say('The account and what it did stay on record.'),
      ],
      canUndo: false,
    };
  };

export const askDeactivate =
  (db: ReadDatabase): AskAct =>
  async (visit) => {
    const { say } = visit.visitor.language;
    const member = await findMember(db, visit);
    if (!member?.isActive) return null;
    const { name } = member;
    return {
      act: say('Deactivate the account'),
      says: [say('{name} is signed out everywhere at once, and is not notified of anything.', { name })],
      canUndo: true,
    };
  };

export const askWithdraw =
  (db: ReadDatabase): AskAct =>
  async ({ organization, form, visitor }) => {
    const { say } = visitor.language;
    const open = await selectOpenInvitations(db, organization.id);
    const invitation = open.find(({ id }) => String(id) === form.invitation_id);
    return invitation
      ? {
          act: say('Withdraw the invitation of {name}', { name: invitation.name }),
          says: [say('The link in its mail leads nowhere from now on.')],
          canUndo: false,
        }
      : null;
  };
