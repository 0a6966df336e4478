import type { FastifyRequest } from 'fastify';
import { readScheme } from '../../../domain/read-scheme.ts';

/** What senders of other makes can be told to send: a token, a password, or a password in the query. null: nothing. */
export function findSecret({ headers, query }: FastifyRequest): string | null {
  const { scheme, given } = readScheme(headers.authorization ?? '');
  if (scheme === 'basic' && given !== '') {
    const [, ...password] = Buffer.from(given, 'base64').toString('utf8').split(':');
    return password.join(':');
  }
  if ((scheme === 'bearer' || scheme === 'token') && given !== '') return given;
  const { p: password } = query as Record<string, unknown>;
  return typeof password === 'string' && password !== '' ? password : null;
}
