import { createECDH } from 'node:crypto';
import { expect, test } from 'vitest';
import { MOST_PLAIN_BYTES, sealContent, sealForBrowser } from './seal-content.ts';

const bytes = (text: string) => Buffer.from(text, 'base64url');

test('the vector of RFC 8188, section 3.1', () => {
  const sealed = sealContent(Buffer.from('I am the walrus'), {
    key: bytes('yqdlZ-tYemfogSmv7Ws5PQ'),
    salt: bytes('I1BsxtFttlv3u_Oo94xnmw'),
    keyId: Buffer.alloc(0),
  });
  expect(sealed.toString('base64url')).toBe(
    'I1BsxtFttlv3u_Oo94xnmwAAEAAA-NAVub2qFgBEuQKRapoZu-IxkIva3MEB1PD-ly8Thjg',
  );
});

const BROWSER = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};

test('the vector of RFC 8291, section 5', () => {
  const sender = createECDH('prime256v1');
  sender.setPrivateKey(bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'));
  const plain = Buffer.from('When I grow up, I want to be a watermelon');
  const sealed = sealForBrowser(BROWSER, plain, sender, bytes('DGv6ra1nlYgDCS1FRnbzlw'));
  expect(sealed.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
});

test('each message has keys of its own, and the longest fills what push services take', () => {
  const longest = Buffer.alloc(MOST_PLAIN_BYTES, 'x');
  const [one, other] = [1, 2].map(() => sealForBrowser(BROWSER, longest));
  expect(one?.length).toBe(4096);
  expect(one?.subarray(0, 86).equals(other?.subarray(0, 86) ?? Buffer.alloc(0))).toBe(false);
});

test('what is longer than a record is a fault of ours, said as one', () => {
  expect(() => sealForBrowser(BROWSER, Buffer.alloc(4096))).toThrow('This does not fit in one record');
});
