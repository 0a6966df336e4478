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
])('anything else is not answered: %s', (challenge) => {
  expect(answerChallenge(challenge, ASKED)).toBeNull();
});
