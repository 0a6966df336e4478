/** An address below another, whose own path stays: what is set up may be behind a proxy. */
export const underAddress = (base: string, path: string): URL =>
  new URL(`${base.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`);
