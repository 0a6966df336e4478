import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KeptDevice } from '../accounts/device-sessions.ts';

const DEVICE_COOKIE = 'device';
const DAY_SECONDS = 24 * 60 * 60;

/** A browser that stays signed in: a secret that neither scripts nor other sites get hold of. */
export const keepDevice = (
  { protocol }: FastifyRequest,
  reply: FastifyReply,
  { secret, days }: KeptDevice,
  publicUrl: URL | null,
): FastifyReply =>
  reply.setCookie(DEVICE_COOKIE, secret, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: protocol === 'https' || publicUrl?.protocol === 'https:',
    maxAge: days * DAY_SECONDS,
  });

/** null: none, or nothing that was ever one. */
export const findDeviceSecret = ({ cookies }: FastifyRequest): string | null =>
  /^[\w-]{43}$/.exec(cookies[DEVICE_COOKIE] ?? '')?.[0] ?? null;

export const dropDevice = (reply: FastifyReply): FastifyReply =>
  reply.clearCookie(DEVICE_COOKIE, { path: '/' });
