// Staying signed in on a device: for how long, and when somebody has to prove anew who they are.

/** Where no organization says otherwise. */
export const MOST_DEVICE_DAYS = 90;

const DAY_MS = 24 * 60 * 60_000;
const PROOF_GOOD_FOR_MS = 15 * 60_000;

export const beforeDays = (days: number, now: Date): Date => new Date(now.getTime() - days * DAY_MS);

interface SessionOnDevice {
  /** null: a session of eight hours, which proved who it is when it began. */
  deviceId: number | null;
  provedAt: Date | null;
}

/** A browser that stays signed in may lie on a bench: before what is dangerous it asks who is there. */
export const mustProve = ({ deviceId, provedAt }: SessionOnDevice, now: Date): boolean =>
  deviceId !== null && (provedAt === null || now.getTime() - provedAt.getTime() >= PROOF_GOOD_FOR_MS);
