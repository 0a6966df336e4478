// Tags by which programs that ask again learn that nothing has changed (RFC 9110, 8.8.3 and 13.1.2).
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** JSON as it travels. */
export interface WrittenJson {
  bytes: Buffer;
  tag: string;
}

/** The same text has the same tag, whichever program answers. */
export function writeTagged(json: string): WrittenJson {
  const bytes = Buffer.from(json);
  const hash = createHash('sha256').update(bytes).digest('base64url');
  return { bytes, tag: `"${hash.slice(0, 27)}"` };
}

/** 304 to whoever has it already. */
export function answerTagged(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { bytes, tag }: WrittenJson,
): FastifyReply {
  reply.header('etag', tag);
  if (namesTag(headers['if-none-match'], tag)) return reply.code(304).send();
  return reply.type('application/json; charset=utf-8').send(bytes);
}

/** Whether `If-None-Match` names the tag, or any. Compared weakly, as the RFC has it for this header. */
export function namesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return [...header.matchAll(/"[^"]*"/g)].some(([named]) => named === tag);
}
