// The way of a post of our own JSON, short or long: read, taken, and noted for those who look after its source.
import type { PostOutcome } from '../../engine/ingest/ingest.ts';
import type { SourceLedger } from '../../engine/sources/source-ledger.ts';
import type { Gate } from '../../platform/turns.ts';
import { SET_ASIDE } from './answers.ts';
import { encodingOf } from './read-body.ts';
import type { Sender, Sources } from './sources.ts';
import { openTakePost, type ReceivedPost, type Take, type TakeFault } from './take-post.ts';

interface Entrance {
  sources: Pick<Sources, 'use'>;
  ledger: SourceLedger;
  take: Take;
  large: Gate;
}

export type HandIn = (sender: Sender, post: ReceivedPost) => Promise<PostOutcome | TakeFault>;

export function openHandIn({ sources, ledger, take, large }: Entrance): HandIn {
  const takePost = openTakePost(take, large);
  return async (sender, post) => {
    ledger.seen(sender.source, post.now);
    const outcome = await sources.use(sender, (source) => takePost(source, post));
    noteRefused(ledger, sender, post, outcome);
    return outcome;
  };
}

function noteRefused(
  ledger: SourceLedger,
  { source }: Sender,
  { body, headers, now }: ReceivedPost,
  outcome: PostOutcome | TakeFault,
): void {
  const sample = () => (encodingOf(headers) === 'gzip' ? Buffer.alloc(0) : body);
  if (outcome === 'set_aside') ledger.refused(source, { why: SET_ASIDE, sample }, now);
  if (typeof outcome !== 'object') return;
  // Devices that nobody has adopted yet wait where they are adopted.
  for (const { why } of outcome.rejected)
    if (why.code !== 'unknown_device') ledger.refused(source, { why, sample }, now);
}
