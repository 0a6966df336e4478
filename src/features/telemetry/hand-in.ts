// A post of our own JSON, whichever way it came: taken, and noted for those who look after its source.
import type { IncomingHttpHeaders } from 'node:http';
import { said } from '../../domain/readings/refused.ts';
import type { PostOutcome } from '../../engine/ingest/ingest.ts';
import type { SourceLedger } from '../../engine/sources/source-ledger.ts';
import { WORDS } from './answers.ts';
import type { Source } from './queries.ts';
import { encodingOf } from './read-body.ts';
import type { Sources } from './sources.ts';
import type { TakeFault } from './take-post.ts';

interface HandedIn {
  secret: string;
  source: Source;
  body: Buffer;
  headers: IncomingHttpHeaders;
  now: Date;
}

export type HandIn = (
  post: HandedIn,
  take: (source: Source) => Promise<PostOutcome | TakeFault>,
) => Promise<PostOutcome | TakeFault>;

export const openHandIn =
  (sources: Pick<Sources, 'use'>, ledger: SourceLedger): HandIn =>
  ({ secret, source, body, headers, now }, take) => {
    ledger.seen(source, now);
    return sources.use(secret, source, async (sender) => {
      const taken = await take(sender);
      const sample = () => (encodingOf(headers) === 'gzip' ? Buffer.alloc(0) : body);
      if (taken === 'set_aside') ledger.refused(sender, { why: said(WORDS.setAside), sample }, now);
      if (typeof taken === 'object' && taken.rejected.length > 0) {
        // Devices that nobody has adopted yet wait where they are adopted.
        for (const { why } of taken.rejected)
          if (why.code !== 'unknown_device') ledger.refused(sender, { why, sample }, now);
      }
      return taken;
    });
  };
