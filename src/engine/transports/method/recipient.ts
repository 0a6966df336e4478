import type { PinNeed } from '../../../domain/accounts/phone-pin.ts';
import type { MethodKind } from '../../../domain/on-call/contact-method.ts';

export interface MethodRecipient {
  id: number;
  kind: Exclude<MethodKind, 'email'>;
  address: string;
  secret: string | null;
  /** Of an answer by phone to the letter. */
  pin: PinNeed;
  /** In the organization that tells. */
  mayAcknowledge: boolean;
}
