import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createGatherer } from './gather.ts';

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

describe('lines', () => {
  const lineOf = (post: string) => post[0];

  test('share no batch, and one that is held up holds up no other', async () => {
    const { batches, release, handle } = heldHandler();
    const gatherer = createGatherer(handle, { lanes: 3, lineOf, worthALane: 10, mostPerBatch: 100 });
    const all = ['a1', 'a2', 'b1'].map((post) => gatherer.take(post, 1));
    await turn();
    expect(batches).toEqual([['a1', 'a2'], ['b1']]);
    all.push(...['a3', 'c1'].map((post) => gatherer.take(post, 1)));
    await turn();
    expect(batches).toEqual([['a1', 'a2'], ['b1'], ['c1']]);
    for (let count = 0; count < 4; count += 1) {
      release();
      await turn();
    }
    expect(await Promise.all(all)).toHaveLength(5);
    expect(batches.at(-1)).toEqual(['a3']);
  });

  test('take turns when there are fewer lanes', async () => {
    const { batches, release, handle } = heldHandler();
    const gatherer = createGatherer(handle, { lanes: 1, lineOf, mostPerBatch: 1 });
    const posts = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'];
    const all = posts.map((post) => gatherer.take(post, 1));
    for (let count = 0; count < posts.length; count += 1) {
      await turn();
      release();
      await turn();
    }
    await Promise.all(all);
    expect(batches.flat()).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  test('that have much to do leave lanes for others', async () => {
    const { batches, release, handle } = heldHandler();
    const gatherer = createGatherer(handle, { lanes: 4, lanesBeside: 2, lineOf, mostPerBatch: 1 });
    const all = ['a1', 'a2', 'a3', 'b1', 'b2'].map((post) => gatherer.take(post, 1));
    await turn();
    expect(batches.flat()).toEqual(['a1', 'b1']);
    all.push(...['c1', 'd1', 'e1'].map((post) => gatherer.take(post, 1)));
    await turn();
    expect(batches.flat()).toEqual(['a1', 'b1', 'c1', 'd1']);
    for (let count = 0; count < 8; count += 1) {
      release();
      await turn();
    }
    expect(await Promise.all(all)).toHaveLength(8);
  });
});

test('when one may have failed the others, each is done alone', async () => {
  const batches: string[][] = [];
  const gatherer = createGatherer(
    async (posts: string[]) => {
      batches.push(posts);
      if (posts.includes('bad')) throw new Error('bad post');
      return posts;
    },
    {
      lanes: 1,
      mostPerBatch: 10,
      isFaultOfOne: (error) => (error as Error).message === 'bad post',
    },
  );
  const outcomes = await Promise.allSettled(['a', 'bad', 'b'].map((post) => gatherer.take(post, 1)));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(batches).toEqual([['a', 'bad', 'b'], ['a'], ['bad'], ['b']]);
});
