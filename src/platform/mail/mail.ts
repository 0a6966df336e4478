// One mail to one person, and the two places it may go to: a mail server, or a table where it is kept.

export interface MailAddress {
  name: string | null;
  address: string;
}

export interface Mail {
  /** The left side of its Message-ID: stable over retries, so that mailboxes can drop doubles. */
  id: string;
  /** Mails with the same one are shown together. null: it stands alone. */
  threadId: string | null;
  to: MailAddress;
  subject: string;
  body: MailBody;
  headers: Record<string, string>;
  isUrgent: boolean;
}

/** What is the same for several people is one object, and costs its encoding once. */
export interface MailBody {
  text: string;
  html: string;
  /** Shown inside the HTML, which names them as `cid:`. */
  pictures: readonly Picture[];
}

interface Picture {
  cid: string;
  fileName: string;
  png: Buffer;
}

export type MailOutcome =
  /** `handedTo`: the host that took it. */
  | { isSent: true; handedTo: string }
  /** There is no mail server: it did not leave. */
  | { isSent: false; isKept: true }
  | {
      isSent: false;
      isKept?: false;
      /** In words for an administrator, without secrets. */
      error: string;
      /** The server will never take this mail for this recipient. */
      isFinal: boolean;
    };
