import { describe, expect, test } from 'vitest';
import { eachAlone, togetherOrAlone } from './each-alone.ts';

const nameOf = (item: number) => `series ${item}`;

describe('items of many', () => {
  test('one that fails costs itself only, and is named', async () => {
    const done: number[] = [];
    const work = async (item: number) => {
      if (item === 2) throw new Error('no');
      done.push(item);
    };
    await expect(eachAlone([1, 2, 3], nameOf, work)).rejects.toThrow('series 2 failed');
    expect(done).toEqual([1, 3]);
  });

  test('several that fail are all told of', async () => {
    const failing = eachAlone([1, 2], nameOf, () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toMatchObject({
      errors: [{ message: 'series 1 failed' }, { message: 'series 2 failed' }],
    });
  });

  test('where nothing goes, not everything is tried', async () => {
    let tried = 0;
    const work = async () => {
      tried += 1;
      throw new Error('no database');
    };
    await expect(eachAlone(Array(1_000).keys(), nameOf, work)).rejects.toThrow('10 failed');
    expect(tried).toBe(10);
  });

  test('what goes together is done at once, and one by one where it does not', async () => {
    const done: number[][] = [];
    const work = async (items: readonly number[]) => {
      if (items.includes(2)) throw new Error('no');
      done.push([...items]);
    };
    await togetherOrAlone([], nameOf, work);
    await togetherOrAlone([1, 3], nameOf, work);
    await expect(togetherOrAlone([1, 2, 3], nameOf, work)).rejects.toThrow('series 2 failed');
    expect(done).toEqual([[1, 3], [1], [3]]);
  });
});
