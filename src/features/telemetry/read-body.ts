import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

export const BODY_LIMIT = 16 * 1024 * 1024;

const unzip = promisify(gunzip);

type BodyFault = { status: 400 | 413 | 415; detail: string };

/** The JSON of a post, unpacked if it was gzipped; a small body that unpacks to a huge one is refused. */
export async function readBody(
  body: Buffer,
  headers: { 'content-type'?: string | undefined; 'content-encoding'?: string | undefined },
): Promise<{ json: unknown } | BodyFault> {
  if (!/^application\/([\w.-]+\+)?json\b/i.test(headers['content-type'] ?? '')) {
    return { status: 415, detail: 'Telemetry is JSON: send it as application/json' };
  }
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding !== 'identity' && encoding !== 'gzip') {
    return { status: 415, detail: 'Content-Encoding may be gzip or none' };
  }
  try {
    const text = encoding === 'gzip' ? await unzip(body, { maxOutputLength: BODY_LIMIT }) : body;
    return { json: JSON.parse(text.toString('utf8')) };
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') {
      return { status: 413, detail: 'Request body too large' };
    }
    return { status: 400, detail: 'The request body is not valid JSON' };
  }
}
