export interface EmailRecipient {
  address: string;
  /** Of the account behind the address; null for a plain one. */
  account: { name: string; timeZone: string } | null;
}
