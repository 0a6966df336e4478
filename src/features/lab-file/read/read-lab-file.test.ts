import { describe, expect, test } from 'vitest';
import { faultsOf, inService, service } from '../../../../test/support/lab-file-faults.ts';

describe('nothing to complain about', () => {
  test.each([
    ['an empty file', ''],
    ['a comment', '# nothing yet\n'],
    ['an empty document', '---\n...\n'],
    ['lists with nothing in them', 'accounts:\norganizations: []\n'],
    ['Windows line ends', 'accounts:\r\n  - email: vera@lab.example\r\n'],
    [
      'services that share a name but not a key',
      'organizations: [{ name: L, services: [{ name: F, key: a }, { name: F, key: b }, { name: F }] }]',
    ],
    [
      'the same device key in two organizations',
      'organizations: [{ name: A, services: [{ name: F, device: { key: x } }] }, { name: B, services: [{ name: F, device: { key: x } }] }]',
    ],
    [
      'a band without a limit',
      service('limits: [{ channel: t, bands: { WARNING_LOW: { limit: null, delay: 0.5 } } }]'),
    ],
    ['limits with no bands', service('limits: [{ channel: default, bands: {} }]')],
    ['cleared fields', service('asset: null\nlocation: ~\ndevice:\nnotifications: { group: }')],
  ])('%s', (_, text) => expect(faultsOf(text)).toEqual([]));
});

describe('text that is no YAML', () => {
  test.each([
    [
      'an open bracket',
      'accounts: [\n',
      ['2:1 | Flow sequence in block collection must be sufficiently indented and end with a ]'],
    ],
    ['an alias without anchor', 'accounts: *people\n', ['1:11 | no anchor &people stands before this alias']],
    ['an unknown tag', 'accounts: !people []\n', ['1:11 | Unresolved tag: !people']],
    ['a tab as indent', 'accounts:\n\t- email: x\n', ['2:1 | Tabs are not allowed as indentation']],
    ['a list as key', '? [a]\n: 1\n', ['1:3 | With stringKeys, all keys must be strings']],
  ])('%s', (_, text, faults) => expect(faultsOf(text)).toEqual(faults));
});

describe('a wrong shape', () => {
  test.each([
    ['a list at the top', '- a\n', ['1:1 | must be a mapping']],
    ['a word at the top', 'hello\n', ['1:1 | must be a mapping']],
    ['a mapping for a list', 'accounts: { email: a@b }\n', ['1:11 | accounts | must be a list']],
    ['a word for a mapping', 'accounts:\n  - vera@lab.example\n', ['2:5 | accounts[0] | must be a mapping']],
    ['an empty item', 'accounts:\n  -\n', ['2:4 | accounts[0] | must be a mapping']],
    [
      'an unknown key that is near a known one',
      'acounts: []\n',
      ['1:1 | acounts | unknown key; did you mean "accounts"?'],
    ],
    ['an unknown key that is near none', 'people: []\n', ['1:1 | people | unknown key']],
    [
      'a key twice',
      'accounts:\n  - email: a@b\n    email: c@d\n',
      ['3:5 | accounts[0].email | is already given on line 2'],
    ],
    [
      'settings of a source that nobody knows',
      'organizations:\n  - name: L\n    sources:\n      - name: g\n        settings: &s { units: { t: °R }, split: *s }\n',
      [
        '5:31 | organizations[0].sources[0].settings.split.units | must be such as "#1", or "#1 humidity"',
        '5:36 | organizations[0].sources[0].settings.units.t | must be one of °C, °F, K',
        '5:49 | organizations[0].sources[0].settings.split.split | must be such as "#1", or "#1 humidity"',
      ],
    ],
    ['a missing key', 'organizations:\n  - members: []\n', ['2:5 | organizations[0].name | is missing']],
    [
      'a number for a text',
      service('device: { key: 0004530012345678 }'),
      [`5:24 | ${inService}.device.key | must be text: put it in quotes`],
    ],
    ['a yes for a flag', service('archived: yes'), [`5:19 | ${inService}.archived | must be true or false`]],
    [
      'a text for a number',
      service('stale_after_minutes: "15"'),
      [`5:30 | ${inService}.stale_after_minutes | must be a number`],
    ],
    [
      'a misspelt word',
      'organizations: [{ name: L, members: [{ email: a@b, role: administator }] }]',
      [
        '1:58 | organizations[0].members[0].role | must be one of viewer, operator, administrator; did you mean "administrator"?',
      ],
    ],
    [
      'the short form of a band',
      service('limits: [{ channel: t, bands: { CRIT_HIGH: { limit: 1 } } }]'),
      [`5:41 | ${inService}.limits[0].bands.CRIT_HIGH | unknown key; did you mean "CRITICAL_HIGH"?`],
    ],
    [
      'something unknown in a later document',
      'accounts: []\n---\nacounts: []\n',
      ['3:1 | documents[1].acounts | unknown key; did you mean "accounts"?'],
    ],
    [
      'a merge of something else',
      'accounts:\n  - <<: 3\n    email: a@b\n',
      ['2:5 | accounts[0].<< | must name another mapping'],
    ],
  ])('%s', (_, text, faults) => expect(faultsOf(text)).toEqual(faults));
});

