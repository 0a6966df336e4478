import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { english } from '../../domain/language/english.ts';
import { dropDevice, findDeviceSecret } from '../../engine/requests/device-cookie.ts';
import { findToken, TOKEN_COOKIE } from '../../engine/requests/find-signed-in.ts';
import { requesterOf, userAgentOf } from '../../engine/requests/requester-of.ts';
import type { SignInDeps } from '../../engine/sign-in/decide-attempt.ts';
import { describeSignInRefusal, signIn } from '../../engine/sign-in/sign-in.ts';
import { answerDetail, errors } from '../../platform/http/answers.ts';
import { filledText, secretText, text } from '../../platform/http/fields.ts';
import { orNull } from '../../platform/http/schemas.ts';
import { FORM_TYPES, type HttpServer } from '../../platform/http/server.ts';
import { signOut } from './sign-out.ts';

const TokenForm = Type.Object({
  username: filledText('Email address; case and surrounding spaces are ignored'),
  password: secretText('Password'),
  grant_type: Type.Optional(text('Accepted for compatibility')),
});

const TokenResponse = Type.Object({
  access_token: Type.String({ description: 'Opaque; good for 8 hours' }),
  token_type: Type.Literal('bearer'),
});

const AccountResponse = Type.Object({
  id: orNull(Type.Integer()),
  name: orNull(Type.String()),
  email: orNull(Type.String()),
  timezone: Type.String(),
});

export function routeAuth(app: HttpServer, deps: SignInDeps & { publicUrl: () => URL | null }): void {
  app.route({
    method: 'POST',
    url: '/api/v1/auth/token',
    config: { ignoresCredentials: true },
    schema: {
      summary: 'Exchange email and password for a token',
      tags: ['Token and account'],
      security: [],
      consumes: FORM_TYPES,
      body: TokenForm,
      response: { 200: TokenResponse, ...errors(400, 401, 413, 422, 429, 500, 503) },
    },
    handler: async (request, reply) => {
      const { username, password } = request.body;
      const credentials = { username, password, userAgent: userAgentOf(request) };
      const signedIn = await signIn(deps, requesterOf(request), credentials, request.now);
      if (signedIn.ok) return { access_token: signedIn.value, token_type: 'bearer' as const };
      const { status, text: detail, retryAfterSeconds } = describeSignInRefusal(signedIn.refusal, english);
      if (retryAfterSeconds !== null) reply.header('retry-after', retryAfterSeconds);
      return answerDetail(reply, status, detail);
    },
  });

  app.route({
    method: 'GET',
    url: '/api/v1/auth/me',
    schema: {
      summary: 'Check a token: the account it stands for',
      tags: ['Token and account'],
      response: { 200: AccountResponse, ...errors(401, 500, 503) },
    },
    handler: async ({ signedIn }) => {
      if (!signedIn) return { id: null, name: null, email: null, timezone: 'UTC' };
      const { accountId: id, name, email, timezone } = signedIn;
      return { id, name, email, timezone };
    },
  });

  const logOut = async (request: FastifyRequest, reply: FastifyReply) => {
    const token = findToken(request, deps.publicUrl());
    if (token !== null) {
      const { now } = request;
      const claims = await deps.signer.read(token, now);
      if (claims) await deps.db.transaction((tx) => signOut(tx, requesterOf(request), claims, now));
      reply.clearCookie(TOKEN_COOKIE, { path: '/' });
      if (findDeviceSecret(request) !== null) dropDevice(reply);
    }
    return reply.redirect('/login', 302);
  };

  app.route({
    method: ['GET', 'POST'],
    url: '/api/v1/auth/logout',
    config: { ignoresCredentials: true },
    schema: {
      summary: 'Revoke all tokens of the account, on all devices',
      description:
        'The token comes as bearer header or as cookie access_token. Always leads to the sign-in page.',
      tags: ['Token and account'],
      response: { 302: Type.Null({ description: 'To /login' }), ...errors(500, 503) },
    },
    handler: logOut,
    // Contract, Token and account: always 302. Logout reads no body, so one that cannot be read does not matter.
    errorHandler: (error, request, reply) => {
      if (error.statusCode !== 400 && error.statusCode !== 413) throw error;
      return logOut(request, reply);
    },
  });
}
