import { writeFailure } from '../../domain/words/failure-words.ts';
import type { Log } from '../../platform/log.ts';
import { holdBriefly, SetAside } from '../../platform/process/in-hand.ts';
import { failure, type Letter, type SendOutcome, type Transport } from '../letters/letter.ts';
import type { EmailRecipient } from '../transports/email/recipient.ts';
import type { MethodRecipient } from '../transports/method/recipient.ts';
import type { WebhookRecipient } from '../transports/webhook/recipient.ts';
import type { FoundRecipient } from './find-recipients.ts';

export interface Transports {
  email: Transport<EmailRecipient>;
  webhook: Transport<WebhookRecipient>;
  method: Transport<MethodRecipient>;
}

interface Sending {
  transports: Transports;
  log: Log;
  timeoutMs: number;
  /** The program leaves: what is still under way is broken off. */
  stopping: AbortSignal;
}

/** Always an outcome, and in time, whatever the transport does. */
export async function sendLetter(
  { transports, log, timeoutMs, stopping }: Sending,
  letter: Letter,
  recipient: FoundRecipient,
  now: Date,
): Promise<SendOutcome> {
  const controller = new AbortController();
  const { signal } = controller;
  const breakOff = () => controller.abort(new Error('The program was stopped'));
  stopping.addEventListener('abort', breakOff);
  const timer = setTimeout(
    () => controller.abort(new Error(`No answer within ${Math.round(timeoutMs / 1000)} seconds`)),
    timeoutMs,
  );
  const brokenOff = new Promise<SendOutcome>((resolve) => {
    signal.addEventListener('abort', () => resolve(failure((signal.reason as Error).message)));
  });
  if (stopping.aborted) breakOff();
  try {
    return await Promise.race([
      holdBriefly(`letter ${letter.id}`, () => hand(transports, letter, recipient, now, signal)),
      brokenOff,
    ]);
  } catch (error) {
    if (error instanceof SetAside) return failure(error.message);
    log.error({ err: error, letterId: letter.id }, 'a letter could not be sent for an unexpected reason');
    return failure(writeFailure('unexpected'));
  } finally {
    clearTimeout(timer);
    stopping.removeEventListener('abort', breakOff);
  }
}

function hand(
  { email, webhook, method }: Transports,
  letter: Letter,
  recipient: FoundRecipient,
  now: Date,
  signal: AbortSignal,
): Promise<SendOutcome> {
  if (recipient.transport === 'email') return email.send(letter, recipient, now, signal);
  if (recipient.transport === 'method') return method.send(letter, recipient, now, signal);
  return webhook.send(letter, recipient, now, signal);
}
