// One mail by a connection of its own, with what the server said to it.
import { createTransport, type NodemailerError } from 'nodemailer';
import type { Language } from '../../domain/language/speak.ts';
import { sayFailure } from '../../domain/words/failure-words.ts';
import { connectOptions, type TrustedServer } from './connect-options.ts';
import { explainFailure } from './explain-failure.ts';
import type { Mail, MailAddress } from './mail.ts';
import { type ConnectionTry, quote } from './try-connection.ts';
import { createMessageWriter } from './write-message.ts';

const PATIENCE_MS = 25_000;

/** Takes 25 seconds at most, and never throws. */
export async function sendOnce(
  server: TrustedServer,
  from: MailAddress,
  mail: Mail,
  now: Date,
  language: Language,
): Promise<ConnectionTry> {
  const transport = createTransport({
    ...connectOptions(server),
    ...(server.auth && { auth: { user: server.auth.user, pass: server.auth.password } }),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  let patience: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    const late = () => reject(Object.assign(new Error('too late'), { code: 'ETIMEDOUT' }));
    patience = setTimeout(late, PATIENCE_MS);
  });
  try {
    const envelope = { from: from.address, to: [mail.to.address] };
    const raw = await createMessageWriter(from)(mail, now);
    const { response } = await Promise.race([transport.sendMail({ envelope, raw }), tooLong]);
    const summary = language.say(
      '{host} took the mail to {address}. It has not arrived before you see it there.',
      { host: server.host, address: mail.to.address },
    );
    return { isReady: true, summary, answer: quote(response, server) };
  } catch (error) {
    const failure = error as NodemailerError;
    return {
      isReady: false,
      summary: sayFailure(explainFailure(failure).error, language),
      answer: quote(failure.response ?? false, server),
    };
  } finally {
    clearTimeout(patience);
    transport.close();
  }
}
