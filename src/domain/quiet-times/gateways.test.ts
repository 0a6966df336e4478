import { expect, test } from 'vitest';
import { type Gateway, nameStaleGateways } from './gateways.ts';

const stale = (name: string): Gateway => ({
  name,
  isArchived: false,
  isStale: true,
  hasGroup: true,
  enableSystemNotifications: true,
});

test.each<[sentence: string, gateways: Gateway[], named: string | null]>([
  ['a service behind no gateway tells of itself', [], null],
  ['a stale gateway tells of those behind it', [stale('Hall')], 'Hall'],
  ['several that are all stale are named together', [stale('Attic'), stale('Hall')], 'Attic, Hall'],
  [
    'readings may still come through one that works',
    [stale('Attic'), { ...stale('Hall'), isStale: false }],
    null,
  ],
  ['a gateway that has no group tells nobody', [{ ...stale('Hall'), hasGroup: false }], null],
  [
    'a gateway that sends no system messages tells nobody',
    [{ ...stale('Hall'), enableSystemNotifications: false }],
    null,
  ],
  [
    'one of several that tells nobody is enough',
    [stale('Attic'), { ...stale('Hall'), hasGroup: false }],
    null,
  ],
  ['an archived gateway is none', [{ ...stale('Hall'), isArchived: true }], null],
  [
    'an archived gateway that works holds nothing up',
    [stale('Attic'), { ...stale('Hall'), isArchived: true, isStale: false }],
    'Attic',
  ],
])('%s', (_, gateways, named) => expect(nameStaleGateways(gateways)).toBe(named));
