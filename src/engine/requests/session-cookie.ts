import type { FastifyReply, FastifyRequest } from 'fastify';
import { TOKEN_LIFETIME_MS } from '../../platform/auth/token.ts';
import { TOKEN_COOKIE } from './find-signed-in.ts';

/** The browser session: the token in a cookie that neither scripts nor other sites get hold of. */
export const keepSession = (
  { protocol }: FastifyRequest,
  reply: FastifyReply,
  token: string,
  publicUrl: URL | null,
): FastifyReply =>
  reply.setCookie(TOKEN_COOKIE, token, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: protocol === 'https' || publicUrl?.protocol === 'https:',
    maxAge: TOKEN_LIFETIME_MS / 1000,
  });
