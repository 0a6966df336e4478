import { expect, test } from 'vitest';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import { createShelf } from './service-shelf.ts';
import type { WatchedService } from './watched-service.ts';

const OURS = 1 as OrganizationId;
const THEIRS = 2 as OrganizationId;

const unit = (serviceId: number, keys = [`unit-${serviceId}`], organizationId = OURS) => {
  const devices = keys.map((key, id) => ({ id, key, uplinkIntervalMinutes: null }));
  return {
    config: { serviceId: serviceId as ServiceId, organizationId, devices },
  } as unknown as WatchedService;
};

test('a service is found by its id and by its devices in any case, within its organization', () => {
  const shelf = createShelf();
  const freezer = unit(7, ['Freezer', 'Door']);
  shelf.put(freezer);
  for (const target of [{ serviceId: 7 }, { device: 'freezer' }, { device: 'FREEZER' }, { device: 'door' }]) {
    expect(shelf.find(OURS, target)).toBe(freezer);
    expect(shelf.find(THEIRS, target)).toBeUndefined();
  }
});

test('a device that was handed on is found where it is now, and its former service by its new one', () => {
  const shelf = createShelf();
  shelf.put(unit(1, ['a']));
  shelf.put(unit(2, ['b']));
  shelf.put(unit(2, ['a']));
  shelf.put(unit(1, ['c']));
  const idOf = (device: string) => shelf.find(OURS, { device })?.config.serviceId;
  expect(['a', 'b', 'c'].map(idOf)).toEqual([2, undefined, 1]);
});

test('what was put first makes room, with its device; what is put again is new', () => {
  const shelf = createShelf(3);
  for (const serviceId of [1, 2, 3, 1, 4]) shelf.put(unit(serviceId));
  const isThere = (serviceId: number) =>
    shelf.find(OURS, { device: `unit-${serviceId}` }) !== undefined &&
    shelf.get(serviceId as ServiceId) !== undefined;
  expect([1, 2, 3, 4].filter(isThere)).toEqual([1, 3, 4]);
});

test('a service that had to make room is not brought back by what was under way', () => {
  const shelf = createShelf(1);
  shelf.put(unit(1));
  shelf.put(unit(2));
  shelf.replace(unit(1));
  expect(shelf.get(1 as ServiceId)).toBeUndefined();
});
