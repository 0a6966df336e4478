// What a mail server's refusal means for this mail: try again, or never.
import type { NodemailerError } from 'nodemailer';

interface Explained {
  error: string;
  isFinal: boolean;
}

/** Refusals that speak of our sign-in, not of the recipient. */
const ABOUT_US = new Set([530, 534, 535, 538]);
/** Some servers put off strangers with a 550 that takes itself back. */
const IS_PUT_OFF = /gr[ae]y-?list|try (?:again )?later|temporar/i;
const LONGEST_REPLY = 300;

const TROUBLE: Partial<Record<string, string>> = {
  EAUTH: 'The mail server refused the sign-in',
  ENOAUTH: 'The mail server refused the sign-in',
  ETLS: 'No safe connection to the mail server',
  EDNS: 'The name of the mail server cannot be resolved',
  ETIMEDOUT: 'The mail server does not answer in time',
  ECONNECTION: 'The mail server broke the connection off',
  ESOCKET: 'The mail server cannot be reached',
  EPROTOCOL: 'The mail server does not speak SMTP as it should',
};

export function explainFailure(error: NodemailerError): Explained {
  const { code = '', responseCode, command, permanent = false } = error;
  if (code === 'EENVELOPE' && command === 'API')
    return { error: 'This is no address a mail can be sent to', isFinal: true };
  const isAboutMail = command === 'RCPT TO' || command === 'DATA' || command === 'MAIL FROM';
  if (responseCode === undefined || code === 'EAUTH' || !isAboutMail) {
    const words = TROUBLE[code] ?? 'The mail could not be handed over';
    const hint = responseCode ?? error.originalCode ?? (code in TROUBLE ? '' : code);
    return { error: hint === '' ? words : `${words} (${hint})`, isFinal: false };
  }
  const reply = (error.response ?? '').replace(/[\p{Cc}\s]+/gu, ' ').slice(0, LONGEST_REPLY);
  // A sender that is not welcome is for the administrator to put right; it says nothing of the recipient.
  const isAboutRecipient = command !== 'MAIL FROM' && !ABOUT_US.has(responseCode);
  return {
    error: `The mail server answered: ${reply}`,
    isFinal: permanent && isAboutRecipient && !IS_PUT_OFF.test(reply),
  };
}
