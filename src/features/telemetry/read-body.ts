import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { unpackSnappy } from '../../domain/ways-in/snappy.ts';
import { inSlices } from '../../platform/in-slices.ts';

export const BODY_LIMIT = 16 * 1024 * 1024;

const unzip = promisify(gunzip);

interface BodyFault {
  status: 413 | 415;
  detail: string;
}

export const TOO_LARGE: BodyFault = { status: 413, detail: 'Request body too large' };

/** What is wrong with a body before any of it was read. */
export function findBodyFault(headers: IncomingHttpHeaders): BodyFault | null {
  if (!/^application\/([\w.-]+\+)?json\b/i.test(headers['content-type'] ?? '')) {
    return { status: 415, detail: 'Telemetry is JSON: send it as application/json' };
  }
  return findPackingFault(headers);
}

/** How a body may be packed; Prometheus packs all of its own. */
const PACKINGS = {
  gzip: { encodings: ['identity', 'gzip'], detail: 'Content-Encoding may be gzip or none' },
  snappy: { encodings: ['snappy'], detail: 'Content-Encoding must be snappy' },
};
export type Packing = keyof typeof PACKINGS;

/** The same for every way in, whatever the body is. */
export function findPackingFault(headers: IncomingHttpHeaders, packing: Packing = 'gzip'): BodyFault | null {
  const { encodings, detail } = PACKINGS[packing];
  if (!encodings.includes(encodingOf(headers))) return { status: 415, detail };
  return Number(headers['content-length'] ?? 0) > BODY_LIMIT ? TOO_LARGE : null;
}

export const encodingOf = (headers: IncomingHttpHeaders): string =>
  headers['content-encoding']?.toLowerCase() ?? 'identity';

/** Unpacked if it was packed; a small body that unpacks to a huge one is refused before it has. */
export async function unpackBody(
  body: Buffer,
  headers: IncomingHttpHeaders,
  mostBytes: number,
): Promise<Buffer | 'too_large' | 'unreadable'> {
  const encoding = encodingOf(headers);
  if (encoding === 'snappy') {
    const unpacked = await inSlices(unpackSnappy(body, mostBytes), 'posts');
    return typeof unpacked === 'string' ? unpacked : Buffer.from(unpacked.buffer);
  }
  if (encoding !== 'gzip') return body.length > mostBytes ? 'too_large' : body;
  try {
    return await unzip(body, { maxOutputLength: mostBytes });
  } catch (error) {
    return (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : 'unreadable';
  }
}
