// Who sends a request: the token's account with its roles, looked up on every request in one query.
import type { FastifyRequest } from 'fastify';
import sql from 'sql-template-tag';
import type { Role } from '../../domain/accounts/role.ts';
import type { AccountId, OrganizationId, SessionId } from '../../domain/ids.ts';
import type { TokenClaims, TokenSigner } from '../../platform/auth/token.ts';
import { first, type ReadDatabase } from '../../platform/db/database.ts';
import { isFromAnotherSite } from '../../platform/http/same-origin.ts';
import { within } from '../../platform/within.ts';

interface Account {
  id: AccountId;
  /** null: a token of the version before. */
  sessionId: SessionId | null;
  name: string;
  email: string;
  timezone: string;
  memberships: { organizationId: OrganizationId; organizationName: string; role: Role }[];
  /** That wait for an answer. */
  invitations: { organizationName: string; role: Role; invitedBy: string }[];
}

/** null: anonymous, a member of no organization. */
export type Caller = Account | null;

/** Who looks at a page, and when. null: nobody is signed in. */
export const visitorOf = ({ caller, now }: FastifyRequest) => caller && { ...caller, now };

/** Whoever asks for a fragment of a page; what is anonymous lives in UTC. */
export const readerOf = ({ caller, now }: FastifyRequest) => ({ timezone: caller?.timezone ?? 'UTC', now });

/** null: no member of it, or anonymous. */
export const roleIn = (caller: Caller, organizationId: OrganizationId): Role | null =>
  caller?.memberships.find((membership) => membership.organizationId === organizationId)?.role ?? null;

/** For what stands among things of several organizations. null: the caller belongs to no other. */
export const organizationNameIn = (caller: Caller, organizationId: OrganizationId): string | null =>
  (caller &&
    caller.memberships.length > 1 &&
    caller.memberships.find((membership) => membership.organizationId === organizationId)
      ?.organizationName) ||
  null;

/** Who asks, and from where: what a verb needs to decide, and to put on record. */
export interface Asker {
  caller: Caller;
  address: string;
  requestId: string;
}

export const askerOf = (request: FastifyRequest): Asker => ({
  caller: request.caller,
  address: request.ip,
  requestId: request.id,
});

/** What a sign-in leaves on record. */
export const cameFrom = (request: FastifyRequest) => ({
  address: request.ip,
  requestId: request.id,
  userAgent: request.headers['user-agent'] ?? null,
});

export interface CallerDeps {
  db: ReadDatabase;
  signer: TokenSigner;
  publicUrl: URL | null;
}

export const TOKEN_COOKIE = 'access_token';

/** What stands behind `Authorization: Bearer`, in any case; empty if nothing does, null for another scheme or none. */
export function findBearer(request: FastifyRequest): string | null {
  const bearer = /^bearer(?: +(.*))?$/i.exec(request.headers.authorization?.trim() ?? '');
  return bearer && (bearer[1] ?? '');
}

/** The token a request carries: its bearer header, else its cookie unless another site sent it. null: none. */
export function findToken(request: FastifyRequest, publicUrl: URL | null): string | null {
  const bearer = findBearer(request);
  if (bearer !== null) return bearer;
  const cookie = request.cookies[TOKEN_COOKIE];
  if (cookie === undefined) return null;
  return isPageVisit(request) || !isFromAnotherSite(request.headers, publicUrl) ? cookie : null;
}

/** A link on another site, such as a mail program in the browser, may open a page: that is what links are for. */
const isPageVisit = ({ method, headers, routeOptions }: FastifyRequest): boolean =>
  routeOptions.config.isPage === true &&
  (method === 'GET' || method === 'HEAD') &&
  (headers['sec-fetch-mode'] ?? 'navigate') === 'navigate';

const PATIENCE_MS = 3_000;

/** `isForBadTimes`: a valid token is enough where the database does not answer. */
export async function findCaller(
  deps: CallerDeps,
  request: FastifyRequest,
  now: Date,
  isForBadTimes: boolean,
): Promise<Caller | 'invalid_token' | 'vouched_for'> {
  const token = findToken(request, deps.publicUrl);
  if (token === null) return null;
  const claims = await deps.signer.read(token, now);
  if (!claims) return 'invalid_token';
  const looking = findAccount(deps.db, claims, request.ip, now);
  if (!isForBadTimes) return (await looking) ?? 'invalid_token';
  try {
    return (await within(PATIENCE_MS, looking)) ?? 'invalid_token';
  } catch {
    return 'vouched_for';
  }
}

/** A session is seen once a minute at most, so that a busy page does not write with every request. */
const SEEN_EVERY_MS = 60_000;

async function findAccount(db: ReadDatabase, claims: TokenClaims, address: string, now: Date) {
  const found = await selectAccount(db, claims);
  if (!found) return null;
  const { lastSeenAt, ...account } = found;
  if (account.sessionId !== null && lastSeenAt && now.getTime() - lastSeenAt.getTime() >= SEEN_EVERY_MS) {
    // Nobody is sent away because that could not be noted.
    await updateSeen(db, account.sessionId, address, now).catch(() => {});
  }
  return account;
}

const selectAccount = async (db: ReadDatabase, { accountId, generation, sessionId }: TokenClaims) =>
  first(
    await db.query<Account & { lastSeenAt: Date | null }>(sql`
      select account.id, name, email, timezone, session.id as "sessionId", last_seen_at as "lastSeenAt", coalesce((
        select json_agg(json_build_object('organizationId', organization_id, 'organizationName', organization.name,
          'role', role))
        from membership join organization on organization.id = organization_id
        where account_id = account.id), '[]') as memberships, coalesce((
        select json_agg(json_build_object('organizationName', organization.name, 'role', role,
          'invitedBy', invited_by_name) order by invitation.id)
        from invitation join organization on organization.id = organization_id
        where account_id = account.id), '[]') as invitations
      from account left join session on session.id = ${sessionId ?? null}::int and session.account_id = account.id
      where account.id = ${accountId} and token_generation = ${generation} and is_active
        and session.id is not distinct from ${sessionId ?? null}::int`),
  );

const updateSeen = (db: ReadDatabase, id: SessionId, address: string, now: Date) =>
  db.query(sql`
    update session set last_seen_at = ${now}, address = ${address} where id = ${id} and last_seen_at < ${now}`);
