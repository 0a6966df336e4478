// The bodies that are being handed in at this moment, all together. When there is no more room the largest one that is
// still coming has to go, of the organization that has most of it. Small ones always find a place.
import type { Readable } from 'node:stream';
import type { OrganizationId } from '../../domain/ids.ts';
import { UndecodableBody } from '../../platform/http/form-body.ts';
import { BODY_LIMIT } from './read-body.ts';
import { SMALL_BYTES } from './take-post.ts';

export interface Bodies {
  /** Holds the body for as long as it is used. */
  receive<Value>(
    payload: Readable,
    organizationId: OrganizationId,
    use: (body: Buffer) => Promise<Value>,
  ): Promise<Value | 'too_large' | 'no_room'>;
}

interface Coming {
  organizationId: OrganizationId;
  parts: Buffer[];
  bytes: number;
  /** Ends the wait for the rest. */
  refuse(why: 'too_large' | 'no_room'): void;
}

const MOST_BYTES = 4 * BODY_LIMIT;

export function openBodies(): Bodies {
  const coming = new Set<Coming>();
  const bytesOf = new Map<OrganizationId, number>();
  let bytes = 0;

  const count = (organizationId: OrganizationId, more: number) => {
    bytes += more;
    const sum = (bytesOf.get(organizationId) ?? 0) + more;
    if (sum === 0) bytesOf.delete(organizationId);
    else bytesOf.set(organizationId, sum);
  };
  const shareOf = ({ organizationId }: Coming) => bytesOf.get(organizationId) ?? 0;
  const makeRoom = () => {
    const [first] = [...coming]
      .filter(({ bytes }) => bytes > SMALL_BYTES)
      .sort((one, other) => shareOf(other) - shareOf(one) || other.bytes - one.bytes);
    first?.refuse('no_room');
  };
  const add = (one: Coming, part: Buffer) => {
    one.parts.push(part);
    one.bytes += part.length;
    count(one.organizationId, part.length);
    if (one.bytes > BODY_LIMIT) one.refuse('too_large');
    else if (bytes > MOST_BYTES) makeRoom();
  };

  return {
    async receive(payload, organizationId, use) {
      const one: Coming = { organizationId, parts: [], bytes: 0, refuse: () => {} };
      coming.add(one);
      const onData = (part: Buffer) => add(one, part);
      try {
        const refusal = await new Promise<'too_large' | 'no_room' | null>((resolve, reject) => {
          one.refuse = resolve;
          payload.on('data', onData);
          payload.once('end', () => resolve(null));
          const giveUp = () => {
            // Also comes after the end, where an error would be made for nobody.
            if (!payload.readableEnded) reject(new UndecodableBody('The sender hung up'));
          };
          payload.once('error', giveUp).once('close', giveUp);
        });
        coming.delete(one);
        payload.off('data', onData);
        if (refusal) return refusal;
        const [body = Buffer.alloc(0), ...more] = one.parts;
        return await use(more.length > 0 ? Buffer.concat(one.parts, one.bytes) : body);
      } finally {
        coming.delete(one);
        count(organizationId, -one.bytes);
        // A sender who does not hang up keeps hold of the rest of this.
        one.parts = [];
      }
    },
  };
}
