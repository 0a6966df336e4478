import type { Take } from '../take-post.ts';

const EVERY_MS = 4;

/**
 * Messages that come one by one from many devices would each find the last transaction just over, and begin another for a
 * few of them. Those that follow within milliseconds go together; a lone one goes at once.
 */
export function paceTakes(take: Take, everyMs = EVERY_MS): Take {
  let held: (() => void)[] = [];
  let isHolding = false;
  let lastAt = Number.NEGATIVE_INFINITY;

  function goOn(): void {
    const going = held;
    held = [];
    isHolding = false;
    lastAt = performance.now();
    for (const go of going) go();
  }

  return (post, size) => {
    const leftMs = lastAt + everyMs - performance.now();
    if (!isHolding && leftMs <= 0) {
      lastAt = performance.now();
      return take(post, size);
    }
    if (!isHolding) setTimeout(goOn, leftMs);
    isHolding = true;
    return new Promise((resolve, reject) => {
      held.push(() => take(post, size).then(resolve, reject));
    });
  };
}
