import fc from 'fast-check';
import { SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import type { AccountId } from '../../domain/ids.ts';
import { createTokenSigner, TOKEN_LIFETIME_MS } from './token.ts';

const signer = createTokenSigner(Buffer.alloc(32, 'k'));
const claims = { accountId: 7 as AccountId, generation: 3 };
const issuedAt = new Date('2026-11-15T03:00:00.678Z');
const after = (ms: number) => new Date(issuedAt.getTime() + ms);

test.each([
  ['at issue', 0, claims],
  ['a millisecond before 8 hours', TOKEN_LIFETIME_MS - 1, claims],
  ['at 8 hours', TOKEN_LIFETIME_MS, null],
  ['a clock slightly behind', -1500, claims],
])('%s', async (_, ms, expected) => {
  const token = await signer.issue(claims, issuedAt);
  expect(await signer.read(token, after(ms))).toEqual(expected);
});

test('a token of another secret is refused', async () => {
  const token = await createTokenSigner(Buffer.alloc(32, 'x')).issue(claims, issuedAt);
  expect(await signer.read(token, issuedAt)).toBeNull();
});

test('a signed token without our claims is refused', async () => {
  const token = await new SignJWT({}).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.alloc(32, 'k'));
  expect(await signer.read(token, issuedAt)).toBeNull();
});

test('an unsigned token is refused', async () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const token = `${part({ alg: 'none' })}.${part({ sub: '7', gen: 3, iat: issuedAt.getTime() / 1000 })}.`;
  expect(await signer.read(token, issuedAt)).toBeNull();
});

test('reading any text never throws', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 80 }), async (text) => {
      expect(await signer.read(text, issuedAt)).toBeNull();
    }),
  );
});

test('every change to one character is noticed', async () => {
  const token = await signer.issue(claims, issuedAt);
  // The last character of a base64url part may carry unused bits.
  await fc.assert(
    fc.asyncProperty(
      fc.nat(token.length - 2),
      fc.constantFrom('A', 'q', '7', '_', '.'),
      async (at, character) => {
        fc.pre(token[at] !== character);
        expect(await signer.read(token.slice(0, at) + character + token.slice(at + 1), issuedAt)).toBeNull();
      },
    ),
  );
});

describe('the proof of a link', () => {
  test('is the same in every program, another for each link, and good for no other', () => {
    const proof = signer.prove('receipt 7');
    expect(proof).toMatch(/^[\w-]{43}$/);
    expect(createTokenSigner(Buffer.alloc(32, 'k')).isProof('receipt 7', proof)).toBe(true);
    expect(signer.isProof('receipt 8', proof)).toBe(false);
    expect(createTokenSigner(Buffer.alloc(32, 'x')).isProof('receipt 7', proof)).toBe(false);
  });

  test('is not the signature of a token', async () => {
    const [header, claimed, signature] = (await signer.issue(claims, issuedAt)).split('.');
    expect(signer.isProof(`${header}.${claimed}`, signature ?? '')).toBe(false);
  });

  test('of any other text is refused, and never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        expect(signer.isProof('receipt 7', text)).toBe(false);
      }),
    );
  });
});
