import { createHash, timingSafeEqual } from 'node:crypto';

/** In the same time, however much of it is right. */
export const isSame = (one: string, other: string | undefined): boolean =>
  other !== undefined &&
  timingSafeEqual(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest());
