// Letters as mail.
import type { Language } from '../../../domain/language/speak.ts';
import type { Curve, Notice } from '../../../domain/notifications/notice.ts';
import type { Measured } from '../../../domain/words/say-value.ts';
import type { Log } from '../../../platform/log.ts';
import { failure, type Letter, refusal, type Transport } from '../../letters/letter.ts';
import { isDigest } from '../../letters/notice-words.ts';
import type { Mailer } from '../../mail/mailer.ts';
import { composeMail, type Written, writeLetter } from './compose-mail.ts';
import { drawCurve } from './draw-curve.ts';
import type { EmailRecipient } from './recipient.ts';
import { zoneOf } from './say-times.ts';

const MOST_PICTURES_PER_SECOND = 20;

interface EmailDeps {
  mailer: Mailer;
  log?: Log;
}

export function createEmailTransport({ mailer, log }: EmailDeps): Transport<EmailRecipient> {
  const write = writeOnce(drawSparingly(log));
  return {
    async send(letter, recipient, now, signal) {
      const mail = composeMail(letter, recipient, write(letter, zoneOf(recipient), now));
      const matter = { organizationName: letter.notices[0].organizationName };
      const outcome = await mailer.send(mail, matter, now, signal);
      if (outcome.isSent || outcome.isKept) return outcome;
      // Also what the server calls final: mailboxes are full, moved and mistyped, and put right while the alarm lasts.
      return outcome.isFinal ? refusal(outcome.error) : failure(outcome.error);
    },
  };
}

/** Those who are told of the same thing in the same language, which makes one notice, and zone get the same words, but for a link of their own. The notice is as old as its claim: so are they. */
function writeOnce(draw: ReturnType<typeof drawSparingly>) {
  const written = new WeakMap<Notice, Map<string, Written>>();
  return (letter: Letter, timeZone: string, now: Date): Written => {
    const write = () => writeLetter(letter, timeZone, (...drawn) => draw(...drawn, now), now);
    if (isDigest(letter) || letter.receiptUrl !== undefined || letter.personalUrl !== undefined)
      return write();
    const [notice] = letter.notices;
    const zones = written.get(notice) ?? new Map<string, Written>();
    written.set(notice, zones);
    const words = zones.get(timeZone) ?? write();
    zones.set(timeZone, words);
    return words;
  };
}

/**
 * Everybody who is told of the same thing in the same language gets the same picture. When very much is to be told at once, mails go without:
 * their words say the same, and an alarm in time is worth more than a picture. So they do where it cannot be drawn.
 */
function drawSparingly(log: Log | undefined) {
  const drawn = new WeakMap<Curve, Map<Language, Buffer>>();
  let second = 0;
  let count = 0;
  return (curve: Curve, measured: Measured, language: Language, now: Date): Buffer | null => {
    const pictures = drawn.get(curve) ?? new Map<Language, Buffer>();
    drawn.set(curve, pictures);
    const known = pictures.get(language);
    if (known) return known;
    const current = Math.floor(now.getTime() / 1000);
    if (current !== second) [second, count] = [current, 0];
    if (count === MOST_PICTURES_PER_SECOND) return null;
    count += 1;
    try {
      const picture = drawCurve(curve, measured, language);
      pictures.set(language, picture);
      return picture;
    } catch (error) {
      log?.error({ err: error }, 'a curve could not be drawn');
      return null;
    }
  };
}
