import { describe, expect, test } from 'vitest';
import { faultsOf, inService, service } from '../../../../test/support/lab-file-faults.ts';

describe('entries that do not go together', () => {
  test.each([
    [
      'an account twice',
      'accounts:\n  - email: vera@lab.example\n  - email: " Vera@LAB.example"\n',
      '3:12 | accounts[1].email | "vera@lab.example" is already given on line 2',
    ],
    [
      'an organization in two documents',
      'organizations: [{ name: L }]\n---\norganizations: [{ name: L }]\n',
      '3:25 | documents[1].organizations[0].name | "L" is already given on line 1',
    ],
    [
      'a member twice',
      'organizations:\n  - name: L\n    members:\n      - { email: a@b, role: viewer }\n      - { email: a@b, role: operator }\n',
      '5:18 | organizations[0].members[1].email | "a@b" is already given on line 4',
    ],
    [
      'a source twice',
      'organizations:\n  - name: L\n    sources:\n      - { name: s }\n      - { name: s }\n',
      '5:17 | organizations[0].sources[1].name | "s" is already given on line 4',
    ],
    [
      'a secret in two organizations',
      'organizations:\n  - { name: A, sources: [{ name: s, secret: 0123456789abcdef }] }\n  - { name: B, sources: [{ name: s, secret: 0123456789abcdef }] }\n',
      '3:45 | organizations[1].sources[0].secret | the same secret is already given on line 2',
    ],
    [
      'a group twice',
      'organizations:\n  - name: L\n    groups:\n      - { name: g }\n      - { name: g }\n',
      '5:17 | organizations[0].groups[1].name | "g" is already given on line 4',
    ],
    [
      'a recipient twice',
      'organizations: [{ name: L, groups: [{ name: g, emails: [a@b, A@b] }] }]',
      '1:62 | organizations[0].groups[0].emails[1] | "a@b" is already given on line 1',
    ],
    [
      'a webhook twice',
      'organizations: [{ name: L, groups: [{ name: g, webhooks: [&w { kind: slack, url: "https://x/t" }, *w] }] }]',
      '1:82 | organizations[0].groups[0].webhooks[1].url | the same webhook is already given on line 1',
    ],
    [
      'a secret for a webhook that has none',
      'organizations: [{ name: L, groups: [{ name: g, webhooks: [{ kind: slack, url: "https://x", secret: s }] }] }]',
      '1:100 | organizations[0].groups[0].webhooks[0].secret | a webhook of kind slack has no secret',
    ],
    [
      'a damaged secret',
      'organizations: [{ name: L, groups: [{ name: g, webhooks: [{ kind: generic, url: "https://x", secret: whsec_x }] }] }]',
      '1:102 | organizations[0].groups[0].webhooks[0].secret | The secret is damaged: after whsec_ come at least 22 characters of base64',
    ],
    [
      'lab hours on no day',
      'organizations: [{ name: L, lab_hours: { timezone: UTC, weekly: [{ days: [], from: "08:00", to: "18:00" }] } }]',
      '1:73 | organizations[0].lab_hours.weekly[0].days | must not be empty',
    ],
    [
      'lab hours without a line',
      'organizations: [{ name: L, lab_hours: { timezone: UTC, weekly: [] } }]',
      '1:64 | organizations[0].lab_hours.weekly | must not be empty',
    ],
    [
      'a step for nothing',
      'organizations: [{ name: L, groups: [{ name: g, steps: [{ step: 1, after_minutes: 5, kinds: [] }] }] }]',
      '1:92 | organizations[0].groups[0].steps[0].kinds | must not be empty',
    ],
    [
      'a broker for what speaks to web servers',
      'organizations: [{ name: L, groups: [{ name: g, webhooks: [{ kind: slack, url: "mqtt://x" }] }] }]',
      '1:79 | organizations[0].groups[0].webhooks[0].url | must start with http:// or https://',
    ],
    [
      'a web server for what speaks to brokers',
      'organizations: [{ name: L, groups: [{ name: g, told: [{ webhook: { kind: mqtt, url: "https://x" } }] }] }]',
      '1:85 | organizations[0].groups[0].told[0].webhook.url | must start with mqtts:// or mqtt://',
    ],
    [
      'a service key twice',
      'organizations:\n  - name: L\n    services:\n      - { name: A, key: k }\n      - { name: B, key: k }\n',
      '5:25 | organizations[0].services[1].key | "k" is already given on line 4',
    ],
    [
      'a device in two services',
      'organizations:\n  - name: L\n    services:\n      - { name: A, device: { key: "0aF" } }\n      - { name: B, device: { key: "0Af" } }\n',
      '5:35 | organizations[0].services[1].device.key | "0af" is already given on line 4',
    ],
    [
      'a name twice, with nothing to tell them apart',
      'organizations:\n  - name: L\n    services:\n      - { name: A }\n      - { name: A }\n',
      '5:17 | organizations[0].services[1].name | "A" is already given on line 4',
    ],
    [
      'a channel twice',
      service('channels:\n  - name: t\n  - name: t'),
      `7:19 | ${inService}.channels[1].name | "t" is already given on line 6`,
    ],
    [
      'limits of a channel twice',
      service('limits:\n  - { channel: default, bands: {} }\n  - { channel: default, bands: {} }'),
      `7:24 | ${inService}.limits[1].channel | "default" is already given on line 6`,
    ],
    [
      'two places for an asset',
      'organizations:\n  - name: L\n    services:\n      - { name: A, asset: x, location: Room 1 }\n      - { name: B, asset: x, location: Room 2 }\n',
      '5:40 | organizations[0].services[1].location | asset "x" is given another location on line 4',
    ],
    [
      'critical inside warning',
      service(
        'limits:\n  - channel: t\n    bands: { CRITICAL_HIGH: { limit: 5 }, WARNING_HIGH: { limit: 5 } }',
      ),
      `7:20 | ${inService}.limits[0].bands | Critical high must be strictly greater than warning high`,
    ],
    [
      'low above high',
      service(
        'limits:\n  - channel: t\n    bands: { CRITICAL_HIGH: { limit: 5 }, WARNING_LOW: { limit: 6 } }',
      ),
      `7:20 | ${inService}.limits[0].bands | All low thresholds must be strictly less than all high thresholds`,
    ],
    [
      'deviations in the wrong order',
      service(
        'limits:\n  - channel: t\n    is_percentage: true\n    bands: { CRITICAL_LOW: { limit: -5 }, WARNING_LOW: { limit: -10 } }',
      ),
      `8:20 | ${inService}.limits[0].bands | For percentage mode, critical low deviation must be strictly less than warning low deviation`,
    ],
    [
      'a setpoint for absolute limits',
      service('limits: [{ channel: t, setpoint_channel: s, bands: {} }]'),
      `5:50 | ${inService}.limits[0].setpoint_channel | is only used in percentage mode (is_percentage: true)`,
    ],
  ])('%s', (_, text, fault) => expect(faultsOf(text)).toEqual([fault]));
});

test('every fault is told at once, in the order of the text', () => {
  const text = `accounts:
  - { email: vera@lab.example, timezone: Nowhere/At_all, passwort: "12345678" }
  - { email: VERA@lab.example }
organizations:
  - name: Lab
    services:
      - nam: Freezer
      - name: Fridge
        archived: 1
        limits:
          - channel: t
            bands: { CRITICAL_HIGH: { limit: 1, delay: x }, WARNING_HIGH: { limit: 2 } }
`;
  expect(faultsOf(text)).toEqual([
    '2:42 | accounts[0].timezone | unknown time zone "Nowhere/At_all"; a name such as Europe/Berlin is expected',
    '2:58 | accounts[0].passwort | unknown key; did you mean "password"?',
    '3:14 | accounts[1].email | "vera@lab.example" is already given on line 2',
    '7:9 | organizations[0].services[0].nam | unknown key; did you mean "name"?',
    '7:9 | organizations[0].services[0].name | is missing',
    '9:19 | organizations[0].services[1].archived | must be true or false',
    '12:20 | organizations[0].services[1].limits[0].bands | Critical high must be strictly greater than warning high',
    '12:56 | organizations[0].services[1].limits[0].bands.CRITICAL_HIGH.delay | must be a number',
  ]);
});
