import { expect, test } from 'vitest';
import { keepRecent } from './keep-recent.ts';

test('what was put least recently goes when there is no room', () => {
  const recent = keepRecent<string>(10);
  recent.put('a', 'A', 4);
  recent.put('b', 'B', 4);
  recent.put('a', 'A', 4);
  recent.put('c', 'C', 4);
  expect(['a', 'b', 'c'].map(recent.get)).toEqual(['A', undefined, 'C']);
});

test('a name that is put again counts once, with its new size', () => {
  const recent = keepRecent<string>(10);
  recent.put('a', 'A', 9);
  recent.put('a', 'AA', 3);
  recent.put('b', 'B', 7);
  expect(['a', 'b'].map(recent.get)).toEqual(['AA', 'B']);
});

test('what is larger than all the room is not kept, and leaves the room to others', () => {
  const recent = keepRecent<string>(10);
  recent.put('a', 'A', 11);
  recent.put('b', 'B', 10);
  expect(['a', 'b'].map(recent.get)).toEqual([undefined, 'B']);
});
