// What one SMTP_URL says: smtps://user:password@mail.lab.example:465?ca=lab-ca.pem
import { isIP } from 'node:net';

export interface SmtpServer {
  host: string;
  port: number;
  /** `from_start`: smtps. `required`: STARTTLS or nothing. `offered`: STARTTLS where the server has it. */
  tls: 'from_start' | 'required' | 'offered';
  auth: { user: string; password: string } | null;
  /** PEM file of the authority that signed the server's certificate, where the system does not know it. */
  caFile: string | null;
}

/** A text is what is wrong with it; it repeats nothing of the URL, which may carry a password. */
export function readSmtpUrl(url: URL): SmtpServer | string {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (host === '') return 'names no host';
  if (url.pathname !== '' && url.pathname !== '/') return 'must not have a path';
  const unknown = [...url.searchParams.keys()].find((key) => key !== 'ca');
  if (unknown !== undefined) return 'has an unknown option; the only one is ca';
  const [user, password] = [decode(url.username), decode(url.password)];
  if (user === null || password === null) return 'has a user or password that is not encoded like a URL';
  if ((user === '') !== (password === '')) return 'must have a user and a password, or neither';

  const isSecure = url.protocol === 'smtps:';
  const auth = user === '' ? null : { user, password };
  return {
    host,
    port: url.port === '' ? (isSecure ? 465 : 587) : Number(url.port),
    // A password never travels in the clear, except within this machine.
    tls: isSecure ? 'from_start' : auth && !isLoopback(host) ? 'required' : 'offered',
    auth,
    caFile: url.searchParams.get('ca') || null,
  };
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
