import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

export const BODY_LIMIT = 16 * 1024 * 1024;

const unzip = promisify(gunzip);

type BodyFault = { status: 400 | 413 | 415; detail: string };

export const TOO_LARGE: BodyFault = { status: 413, detail: 'Request body too large' };

/** What is wrong with a body before any of it was read. */
export function findBodyFault(headers: IncomingHttpHeaders): BodyFault | null {
  if (!/^application\/([\w.-]+\+)?json\b/i.test(headers['content-type'] ?? '')) {
    return { status: 415, detail: 'Telemetry is JSON: send it as application/json' };
  }
  if (!['identity', 'gzip'].includes(encodingOf(headers))) {
    return { status: 415, detail: 'Content-Encoding may be gzip or none' };
  }
  return Number(headers['content-length'] ?? 0) > BODY_LIMIT ? TOO_LARGE : null;
}

const encodingOf = (headers: IncomingHttpHeaders): string =>
  headers['content-encoding']?.toLowerCase() ?? 'identity';

/** The JSON of a post, unpacked if it was gzipped; a small body that unpacks to a huge one is refused. */
export async function readBody(
  body: Buffer,
  headers: IncomingHttpHeaders,
): Promise<{ json: unknown } | BodyFault> {
  try {
    const text = encodingOf(headers) === 'gzip' ? await unzip(body, { maxOutputLength: BODY_LIMIT }) : body;
    return { json: JSON.parse(text.toString('utf8')) };
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') return TOO_LARGE;
    return { status: 400, detail: 'The request body is not valid JSON' };
  }
}
