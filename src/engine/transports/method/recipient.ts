import type { PinNeed } from '../../../domain/accounts/phone-pin.ts';
import type { PersonMethodKind } from '../../providers/providers.ts';

export interface MethodRecipient {
  id: number;
  kind: PersonMethodKind;
  address: string;
  secret: string | null;
  /** Of an answer by phone to the letter. */
  pin: PinNeed;
  /** In the organization that tells. */
  mayAcknowledge: boolean;
}
