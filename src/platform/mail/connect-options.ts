import type { SmtpServer } from './read-smtp-url.ts';

export type TrustedServer = SmtpServer & { ca: Buffer | null };

const LONGEST_PAUSE_MS = 30_000;

/** How every connection to the mail server is made. */
export const connectOptions = ({ host, port, tls, ca }: TrustedServer) => ({
  host,
  port,
  secure: tls === 'from_start',
  requireTLS: tls === 'required',
  ...(ca && { tls: { ca } }),
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  dnsTimeout: 10_000,
  socketTimeout: LONGEST_PAUSE_MS,
});
