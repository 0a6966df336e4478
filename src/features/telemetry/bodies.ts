// What is being handed in at this moment, all posts together. When there is no more room the largest one that is still coming
// has to go, of the organization that has most of it. Small ones always find a place.
import type { Readable } from 'node:stream';
import type { OrganizationId } from '../../domain/ids.ts';
import { UndecodableBody } from '../../platform/http/form-body.ts';
import { BODY_LIMIT } from './read-body.ts';
import { SMALL_BYTES } from './take-post.ts';

export interface Inbox {
  /** Holds the body for as long as it is used. */
  receive<Value>(
    payload: Readable,
    organizationId: OrganizationId,
    use: (body: Buffer) => Promise<Value>,
  ): Promise<Value | 'too_large' | 'no_room'>;
}

interface Parcel {
  organizationId: OrganizationId;
  parts: Buffer[];
  bytes: number;
  /** Ends the wait for the rest. */
  refuse(why: 'too_large' | 'no_room'): void;
}

const MOST_BYTES = 4 * BODY_LIMIT;

export function openInbox(): Inbox {
  const coming = new Set<Parcel>();
  const bytesOf = new Map<OrganizationId, number>();
  let bytes = 0;

  const count = (organizationId: OrganizationId, more: number) => {
    bytes += more;
    const sum = (bytesOf.get(organizationId) ?? 0) + more;
    if (sum === 0) bytesOf.delete(organizationId);
    else bytesOf.set(organizationId, sum);
  };
  const shareOf = ({ organizationId }: Parcel) => bytesOf.get(organizationId) ?? 0;
  const makeRoom = () => {
    const [first] = [...coming]
      .filter((parcel) => parcel.bytes > SMALL_BYTES)
      .sort((one, other) => shareOf(other) - shareOf(one) || other.bytes - one.bytes);
    first?.refuse('no_room');
  };
  const add = (parcel: Parcel, part: Buffer) => {
    parcel.parts.push(part);
    parcel.bytes += part.length;
    count(parcel.organizationId, part.length);
    if (parcel.bytes > BODY_LIMIT) parcel.refuse('too_large');
    else if (bytes > MOST_BYTES) makeRoom();
  };

  return {
    async receive(payload, organizationId, use) {
      const parcel: Parcel = { organizationId, parts: [], bytes: 0, refuse: () => {} };
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
        count(organizationId, -parcel.bytes);
        // A sender who does not hang up keeps hold of the rest of this.
        parcel.parts = [];
      }
    },
  };
}
