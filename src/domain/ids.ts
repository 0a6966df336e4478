declare const brand: unique symbol;
type Branded<Name extends string> = number & { readonly [brand]: Name };

export type AccountId = Branded<'account'>;
export type OrganizationId = Branded<'organization'>;
export type ServiceId = Branded<'service'>;
export type InvitationId = Branded<'invitation'>;
export type SessionId = Branded<'session'>;
export type DeviceSessionId = Branded<'device session'>;
export type ContactMethodId = Branded<'contact method'>;
export type PasskeyId = Branded<'passkey'>;

/** The largest id the database can hold; Contract, Ids. */
export const MAX_ID = 2_147_483_647;

export const isId = (number: number): boolean => number >= 1 && number <= MAX_ID;
