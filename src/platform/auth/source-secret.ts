import { createHash } from 'node:crypto';

/** Source secrets are long and random, so a plain hash cannot be reversed and can be looked up by index. */
export const hashSourceSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();
