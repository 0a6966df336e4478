import { expect, test } from 'vitest';
import { isFromTwilio } from './hooks.ts';

test('Twilio: the example of its documentation', () => {
  const url = 'https://example.com/myapp.php?foo=1&bar=2';
  const form = {
    CallSid: 'CA1234567890ABCDE',
    Caller: '+14158675310',
    Digits: '1234',
    From: '+14158675310',
    To: '+18005551212',
  };
  const signature = 'L/OH5YylLD5NRKLltdqwSvS0BnU=';
  expect(isFromTwilio('12345', url, form, signature)).toBe(true);
  expect(isFromTwilio('12346', url, form, signature)).toBe(false);
  expect(isFromTwilio('12345', `${url}&more=1`, form, signature)).toBe(false);
  expect(isFromTwilio('12345', url, { ...form, Digits: '1' }, signature)).toBe(false);
  expect(isFromTwilio('12345', url, form, undefined)).toBe(false);
});
