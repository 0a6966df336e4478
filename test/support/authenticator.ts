// A device that makes and uses passkeys as WebAuthn says, in a few lines: one that can also be told to lie.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

export interface Device {
  /** Answers to what `…/options` sent, as a browser writes it. */
  make(options: { challenge: string; user: { id: string } }, lies?: Lies): string;
  use(options: { challenge: string }, lies?: Lies): string;
}

export interface Lies {
  origin?: string;
  host?: string;
  challenge?: string;
  type?: string;
  isVerified?: boolean;
  isPresent?: boolean;
  signatures?: number;
  userHandle?: string;
  /** Signs with another key than it showed. */
  isForged?: boolean;
}

export function openDevice(origin: string): Device {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const forged = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const id = randomBytes(32);
  let userHandle = '';
  let signatures = 0;

  const describe = (kind: string, challenge: string, lies: Lies) =>
    Buffer.from(
      JSON.stringify({
        type: lies.type ?? kind,
        challenge: lies.challenge ?? challenge,
        origin: lies.origin ?? origin,
        crossOrigin: false,
      }),
    );
  const present = (lies: Lies, attested: Buffer = Buffer.alloc(0)) => {
    const flags =
      (lies.isPresent === false ? 0 : 1) | (lies.isVerified === false ? 0 : 4) | (attested.length ? 64 : 0);
    const head = Buffer.alloc(37);
    createHash('sha256')
      .update(lies.host ?? new URL(origin).hostname)
      .digest()
      .copy(head);
    head.writeUInt8(flags, 32);
    head.writeUInt32BE(lies.signatures ?? signatures, 33);
    return Buffer.concat([head, attested]);
  };
  const write = (response: Record<string, string>) =>
    JSON.stringify({
      id: id.toString('base64url'),
      rawId: id.toString('base64url'),
      type: 'public-key',
      clientExtensionResults: {},
      response,
    });

  return {
    make({ challenge, user }, lies = {}) {
      userHandle = user.id;
      const idLength = Buffer.alloc(2);
      idLength.writeUInt16BE(id.length);
      const attested = Buffer.concat([Buffer.alloc(16), idLength, id, coseOf(publicKey)]);
      const authData = present(lies, attested);
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        text('fmt'),
        text('none'),
        text('attStmt'),
        Buffer.from([0xa0]),
        text('authData'),
        bytes(authData),
      ]);
      return write({
        clientDataJSON: describe('webauthn.create', challenge, lies).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
      });
    },
    use({ challenge }, lies = {}) {
      signatures += 1;
      const client = describe('webauthn.get', challenge, lies);
      const authData = present(lies);
      const signed = Buffer.concat([authData, createHash('sha256').update(client).digest()]);
      return write({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: sign('sha256', signed, lies.isForged ? forged : privateKey).toString('base64url'),
        userHandle: lies.userHandle ?? userHandle,
      });
    },
  };
}

const text = (word: string) => Buffer.concat([Buffer.from([0x60 + word.length]), Buffer.from(word)]);

function bytes(content: Buffer): Buffer {
  const head = Buffer.alloc(3);
  head.writeUInt8(0x59);
  head.writeUInt16BE(content.length, 1);
  return Buffer.concat([head, content]);
}

/** {1: 2, 3: -7, -1: 1, -2: x, -3: y} */
function coseOf(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const part = (label: number, value: string) =>
    Buffer.concat([Buffer.from([label, 0x58, 32]), Buffer.from(value, 'base64url')]);
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01]),
    part(0x21, x),
    part(0x22, y),
  ]);
}
