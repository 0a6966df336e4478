import type { Requester } from '../../domain/accounts/requester.ts';
import type { AccountId, ServiceId } from '../../domain/ids.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { describeHandOver } from '../../domain/words/note-words.ts';
import type { Tx } from '../../platform/db/database.ts';
import { hasAcknowledged } from '../alarm-state/acknowledgements.ts';
import { writeAudit } from '../audit/write-audit.ts';
import { countOffers, insertOffer, selectOffer, tellAlone } from '../outbox/hand-overs.ts';
import { type OperateRefusal, operateOnService } from '../services/operate-on-service.ts';
import { selectOperators } from '../services/operators.ts';
import { selectAlarmState } from './select-alarm-state.ts';

export type HandOverRefusal =
  | OperateRefusal
  | 'not_yours_to_give'
  | 'nobody_to_hand_to'
  | 'no_group_to_tell'
  | 'offered_too_often';

/** Whoever was told by all their ways within this time is not told again. */
const SAME_MS = 5 * 60_000;
/** Of one alarm within an hour: each rings telephones, at whatever hour. */
const MOST_OFFERS = 10;
const HOUR_MS = 60 * 60_000;

/** Offers what one has to somebody else, who is told at once. It stays mine until they take it. */
export async function handOver(
  tx: Tx,
  requester: Requester,
  { serviceId, toId }: { serviceId: ServiceId; toId: AccountId | null },
  now: Date,
): Promise<Result<{ toName: string }, HandOverRefusal>> {
  const operation = await operateOnService(tx, requester, serviceId, { evenIfArchived: false });
  if (!operation.ok) return operation;
  const { service, accountId } = operation.value;
  const { organizationId } = service;

  const alarm = await selectAlarmState(tx, service.id);
  if (!alarm?.episodeId || alarm.severity === 'normal') return refuse('not_yours_to_give');
  if (!(await hasAcknowledged(tx, serviceId, accountId))) return refuse('not_yours_to_give');
  const people = await selectOperators(tx, organizationId);
  const to = people.find(({ id }) => id === toId && id !== accountId);
  if (!to) return refuse('nobody_to_hand_to');

  const { episodeId, severity } = alarm;
  const { name } = requester;
  const open = await selectOffer(tx, serviceId);
  if (open?.fromId === accountId && open.toId === to.id && open.offeredAt > new Date(now.getTime() - SAME_MS))
    return ok({ toName: to.name });
  const offers = await countOffers(tx, { serviceId, episodeId, since: new Date(now.getTime() - HOUR_MS) });
  if (offers >= MOST_OFFERS) return refuse('offered_too_often');
  const message = describeHandOver(name);
  const isTold = await tellAlone(
    tx,
    { serviceId, episodeId, accountId: to.id, message, authorName: name },
    now,
  );
  if (!isTold) return refuse('no_group_to_tell');
  const [from, taker] = [
    { accountId, name },
    { accountId: to.id, name: to.name },
  ];
  await insertOffer(tx, { serviceId: service.id, episodeId, severity, from, to: taker }, now);
  const detail = { severity, to: to.id, to_name: to.name };
  await writeAudit(tx, requester, { action: 'alarm.hand_over', organizationId, serviceId, detail }, now);
  return ok({ toName: to.name });
}
