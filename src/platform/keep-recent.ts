/** What was used most recently, as much of it as fits. */
export interface Recent<Value> {
  get(name: string): Value | undefined;
  /** In the place of what had the name. */
  put(name: string, value: Value, size: number): void;
}

export function keepRecent<Value>(mostSize: number): Recent<Value> {
  /** The least recently put first. */
  const kept = new Map<string, { value: Value; size: number }>();
  let total = 0;

  const drop = (name: string) => {
    total -= kept.get(name)?.size ?? 0;
    kept.delete(name);
  };

  return {
    get: (name) => kept.get(name)?.value,
    put(name, value, size) {
      drop(name);
      kept.set(name, { value, size });
      total += size;
      for (const oldest of kept.keys()) {
        if (total <= mostSize) return;
        drop(oldest);
      }
    },
  };
}
