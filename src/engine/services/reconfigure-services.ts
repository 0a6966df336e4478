// The one way to change what services are judged by and told of: limits, settings, channels, devices, their group. What
// writes such rows takes a transaction that only this makes.
import type { ServiceId } from '../../domain/ids.ts';
import type { Tx } from '../../platform/db/database.ts';
import { raiseConfigVersions } from '../alarm-state/alarm-states.ts';
import { enterChanges } from '../journal/inbox.ts';
import { holdToChange, type LockedService } from '../journal/lock-alarm-states.ts';
import { queueToChange, type Turn } from '../journal/take-turn.ts';
import { lookAgain } from '../outbox/look-again.ts';

declare const reconfiguring: unique symbol;

/** While the services are held. */
export type ReconfiguringTx = Tx & { readonly [reconfiguring]: true };

/** What a change came to: which services are configured otherwise now, new ones among them, and what the caller wants to know. */
interface Reconfigured<Value> {
  changed: readonly ServiceId[];
  value: Value;
}

type Change<Value> = (tx: ReconfiguringTx) => Promise<Reconfigured<Value>>;

/** Holds the services, changes them, lets every program that remembers them know, and looks again at what is to be told. */
export async function reconfigureServices<Value>(
  tx: Tx,
  serviceIds: readonly ServiceId[],
  now: Date,
  change: (tx: ReconfiguringTx, held: readonly LockedService[]) => Promise<Reconfigured<Value>>,
): Promise<Value> {
  const held = serviceIds.length > 0 ? holdToChange(tx, serviceIds) : [];
  const { changed, value } = await change(tx as ReconfiguringTx, held);
  if (changed.length > 0) makeKnown(tx, changed, now);
  return value;
}

/**
 * The same for what is written before the services are held, so that readings wait for the end of it only. Nothing in it may
 * depend on how they stand. Those that were changed are held from then on.
 */
export async function reconfigureBriefly<Value>(
  tx: Tx,
  serviceIds: readonly ServiceId[],
  now: Date,
  change: Change<Value>,
): Promise<{ value: Value; held: readonly LockedService[] }> {
  queueToChange(tx, serviceIds);
  const { changed, value } = await change(tx as ReconfiguringTx);
  if (changed.length === 0) return { value, held: [] };
  const held = holdToChange(tx, changed);
  makeKnown(tx, changed, now);
  return { value, held };
}

function makeKnown(tx: Tx, changed: readonly ServiceId[], now: Date): void {
  raiseConfigVersions(tx, changed);
  enterChanges(tx, changed, now);
  lookAgain(tx, changed, now);
}

/** For readings, which have the turn already, and judge the services by what they changed at once. */
export async function reconfigureInTurn<Value>(tx: Tx, _turn: Turn, change: Change<Value>): Promise<Value> {
  const { changed, value } = await change(tx as ReconfiguringTx);
  if (changed.length > 0) raiseConfigVersions(tx, changed);
  return value;
}

/** Nothing is to be known again, whatever the answer. */
export const unchanged = <Value>(value: Value): Reconfigured<Value> => ({ changed: [], value });
