import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findReach } from './address-rules.ts';

/** As the URL parser hands it to the request. */
const literalOf = (host: string) => new URL(`http://${host}/`).hostname.replace(/^\[|\]$/g, '');

describe('an address is reached', () => {
  test.each([
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.1',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '192.169.0.0',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '::ffff:1.1.1.1',
    '::ffff:101:101',
    '64:ff9b::1.1.1.1',
  ])('always: %s', (address) => expect(findReach(address)).toBe('public'));

  test.each([
    '10.0.0.0',
    '10.255.255.255',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '198.18.0.1',
    '::1',
    '0:0:0:0:0:0:0:1',
    'fc00::1',
    'fdff:ffff::1',
    'fec0::1',
    '::ffff:10.0.0.1',
    '::ffff:7f00:1',
    '::FFFF:192.168.1.1',
    '::10.0.0.1',
    '64:ff9b::10.0.0.1',
  ])('where private networks are allowed: %s', (address) => expect(findReach(address)).toBe('private'));

  test.each([
    '0.0.0.0',
    '0.1.2.3',
    '169.254.0.1',
    '169.254.169.254',
    '168.63.129.16',
    '100.100.100.200',
    '192.0.0.192',
    '192.0.2.1',
    '198.51.100.7',
    '203.0.113.7',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    'fe80::1',
    'febf:ffff::1',
    'fe80::1%eth0',
    'ff02::1',
    'fd00:ec2::254',
    'fd20:ce::254',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '::169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::1',
    '2002:a9fe:a9fe::1',
    '2001:0:1::1',
    '2001:db8::1',
    'localhost',
    '127.1',
    '',
  ])('never: "%s"', (address) => expect(findReach(address)).toBe('never'));
});

describe('odd spellings of a URL lead to the same address', () => {
  test.each([
    ['2130706433', 'private'],
    ['0x7f000001', 'private'],
    ['0x7f.1', 'private'],
    ['017700000001', 'private'],
    ['0177.0.0.1', 'private'],
    ['127.1', 'private'],
    ['127.0.0.1.', 'private'],
    ['１２７.０.０.１', 'private'],
    ['127。0。0。1', 'private'],
    ['0xa.0.0.1', 'private'],
    ['0', 'never'],
    ['2852039166', 'never'],
    ['0xA9FEA9FE', 'never'],
    ['0251.0376.0251.0376', 'never'],
    ['169.254.43518', 'never'],
    ['[::ffff:169.254.169.254]', 'never'],
    ['[0:0:0:0:0:ffff:a9fe:a9fe]', 'never'],
    ['[::FFFF:127.0.0.1]', 'private'],
  ])('%s', (host, reach) => expect(findReach(literalOf(host))).toBe(reach));
});

test('whatever stands in an IPv4-mapped address counts as the IPv4 address', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      expect(findReach(`::ffff:${address}`)).toBe(findReach(address));
      expect(findReach(`64:ff9b::${address}`)).toBe(findReach(address));
    }),
  );
});
