// What is being handed in at this moment, all posts together. When there is no more room the largest one that is still coming
// has to go. Small ones always find a place.
import type { Readable } from 'node:stream';
import { UndecodableBody } from '../../platform/http/form-body.ts';
import { BODY_LIMIT } from './read-body.ts';
import { SMALL_BYTES } from './take-post.ts';

export interface Inbox {
  /** Holds the body for as long as it is used. */
  receive<Value>(
    payload: Readable,
    use: (body: Buffer) => Promise<Value>,
  ): Promise<Value | 'too_large' | 'no_room'>;
}

interface Parcel {
  parts: Buffer[];
  bytes: number;
  /** Ends the wait for the rest. */
  refuse(why: 'too_large' | 'no_room'): void;
}

const MOST_BYTES = 4 * BODY_LIMIT;

export function openInbox(): Inbox {
  const coming = new Set<Parcel>();
  let bytes = 0;

  const makeRoom = () => {
    let largest: Parcel | null = null;
    for (const parcel of coming) if (parcel.bytes > (largest?.bytes ?? SMALL_BYTES)) largest = parcel;
    largest?.refuse('no_room');
  };
  const add = (parcel: Parcel, part: Buffer) => {
    parcel.parts.push(part);
    parcel.bytes += part.length;
    bytes += part.length;
    if (parcel.bytes > BODY_LIMIT) parcel.refuse('too_large');
    else if (bytes > MOST_BYTES) makeRoom();
  };

  return {
    async receive(payload, use) {
      const parcel: Parcel = { parts: [], bytes: 0, refuse: () => {} };
      coming.add(parcel);
      const onData = (part: Buffer) => add(parcel, part);
      try {
        const refusal = await new Promise<'too_large' | 'no_room' | null>((resolve, reject) => {
          parcel.refuse = resolve;
          payload.on('data', onData);
          payload.once('end', () => resolve(null));
          const giveUp = () => {
            // Also comes after the end, where an error would be made for nobody.
            if (!payload.readableEnded) reject(new UndecodableBody('The sender hung up'));
          };
          payload.once('error', giveUp).once('close', giveUp);
        });
        coming.delete(parcel);
        payload.off('data', onData);
        if (refusal) return refusal;
        const [body = Buffer.alloc(0), ...more] = parcel.parts;
        return await use(more.length > 0 ? Buffer.concat(parcel.parts, parcel.bytes) : body);
      } finally {
        coming.delete(parcel);
        bytes -= parcel.bytes;
        // A sender who does not hang up keeps hold of the rest of this.
        parcel.parts = [];
      }
    },
  };
}
