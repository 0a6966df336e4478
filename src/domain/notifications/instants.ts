// Sums and orders of instants.
export const addMinutes = (at: Date, minutes: number): Date => new Date(at.getTime() + minutes * 60_000);

export const earliest = (...instants: (Date | null)[]): Date | null =>
  instants.reduce((one, other) => (one && other ? (one < other ? one : other) : (one ?? other)), null);

export const latest = (first: Date, ...others: (Date | null)[]): Date =>
  others.reduce<Date>((one, other) => (other && other > one ? other : one), first);
