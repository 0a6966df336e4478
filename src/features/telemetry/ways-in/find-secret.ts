import type { FastifyRequest } from 'fastify';

/** What senders of other makes can be told to send: a token, a password, or a password in the query. null: nothing. */
export function findSecret({ headers, query }: FastifyRequest): string | null {
  const [, scheme = '', given = ''] =
    /^(bearer|token|basic) +(.*)$/i.exec(headers.authorization?.trim() ?? '') ?? [];
  if (scheme.toLowerCase() === 'basic') {
    const [, ...password] = Buffer.from(given, 'base64').toString('utf8').split(':');
    return password.join(':');
  }
  if (scheme !== '') return given;
  const { p: password } = query as Record<string, unknown>;
  return typeof password === 'string' && password !== '' ? password : null;
}
