export const TRANSPORTS = ['email', 'webhook', 'method'] as const;
export type TransportName = (typeof TRANSPORTS)[number];

/** One way to one receiver. An account is reached by its mail, unless its owner says how else. */
export interface Recipient {
  transport: TransportName;
  /** An address, or the id of a webhook or of a contact method. */
  recipient: string;
  /** Whose address it is, where it is told as an account. */
  accountId?: number | null;
  accountName?: string | null;
  /** What kind of contact method it is. */
  via?: string;
  /** From the moment on at which its step opened. */
  afterMinutes?: number;
  /** Left out: for everything. */
  only?: 'critical' | 'others';
}

export const nameRecipient = ({ transport, recipient }: Recipient): string => `${transport} ${recipient}`;
