/** One way to one receiver. An account is reached by its mail. */
export interface Recipient {
  transport: 'email' | 'webhook';
  /** An address, or the id of a webhook. */
  recipient: string;
  /** Whose address it is, where it is told as an account. */
  accountId?: number | null;
  accountName?: string | null;
}

export const nameRecipient = ({ transport, recipient }: Recipient): string => `${transport} ${recipient}`;
