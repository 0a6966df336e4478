// Who asks for something, and from where: what a verb decides by, and what the record says.
import type { AccountId, OrganizationId, SessionId } from '../ids.ts';
import type { Role } from './role.ts';

interface Membership {
  organizationId: OrganizationId;
  organizationName: string;
  role: Role;
}

export interface Requester {
  /** null: nobody is signed in; or the program itself acts, or whoever runs it. */
  accountId: AccountId | null;
  name: string;
  /** In which times without an offset are read. */
  timezone: string;
  memberships: readonly Membership[];
  address: string | null;
  requestId: string | null;
}

/** A requester by a session: as much of the account as its own pages need. */
export interface SignedIn extends Requester {
  accountId: AccountId;
  email: string;
  /** Looks after the house itself: how messages leave, and by which address it is reached. */
  isKeeper: boolean;
  /** In which they read, the first that there is: their own, then those of their organizations; null: none was chosen. */
  languages: readonly (string | null)[];
  /** null: a token of the version before. */
  sessionId: SessionId | null;
  /** A browser that stays signed in began it, and nobody has proved for a while who is there. */
  mustProve: boolean;
  /** That wait for an answer. */
  invitations: readonly { organizationName: string; role: Role; invitedBy: string }[];
}

type Origin = Pick<Requester, 'address' | 'requestId'>;

/** Somebody or something without an account, by the name that stands on record. */
export const withoutAccount = (
  name: string,
  { address, requestId }: Origin = { address: null, requestId: null },
): Requester => ({ accountId: null, name, timezone: 'UTC', memberships: [], address, requestId });

export const notSignedIn = (origin: Origin): Requester => withoutAccount('not signed in', origin);

/** Whoever runs the server. */
export const COMMAND_LINE = withoutAccount('command line');

/** Nobody is signed in, but a link or a password just proved whose account it is. */
export const provedToBe = (
  requester: Requester,
  { id: accountId, name }: { id: AccountId; name: string },
): Requester => ({ ...requester, accountId, name });

/** null: no member of it. */
export const roleIn = ({ memberships }: Pick<Requester, 'memberships'>, organizationId: OrganizationId) =>
  memberships.find((membership) => membership.organizationId === organizationId)?.role ?? null;

/** For what stands among things of several organizations. null: the requester belongs to no other. */
export const organizationNameIn = (
  { memberships }: Pick<Requester, 'memberships'>,
  organizationId: OrganizationId,
): string | null =>
  (memberships.length > 1 &&
    memberships.find((membership) => membership.organizationId === organizationId)?.organizationName) ||
  null;

export const organizationIdsOf = ({ memberships }: Pick<Requester, 'memberships'>): OrganizationId[] =>
  memberships.map(({ organizationId }) => organizationId);
