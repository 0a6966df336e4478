import { expect, test } from 'vitest';
import type { AccountId, OrganizationId, ServiceId } from '../../domain/ids.ts';
import {
  isFiltered,
  isOfSeverity,
  isWithin,
  NO_FILTER,
  readAlarmFilter,
  writeAlarmFilter,
} from './alarm-filter.ts';

const ALARM = {
  serviceId: 1 as ServiceId,
  organizationId: 2 as OrganizationId,
  locationId: 3,
  locationName: 'Building 2 / Floor 1 / Room 104',
  severity: 'warning',
  acknowledgedById: 4 as AccountId,
} as const;
const READER = { accountId: 4, offered: new Set<number>() };

test.each([
  ['/', {}],
  ['/?organization=2', { organization: '2' }],
  ['/?location=%2Fbuilding+2%2Ffloor+1', { location: '/Building 2 / Floor 1' }],
  ['/', { location: '/ /' }],
  ['/?location=3&severity=stale&mine=yes', { severity: 'stale', mine: 'yes', location: '3' }],
  ['/', { organization: 'x', location: '-1', severity: 'loud', mine: 'no' }],
  ['/?severity=critical', { severity: 'critical', location: '99999999999' }],
])('%s is what was asked for', (address, query) => {
  const filter = readAlarmFilter(query);
  expect(writeAlarmFilter(filter)).toBe(address);
  expect(isFiltered(filter)).toBe(address !== '/');
});

test.each([
  [true, {}],
  [true, { organizationId: 2, locationId: 3, isMine: true }],
  [true, { branch: 'building 2' }],
  [true, { branch: 'building 2/floor 1/room 104' }],
  [false, { branch: 'building 2/floor' }],
  [false, { organizationId: 3 }],
  [false, { locationId: 4 }],
])('an alarm is within it: %s', (expected, wanted) => {
  expect(isWithin(ALARM, { ...NO_FILTER, ...wanted }, READER)).toBe(expected);
});

test('mine is what I have taken on, and what somebody hands to me', () => {
  const mine = { ...NO_FILTER, isMine: true };
  expect(isWithin(ALARM, mine, { ...READER, accountId: 5 })).toBe(false);
  expect(isWithin(ALARM, mine, { accountId: 5, offered: new Set([1]) })).toBe(true);
  expect(isWithin({ ...ALARM, acknowledgedById: null }, mine, READER)).toBe(false);
});

test('a severity leaves out the others', () => {
  expect(isOfSeverity(ALARM, { ...NO_FILTER, severity: 'warning' })).toBe(true);
  expect(isOfSeverity(ALARM, { ...NO_FILTER, severity: 'critical' })).toBe(false);
});
