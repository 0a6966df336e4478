import type { MethodKind } from '../../../domain/on-call/contact-method.ts';

export interface MethodRecipient {
  id: number;
  kind: Exclude<MethodKind, 'email'>;
  address: string;
  secret: string | null;
}
