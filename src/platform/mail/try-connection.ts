// Whether the mail server is there, safe, and lets us in: asked without a mail.
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { connectOptions, type TrustedServer } from './connect-options.ts';
import { explainFailure } from './explain-failure.ts';

export interface ConnectionTry {
  isReady: boolean;
  /** A sentence for whoever runs the house. */
  summary: string;
  /** What the server said last, in its own words, without our secrets; null: it said nothing. */
  answer: string | null;
}

const PATIENCE_MS = 15_000;
const LONGEST_ANSWER = 300;

/** Greets, encrypts, signs in where we have a user, and leaves. Takes 15 seconds at most, and never throws. */
export async function tryConnection(server: TrustedServer): Promise<ConnectionTry> {
  const connection = new SMTPConnection(connectOptions(server));
  const tell = (isReady: boolean, summary: string, said: unknown): ConnectionTry => ({
    isReady,
    summary,
    answer: quote(typeof said === 'string' ? said : connection.lastServerResponse, server),
  });
  try {
    const isSignedIn = await enter(connection, server);
    if (server.auth && !isSignedIn)
      return tell(false, `${server.host} offers no sign-in, but a user and a password are set`, null);
    const how = connection.secure ? 'encrypted' : 'not encrypted';
    const who = server.auth ? `signed in as ${server.auth.user}` : 'without a sign-in';
    return tell(true, `${server.host} answers: ${how}, ${who}`, null);
  } catch (error) {
    const failure = error as Error & { response?: string };
    return tell(false, explainFailure(failure).error, failure.response ?? null);
  } finally {
    connection.quit();
    connection.close();
  }
}

/** Whether a sign-in took place. */
async function enter(connection: SMTPConnection, { auth }: TrustedServer): Promise<boolean> {
  let patience: NodeJS.Timeout | undefined;
  const entered = new Promise<boolean>((resolve, reject) => {
    const fail = (code: string) => reject(Object.assign(new Error(code), { code }));
    patience = setTimeout(() => fail('ETIMEDOUT'), PATIENCE_MS);
    connection.once('error', reject);
    connection.once('end', () => fail('ECONNECTION'));
    connection.connect((failure) => {
      if (failure) return reject(failure);
      if (!auth || !connection.allowsAuth) return resolve(false);
      connection.login({ user: auth.user, pass: auth.password }, (refusal) =>
        refusal ? reject(refusal) : resolve(true),
      );
    });
  });
  return entered.finally(() => clearTimeout(patience));
}

/** Servers may repeat what they were told, as it is or encoded. */
export function quote(said: string | false, { auth }: TrustedServer): string | null {
  if (said === false) return null;
  const secrets = auth
    ? [base64(`\0${auth.user}\0${auth.password}`), base64(auth.password), auth.password]
    : [];
  const answer = secrets.reduce((text, secret) => text.replaceAll(secret, '…'), said);
  return (
    answer
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .trim()
      .slice(0, LONGEST_ANSWER) || null
  );
}

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');
