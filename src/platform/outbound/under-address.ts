import { trimEnd } from '../../domain/trim-sign.ts';
/** An address below another, whose own path stays: what is set up may be behind a proxy. */
export const underAddress = (base: string, path: string): URL =>
  new URL(`${trimEnd(base, '/')}/${path.replace(/^\/+/, '')}`);
