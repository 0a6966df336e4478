// The bytes that all connections together hold of messages. When there is no more room, whoever holds something waits, and
// who holds most of all goes.

interface Holder {
  close(goodbye: 'too_many'): void;
}

export interface MessageRoom {
  hold(holder: Holder, bytes: number): void;
  isFull(): boolean;
}

export function openMessageRoom(mostBytes = 64 * 1024 * 1024): MessageRoom {
  const held = new Map<Holder, number>();
  let bytes = 0;
  return {
    hold(holder, now) {
      bytes += now - (held.get(holder) ?? 0);
      if (now === 0) held.delete(holder);
      else held.set(holder, now);
      if (bytes <= 2 * mostBytes) return;
      let largest = holder;
      for (const [other, size] of held) if (size > (held.get(largest) ?? 0)) largest = other;
      largest.close('too_many');
    },
    isFull: () => bytes > mostBytes,
  };
}
