import { expect, test } from 'vitest';
import { answerChallenge } from './digest-auth.ts';

// RFC 7616, 3.9.1.
const CHALLENGE =
  'Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=SHA-256, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"';
const ASKED = {
  user: 'Mufasa',
  password: 'Circle of Life',
  method: 'GET',
  path: '/dir/index.html',
  cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
};

test('the example of the standard', () => {
  expect(answerChallenge(CHALLENGE, ASKED)).toContain(
    'response="753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"',
  );
});

test.each([
  ['Basic realm="x"'],
  [CHALLENGE.replace('SHA-256', 'MD5')],
  [CHALLENGE.replace('qop="auth, auth-int"', 'qop="auth-int"')],
  [''],
  [`Digest ${'a'.repeat(15_000)}`],
  [`${CHALLENGE}, extra="${'a'.repeat(2_000)}"`],
  [CHALLENGE.slice(0, -1)],
])('anything else is not answered: %.60s', (challenge) => {
  expect(answerChallenge(challenge, ASKED)).toBeNull();
});

test.each([
  'Digest qop="auth", realm="shelly", nonce="60", algorithm=SHA-256',
  'digest  REALM="shelly",nonce=60 , qop=auth ,algorithm="sha-256"',
])('however it is written: %s', (challenge) => {
  expect(answerChallenge(challenge, ASKED)).toContain('nc=00000001');
});
