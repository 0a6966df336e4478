// The far end of delivery, held in the hand: takes letters, and answers as it is told.
import type { FoundRecipient } from '../../src/engine/delivery/find-recipients.ts';
import type { Transports } from '../../src/engine/delivery/send-letter.ts';
import type { Letter, SendOutcome, Transport } from '../../src/engine/letters/letter.ts';

interface Arrival {
  letter: Letter;
  to: string;
  at: Date;
}

export interface Postbox {
  transports: Transports;
  /** Everything that was sent, also what was then answered with a failure. */
  arrivals: Arrival[];
  /** null: every letter arrives. */
  answer: ((arrival: Arrival) => SendOutcome | Promise<SendOutcome>) | null;
  /** Who got how many messages in which letter: `cold@lab.example: Freezer 1, Freezer 2`. */
  tellAll(): string[];
}

export const refused = (error: string, rest: Partial<SendOutcome> = {}): SendOutcome =>
  ({ isSent: false, error, retryAfterMs: null, isGone: false, ...rest }) as SendOutcome;

export function openPostbox(): Postbox {
  const take = <Known>(nameOf: (recipient: Known) => string): Transport<Known> => ({
    async send(letter, recipient, at) {
      const arrival = { letter, to: nameOf(recipient), at };
      postbox.arrivals.push(arrival);
      return (await postbox.answer?.(arrival)) ?? { isSent: true };
    },
  });
  const postbox: Postbox = {
    arrivals: [],
    answer: null,
    transports: {
      email: take<Extract<FoundRecipient, { transport: 'email' }>>(({ address }) => address),
      webhook: take<Extract<FoundRecipient, { transport: 'webhook' }>>(({ url }) => url),
      method: take<Extract<FoundRecipient, { transport: 'method' }>>(
        ({ kind, address }) => `${kind} ${address}`,
      ),
    } as Transports,
    tellAll: () =>
      postbox.arrivals.map(
        ({ to, letter }) => `${to}: ${letter.notices.map(({ serviceName }) => serviceName).join(', ')}`,
      ),
  };
  return postbox;
}
