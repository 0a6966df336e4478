import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createGatherer } from './gather-posts.ts';

/** A handler that waits to be released, batch by batch. */
function heldHandler() {
  const batches: string[][] = [];
  const releases: (() => void)[] = [];
  const handle = async (posts: string[]) => {
    batches.push(posts);
    await new Promise<void>((resolve) => releases.push(resolve));
    return posts.map((post) => `${post} done`);
  };
  return { batches, release: () => releases.shift()?.(), handle };
}

test('a lone post starts at once; those that come meanwhile share the next batch', async () => {
  const { batches, release, handle } = heldHandler();
  const gatherer = createGatherer(handle, { lanes: 1, mostPerBatch: 100 });
  const first = gatherer.take('a', 1);
  await turn();
  const others = ['b', 'c', 'd'].map((post) => gatherer.take(post, 1));
  await turn();
  expect(batches).toEqual([['a']]);
  release();
  expect(await first).toBe('a done');
  await turn();
  expect(batches).toEqual([['a'], ['b', 'c', 'd']]);
  release();
  expect(await Promise.all(others)).toEqual(['b done', 'c done', 'd done']);
});

test('a batch is closed when it is full, and a post larger than that goes alone', async () => {
  const { batches, release, handle } = heldHandler();
  const gatherer = createGatherer(handle, { lanes: 1, mostPerBatch: 10 });
  const all = [gatherer.take('a', 6), gatherer.take('b', 4), gatherer.take('c', 1), gatherer.take('d', 50)];
  for (let count = 0; count < 3; count += 1) {
    await turn();
    release();
    await turn();
  }
  await Promise.all(all);
  expect(batches).toEqual([['a', 'b'], ['c'], ['d']]);
});

test('a failure reaches the posts of its batch and no others', async () => {
  let isBroken = true;
  const gatherer = createGatherer(
    async (posts: string[]) => {
      if (isBroken) throw new Error('database gone');
      return posts;
    },
    { lanes: 1, mostPerBatch: 10 },
  );
  await expect(gatherer.take('a', 1)).rejects.toThrow('database gone');
  isBroken = false;
  expect(await gatherer.take('b', 1)).toBe('b');
});

test('as many batches as there are lanes are under way at the same time', async () => {
  const { batches, release, handle } = heldHandler();
  const gatherer = createGatherer(handle, { lanes: 2, mostPerBatch: 1 });
  const all = Promise.all(['a', 'b', 'c'].map((post) => gatherer.take(post, 1)));
  await turn();
  expect(batches).toEqual([['a'], ['b']]);
  for (let count = 0; count < 3; count += 1) {
    release();
    await turn();
  }
  expect(await all).toHaveLength(3);
});

test('beside a batch another one begins once enough has gathered', async () => {
  const { batches, release, handle } = heldHandler();
  const gatherer = createGatherer(handle, { lanes: 2, worthALane: 10, mostPerBatch: 100 });
  const all = [gatherer.take('a', 1)];
  await turn();
  all.push(gatherer.take('b', 6));
  await turn();
  expect(batches).toEqual([['a']]);
  all.push(gatherer.take('c', 4));
  await turn();
  expect(batches).toEqual([['a'], ['b', 'c']]);
  release();
  release();
  await Promise.all(all);
});

test('or once a post has waited long, while those before it are held up', async () => {
  const { batches, release, handle } = heldHandler();
  const gatherer = createGatherer(handle, {
    lanes: 2,
    worthALane: 10,
    patienceMs: 5,
    mostPerBatch: 100,
  });
  const held = gatherer.take('held up', 1);
  await turn();
  const impatient = gatherer.take('impatient', 1);
  await expect.poll(() => batches).toEqual([['held up'], ['impatient']]);
  release();
  release();
  expect(await Promise.all([held, impatient])).toEqual(['held up done', 'impatient done']);
});
