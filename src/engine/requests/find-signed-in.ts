// Who is signed in: the token's account with its roles, looked up on every request in one query.

import type { FastifyRequest } from 'fastify';
import sql from 'sql-template-tag';
import { mustProve } from '../../domain/accounts/device-session.ts';
import type { SignedIn } from '../../domain/accounts/requester.ts';
import { readScheme } from '../../domain/read-scheme.ts';
import type { TokenClaims, TokenSigner } from '../../platform/auth/token.ts';
import { type Database, first, type ReadDatabase } from '../../platform/db/database.ts';
import { createGatherer, type Gatherer } from '../../platform/gather.ts';
import { isFromAnotherSite } from '../../platform/http/same-origin.ts';
import { within } from '../../platform/within.ts';
import { noteSeen } from '../accounts/sessions.ts';

export interface SignedInDeps {
  db: Database;
  signer: TokenSigner;
  publicUrl: () => URL | null;
  accounts: AccountLooks;
}

export const TOKEN_COOKIE = 'access_token';

/** What stands behind `Authorization: Bearer`, in any case; empty if nothing does, null for another scheme or none. */
export function findBearer(request: FastifyRequest): string | null {
  const { scheme, given } = readScheme(request.headers.authorization ?? '');
  return scheme === 'bearer' ? given : null;
}

/** The token a request carries: its bearer header, else its cookie unless another site sent it. null: none. */
export function findToken(request: FastifyRequest, publicUrl: URL | null): string | null {
  const bearer = findBearer(request);
  if (bearer !== null) return bearer;
  const cookie = request.cookies[TOKEN_COOKIE];
  if (cookie === undefined) return null;
  return countsCookies(request, publicUrl) ? cookie : null;
}

export const countsCookies = (request: FastifyRequest, publicUrl: URL | null): boolean =>
  isPageVisit(request) || !isFromAnotherSite(request.headers, publicUrl);

/** A link on another site, such as a mail program in the browser, may open a page: that is what links are for. */
const isPageVisit = ({ method, headers, routeOptions }: FastifyRequest): boolean =>
  routeOptions.config.isPage === true &&
  (method === 'GET' || method === 'HEAD') &&
  (headers['sec-fetch-mode'] ?? 'navigate') === 'navigate';

const PATIENCE_MS = 3_000;

/** `isForBadTimes`: a valid token is enough where the database does not answer. */
export async function findSignedIn(
  deps: SignedInDeps,
  request: FastifyRequest,
  now: Date,
  isForBadTimes: boolean,
): Promise<SignedIn | null | 'invalid_token' | 'vouched_for'> {
  const token = findToken(request, deps.publicUrl());
  if (token === null) return null;
  const claims = await deps.signer.read(token, now);
  if (!claims) return 'invalid_token';
  const looking = findAccount(deps, claims, request, now);
  if (!isForBadTimes) return (await looking) ?? 'invalid_token';
  try {
    return (await within(PATIENCE_MS, looking)) ?? 'invalid_token';
  } catch {
    return 'vouched_for';
  }
}

/** By a token that was issued a moment ago. */
export async function findBySession(
  deps: SignedInDeps,
  request: FastifyRequest,
  token: string,
  now: Date,
): Promise<SignedIn | null> {
  const claims = await deps.signer.read(token, now);
  return claims && findAccount(deps, claims, request, now);
}

/** A session is seen once a minute at most, so that a busy page does not write with every request. */
const SEEN_EVERY_MS = 60_000;

async function findAccount(
  { db, accounts }: SignedInDeps,
  claims: TokenClaims,
  { ip: address, id: requestId }: FastifyRequest,
  now: Date,
): Promise<SignedIn | null> {
  const found = await accounts.take(claims, 1);
  if (!found) return null;
  const { lastSeenAt, deviceId, provedAt, ...account } = found;
  if (account.sessionId !== null && lastSeenAt && now.getTime() - lastSeenAt.getTime() >= SEEN_EVERY_MS) {
    // Nobody is sent away because that could not be noted.
    await noteSeen(db, account.sessionId, address, now).catch(() => {});
  }
  return { ...account, address, requestId, mustProve: mustProve({ deviceId, provedAt }, now) };
}

type FoundAccount = Omit<SignedIn, 'address' | 'requestId' | 'mustProve'> & {
  lastSeenAt: Date | null;
  deviceId: number | null;
  provedAt: Date | null;
};

export type AccountLooks = Gatherer<TokenClaims, FoundAccount | null>;

/** Requests with one token that come at the same time share a look, which begins after they came. */
export const openAccountLooks = (db: ReadDatabase): AccountLooks =>
  createGatherer(
    async (asked) => {
      const found = asked[0] ? await selectAccount(db, asked[0]) : null;
      return asked.map(() => found);
    },
    {
      lanes: 10,
      worthALane: Number.POSITIVE_INFINITY,
      mostPerBatch: Number.POSITIVE_INFINITY,
      lineOf: ({ accountId, generation, sessionId }) => `${accountId} ${generation} ${sessionId}`,
    },
  );

const selectAccount = async (db: ReadDatabase, { accountId, generation, sessionId }: TokenClaims) =>
  first(
    await db.query<FoundAccount>(
      sql`
      select account.id as "accountId", name, email, timezone, is_keeper as "isKeeper",
        array[account.language] || joined.languages as "languages", session.id as "sessionId",
        last_seen_at as "lastSeenAt", device_id as "deviceId", proved_at as "provedAt", coalesce(joined.memberships, '[]') as memberships, coalesce((
        select json_agg(json_build_object('organizationName', organization.name, 'role', role,
          'invitedBy', invited_by_name) order by invitation.id)
        from invitation join organization on organization.id = organization_id
        where account_id = account.id), '[]') as invitations
      from account left join session on session.id = ${sessionId ?? null}::int and session.account_id = account.id
      cross join lateral (
        select array_agg(organization.language order by organization_id) as languages,
          json_agg(json_build_object('organizationId', organization_id, 'organizationName', organization.name,
            'role', role)) as memberships
        from membership join organization on organization.id = organization_id
        where account_id = account.id) joined
      where account.id = ${accountId} and token_generation = ${generation} and is_active
        and session.id is not distinct from ${sessionId ?? null}::int`,
      'prepared',
    ),
  );
