// The rules of WebAuthn are the library's. It brings many parts along, which load when somebody first uses a passkey.

import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { parseJson } from '../../domain/json/parse-json.ts';

/** The site that passkeys belong to. */
export interface RelyingParty {
  /** A host name. */
  id: string;
  origin: string;
}

export interface StoredPasskey {
  credentialId: string;
  publicKey: Buffer;
  signatures: number;
}

export interface NewPasskey extends StoredPasskey {
  transports: string[];
}

const load = () => import('@simplewebauthn/server');

/** How long a device may take to answer, and a challenge waits for its answer. */
export const CHALLENGE_LIFETIME_MS = 5 * 60_000;

export async function askForNewPasskey(
  site: RelyingParty,
  account: { id: number; email: string; name: string },
  known: { credentialId: string }[],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await load();
  return generateRegistrationOptions({
    rpName: 'Tocsin',
    rpID: site.id,
    userID: handleOf(account.id),
    userName: account.email,
    userDisplayName: account.name,
    timeout: CHALLENGE_LIFETIME_MS,
    attestationType: 'none',
    excludeCredentials: known.map(({ credentialId: id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** Whatever passkey of this site the person has: nobody types an address. */
export async function askForPasskey(site: RelyingParty): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await load();
  return generateAuthenticationOptions({
    rpID: site.id,
    timeout: CHALLENGE_LIFETIME_MS,
    userVerification: 'required',
  });
}

/** null: not what was asked for. */
export async function readNewPasskey(
  answer: string,
  site: RelyingParty,
  challenge: string,
): Promise<NewPasskey | null> {
  const { verifyRegistrationResponse } = await load();
  const response = readJson<RegistrationResponseJSON>(answer);
  const checked = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    requireUserVerification: true,
  }).catch(() => null);
  if (!checked?.verified) return null;
  const { id: credentialId, publicKey, counter, transports = [] } = checked.registrationInfo.credential;
  return {
    credentialId,
    publicKey: Buffer.from(publicKey),
    signatures: counter,
    transports: transports.filter((word) => /^[a-z-]{1,20}$/.test(word)).slice(0, 10),
  };
}

export interface PasskeyAnswer {
  credentialId: string;
  /** Whose it is, as the device remembers; null: it does not say. */
  accountId: number | null;
  response: AuthenticationResponseJSON;
}

/** Who answers, before it is proved. null: this is no answer. */
export function readPasskeyAnswer(answer: string): PasskeyAnswer | null {
  const response = readJson<AuthenticationResponseJSON>(answer);
  if (typeof response?.id !== 'string' || typeof response.response !== 'object' || !response.response)
    return null;
  const { userHandle } = response.response;
  if (typeof userHandle !== 'string') return { credentialId: response.id, accountId: null, response };
  const accountId = Number(Buffer.from(userHandle, 'base64url').toString('latin1'));
  return { credentialId: response.id, accountId: Number.isInteger(accountId) ? accountId : -1, response };
}

/** How often the passkey has signed by now. null: the answer proves nothing, or the passkey may be a copy. */
export async function provePasskey(
  { response }: PasskeyAnswer,
  passkey: StoredPasskey,
  site: RelyingParty,
  challenge: string,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await load();
  const checked = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    requireUserVerification: true,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(passkey.publicKey),
      counter: passkey.signatures,
    },
  }).catch(() => null);
  return checked?.verified ? checked.authenticationInfo.newCounter : null;
}

/** What a device remembers of whose passkey it is: no name, no address. */
const handleOf = (accountId: number) => new Uint8Array(Buffer.from(String(accountId), 'latin1'));

const readJson = <Shape>(text: string): Shape | null => (parseJson(text) ?? null) as Shape | null;
