import { createHmac } from 'node:crypto';

/** Four digits that belong to one letter to one method; nothing is stored for them. */
export const makeReplyCode = (secret: string, methodId: number, letterId: string): string =>
  String(
    createHmac('sha256', secret).update(`reply ${methodId} ${letterId}`).digest().readUInt32BE(0) % 10_000,
  ).padStart(4, '0');
