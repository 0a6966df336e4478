// Letters as mail.
import type { Curve } from '../../domain/notice.ts';
import type { Mailer } from '../mailer.ts';
import { composeMail } from '../messages/compose-mail.ts';
import { drawCurve } from '../messages/draw-curve.ts';
import type { EmailRecipient, Transport } from './transport.ts';

const MOST_PICTURES_PER_SECOND = 20;

export function createEmailTransport({ mailer }: { mailer: Mailer }): Transport<EmailRecipient> {
  const draw = drawSparingly();
  return {
    async send(letter, recipient, now, signal) {
      const mail = composeMail(letter, recipient, (curve, unit) => draw(curve, unit, now), now);
      const matter = { organizationName: letter.notices[0].organizationName };
      const outcome = await mailer.send(mail, matter, now, signal);
      return outcome.isSent ? outcome : { ...outcome, retryAfterMs: null, isGone: false };
    },
  };
}

/**
 * Everybody who is told of the same thing gets the same picture. When very much is to be told at once, mails go without:
 * their words say the same, and an alarm in time is worth more than a picture.
 */
function drawSparingly() {
  const drawn = new WeakMap<Curve, Buffer>();
  let second = 0;
  let count = 0;
  return (curve: Curve, unit: string | null, now: Date): Buffer | null => {
    const known = drawn.get(curve);
    if (known) return known;
    const current = Math.floor(now.getTime() / 1000);
    if (current !== second) [second, count] = [current, 0];
    if (count === MOST_PICTURES_PER_SECOND) return null;
    count += 1;
    const picture = drawCurve(curve, unit);
    drawn.set(curve, picture);
    return picture;
  };
}
