// What a mail server's refusal means for this mail: try again, or never.
import type { NodemailerError } from 'nodemailer';
import { writeFailure } from '../../domain/words/failure-words.ts';

interface Explained {
  error: string;
  isFinal: boolean;
}

/** Refusals that speak of our sign-in, not of the recipient. */
const ABOUT_US = new Set([530, 534, 535, 538]);
/** Some servers put off strangers with a 550 that takes itself back. */
const IS_PUT_OFF = /gr[ae]y-?list|try (?:again )?later|temporar/i;
const LONGEST_REPLY = 300;

const TROUBLE = {
  EAUTH: 'mail_sign_in',
  ENOAUTH: 'mail_sign_in',
  ETLS: 'mail_unsafe',
  EDNS: 'mail_no_name',
  ETIMEDOUT: 'mail_too_late',
  ECONNECTION: 'mail_broke_off',
  ESOCKET: 'mail_not_reached',
  EPROTOCOL: 'mail_no_smtp',
} as const;

const isTrouble = (code: string): code is keyof typeof TROUBLE => Object.hasOwn(TROUBLE, code);

export function explainFailure(error: NodemailerError): Explained {
  const { code = '', responseCode, command, permanent = false } = error;
  if (code === 'EENVELOPE' && command === 'API')
    return { error: writeFailure('mail_no_address'), isFinal: true };
  const isAboutMail = command === 'RCPT TO' || command === 'DATA' || command === 'MAIL FROM';
  if (responseCode === undefined || code === 'EAUTH' || !isAboutMail) {
    const words = writeFailure(isTrouble(code) ? TROUBLE[code] : 'mail_not_handed_over');
    const hint = responseCode ?? error.originalCode ?? (isTrouble(code) ? '' : code);
    return { error: hint === '' ? words : `${words} (${hint})`, isFinal: false };
  }
  const reply = (error.response ?? '').replace(/[\p{Cc}\s]+/gu, ' ').slice(0, LONGEST_REPLY);
  // A sender that is not welcome is for the administrator to put right; it says nothing of the recipient.
  const isAboutRecipient = command !== 'MAIL FROM' && !ABOUT_US.has(responseCode);
  return {
    error: writeFailure('mail_answered', { said: reply }),
    isFinal: permanent && isAboutRecipient && !IS_PUT_OFF.test(reply),
  };
}
