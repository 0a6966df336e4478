import { expect, test } from 'vitest';
import { english } from '../../domain/language/english.ts';
import { readWebhookForm } from './read-webhook-form.ts';

const form = (changes: Record<string, string>) => ({
  kind: 'slack',
  url: 'https://hooks.example/T1',
  ...changes,
});
const read = (changes: Record<string, string>) =>
  readWebhookForm(form(changes), { allowPrivate: false }, english);

test.each([
  ['an address', {}, { kind: 'slack', url: 'https://hooks.example/T1', secret: null }],
  ['with spaces around it', { url: ' https://hooks.example/T1\n' }, { url: 'https://hooks.example/T1' }],
  ['in capitals', { url: 'HTTPS://Hooks.Example/T1' }, { url: 'https://hooks.example/T1' }],
  ['a secret', { kind: 'pagerduty', secret: ' R0UT1NG ' }, { kind: 'pagerduty', secret: 'R0UT1NG' }],
  ['a secret that is of no use', { kind: 'slack', secret: 'hush' }, { secret: null }],
])('%s', (_, changes, expected) => expect(read(changes)).toMatchObject({ ok: true, value: expected }));

test.each([
  ['no kind', { kind: '' }, 'unknown_kind'],
  ['another kind', { kind: 'pigeon' }, 'unknown_kind'],
  ['no address', { url: '' }, 'not_a_web_address'],
  ['another scheme', { url: 'ftp://hooks.example/' }, 'not_a_web_address'],
  ['a script', { url: 'javascript:alert(1)' }, 'not_a_web_address'],
  ['no host', { url: 'https://' }, 'not_a_web_address'],
  ['a host that cannot be', { url: 'https://a b/' }, 'not_a_web_address'],
  ['a user', { url: 'https://ada@hooks.example/' }, 'credentials_in_address'],
  ['a password', { url: 'https://:hush@hooks.example/' }, 'credentials_in_address'],
  ['a very long address', { url: `https://hooks.example/${'x'.repeat(2000)}` }, 'address_too_long'],
  ['a very long secret', { kind: 'generic', secret: 'x'.repeat(501) }, 'secret_too_long'],
])('%s is refused', (_, changes, refusal) => expect(read(changes)).toEqual({ ok: false, refusal }));

test.each([
  ['PagerDuty without its key', { kind: 'pagerduty', secret: ' ' }],
  [
    'a secret with a line break',
    { kind: 'ntfy', url: 'https://ntfy.example/cold', secret: 'a\r\nX-Evil: 1' },
  ],
  ['an address inside the network', { url: 'http://10.0.0.7/' }],
])('%s is refused in the words of the transport', (_, changes) => {
  expect(read(changes)).toEqual({ ok: false, refusal: { webhook: expect.any(String) } });
});

test('an address inside the network, where that is allowed', () => {
  expect(readWebhookForm(form({ url: 'http://10.0.0.7/' }), { allowPrivate: true }, english)).toMatchObject({
    ok: true,
  });
});