describe('a value that cannot be meant', () => {
  test.each([
    [
      'an email without @',
      'accounts: [{ email: vera }]',
      '1:21 | accounts[0].email | must be an email address',
    ],
    ['an empty name', 'organizations: [{ name: " " }]', '1:25 | organizations[0].name | must not be empty'],
    [
      'a NUL character',
      'organizations: [{ name: "a\\0" }]',
      '1:25 | organizations[0].name | must not contain NUL characters',
    ],
    [
      'half a surrogate pair',
      'organizations: [{ name: "a\\ud800" }]',
      '1:25 | organizations[0].name | must not contain half a character',
    ],
    [
      'an endless name',
      `organizations: [{ name: ${'x'.repeat(2001)} }]`,
      '1:25 | organizations[0].name | must not be longer than 2000 bytes',
    ],
    [
      'an unknown time zone',
      'accounts: [{ email: a@b, timezone: Mars/Base }]',
      '1:36 | accounts[0].timezone | unknown time zone "Mars/Base"; a name such as Europe/Berlin is expected',
    ],
    [
      'a short password',
      'accounts: [{ email: a@b, password: "1234567" }]',
      '1:36 | accounts[0].password | must have at least 8 characters',
    ],
    [
      'a common password',
      'accounts: [{ email: a@b, password: "Password123" }]',
      '1:36 | accounts[0].password | is among the first that others would try',
    ],
    [
      'a short secret',
      'organizations: [{ name: L, sources: [{ name: s, secret: short }] }]',
      '1:57 | organizations[0].sources[0].secret | must have at least 16 characters',
    ],
    [
      'a webhook elsewhere',
      'organizations: [{ name: L, groups: [{ name: g, webhooks: [{ kind: slack, url: "ftp://x" }] }] }]',
      '1:79 | organizations[0].groups[0].webhooks[0].url | must be an http:// or https:// address, or mqtt:// or mqtts:// for a broker',
    ],
    [
      'an unknown webhook',
      'organizations: [{ name: L, groups: [{ name: g, webhooks: [{ kind: slak, url: "https://x" }] }] }]',
      '1:67 | organizations[0].groups[0].webhooks[0].kind | must be one of generic, slack, teams, discord, ntfy, gotify, matrix, mqtt, pagerduty, alertmanager; did you mean "slack"?',
    ],
    [
      'half a minute of staleness',
      service('stale_after_minutes: 1.5'),
      `5:30 | ${inService}.stale_after_minutes | must be a whole number of minutes`,
    ],
    [
      'minutes below zero',
      service('notifications: { repeat_interval_minutes: -1 }'),
      `5:51 | ${inService}.notifications.repeat_interval_minutes | must be 0 or more`,
    ],
    [
      'too many minutes',
      service('stale_after_minutes: 2147483648'),
      `5:30 | ${inService}.stale_after_minutes | must be at most 2147483647`,
    ],
    [
      'an interval of zero',
      service('device: { key: a, uplink_interval_minutes: 0 }'),
      `5:52 | ${inService}.device.uplink_interval_minutes | must be more than 0`,
    ],
    [
      'an endless limit',
      service('limits: [{ channel: t, bands: { WARNING_LOW: { limit: .inf } } }]'),
      `5:63 | ${inService}.limits[0].bands.WARNING_LOW.limit | must be a finite number`,
    ],
    [
      'a negative delay',
      service('limits: [{ channel: t, bands: { WARNING_LOW: { limit: 1, delay: -0.5 } } }]'),
      `5:73 | ${inService}.limits[0].bands.WARNING_LOW.delay | must be 0 or more`,
    ],
    [
      'a channel called default',
      service('channels: [{ name: default }]'),
      `5:28 | ${inService}.channels[0].name | no channel can be called default: it stands for service-wide limits`,
    ],
  ])('%s', (_, text, fault) => expect(faultsOf(text)).toEqual([fault]));
});
