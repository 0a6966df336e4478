// Every advisory lock there is. Who wants the same thing queues up at its key; who takes another's key waits for strangers.
import sql, { type Sql } from 'sql-template-tag';

/** Any fixed numbers. Programs of different versions share a database, so a number stays what it is. */
export const LOCK_KEYS = {
  /** Programs that start together. */
  migration: 7_061_001,
  /** Those who make or drop partitions. */
  partitions: 7_061_002,
  /** Those who apply lab files. */
  apply: 7_061_004,
  /** Those who try to become the first to sign in. */
  firstRunSetup: 7_061_005,
  /** The one that packs readings. */
  packing: 7_061_006,
  /** The one that notes readings which cannot be read. */
  damages: 7_061_007,
  /** The one that counts what readings occupy. */
  counting: 7_061_008,
  /** With the id of an organization: whoever changes its services, or takes readings of theirs. */
  turn: 7_061_009,
  /** With the id of an organization: whoever wants to change its services, before the turn. */
  changing: 7_061_010,
  /** The one that packs days of past alarms. */
  episodeDays: 7_061_011,
  /** Shared by the programs that use the embedded server: the letters of "tocsin". */
  presence: 0x74_6f_63_73_69_6e,
} as const;

type Topic = 'sign-in' | 'password reset' | 'unproved mail';

/** The key of something that has a name, such as an address that asks too often. */
export const namedLock = (topic: Topic, name: string): Sql => sql`hashtextextended(${`${topic} ${name}`}, 0)`;
