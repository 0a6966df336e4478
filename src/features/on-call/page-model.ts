// What the page of those on call shows: each rota with its next seven days, and who would be told of a service.
import { roleIn } from '../../domain/accounts/requester.ts';
import { canAdminister, canOperate } from '../../domain/accounts/role.ts';
import { formatLocalInput, parseLocalTime } from '../../domain/local-time.ts';
import { foretell, LAST_RESORT, STEP_KINDS, type StepKind } from '../../domain/on-call/ladder.ts';
import type { Recipient } from '../../domain/on-call/recipient.ts';
import { findDuty, findStrayStandIns, listDuties, startOf } from '../../domain/on-call/rota.ts';
import { readRotas, type StoredRota } from '../../engine/on-call/rotas.ts';
import { readLadder, toFullLadder, toRota } from '../../engine/outbox/ladders.ts';
import { readPageId } from '../../engine/pages/page-routes.ts';
import type { Visitor } from '../../engine/pages/visitor.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { type ShownTime, showTime } from '../../platform/html/time.tsx';
import { type ChosenService, selectMembers, selectServices } from './queries.ts';

const DAY_MS = 24 * 60 * 60_000;
const SHOWN_MS = 7 * DAY_MS;

export interface RotaModel {
  id: number;
  name: string;
  organizationName: string;
  onCall: string | null;
  spans: SpanModel[];
  standIns: {
    id: number;
    name: string;
    insteadOf: string | null;
    from: ShownTime;
    until: ShownTime;
    isStray: boolean;
    canEnd: boolean;
  }[];
  canTakeOver: boolean;
  /** Whom an administrator may appoint; empty for others. */
  candidates: { id: number; name: string }[];
  feed: string | null;
}

export interface SpanModel {
  name: string | null;
  isStandIn: boolean;
  from: ShownTime;
  until: ShownTime;
  /** Of the seven days, from 0 to 100. */
  start: number;
  width: number;
}

export async function readRotaModels(db: ReadDatabase, visitor: Visitor): Promise<RotaModel[]> {
  const organizationIds = visitor.memberships.map(({ organizationId }) => organizationId);
  const [rotas, members] = await Promise.all([
    readRotas(db, organizationIds, visitor.now),
    selectMembers(db, organizationIds),
  ]);
  return rotas.map((stored) => {
    const own = members.filter(({ organizationId }) => organizationId === stored.organizationId);
    return showRota(stored, own, visitor);
  });
}

function showRota(stored: StoredRota, members: { id: number; name: string }[], visitor: Visitor): RotaModel {
  const rota = toRota(stored);
  const { now } = visitor;
  const role = roleIn(visitor, stored.organizationId);
  const nameOf = (id: number | null) => members.find((one) => one.id === id)?.name ?? null;
  const stray = findStrayStandIns(rota, now);
  const until = new Date(now.getTime() + SHOWN_MS);
  const share = (at: Date) => ((at.getTime() - now.getTime()) / SHOWN_MS) * 100;
  return {
    id: stored.id,
    name: stored.name,
    organizationName: stored.organizationName,
    onCall: nameOf(findDuty(rota, now)?.accountId ?? null),
    spans: listDuties(rota, now, until).map(({ startAt, endAt, duty }) => ({
      name: nameOf(duty?.accountId ?? null),
      isStandIn: duty?.standIn != null,
      from: showTime(startAt, visitor),
      until: showTime(endAt, visitor),
      start: share(startAt),
      width: share(endAt) - share(startAt),
    })),
    standIns: rota.standIns.map((one) => ({
      id: one.id,
      name: nameOf(one.accountId) ?? 'Somebody who left',
      insteadOf: nameOf(one.insteadOfId),
      from: showTime(one.startAt, visitor),
      until: showTime(one.endAt, visitor),
      isStray: stray.includes(one),
      canEnd: canAdminister(role) || (canOperate(role) && one.accountId === visitor.accountId),
    })),
    canTakeOver: canOperate(role) && rota.versions.some((one) => startOf(one, rota.timeZone) <= now),
    candidates: canAdminister(role) ? members : [],
    feed: stored.feedToken && `/rota/${stored.feedToken}.ics`,
  };
}

export interface ForetoldModel {
  services: ChosenService[];
  chosen: ChosenService | null;
  kind: StepKind;
  /** As a form's field holds it. */
  at: string;
  /** null: its group tells nobody, or it has none. */
  steps: { label: string; at: ShownTime; who: string[]; reason: string }[] | null;
}

export async function readForetold(
  db: ReadDatabase,
  visitor: Visitor,
  query: Record<string, string | undefined>,
): Promise<ForetoldModel> {
  const services = await selectServices(
    db,
    visitor.memberships.map(({ organizationId }) => organizationId),
  );
  const asked = readPageId(query.service);
  const chosen = services.find(({ id }) => id === asked) ?? null;
  const kind = STEP_KINDS.find((one) => one === query.kind) ?? 'critical';
  const parsed = query.at ? parseLocalTime(query.at, visitor.timezone) : null;
  const at = parsed?.ok ? parsed.value : visitor.now;
  const row = chosen?.groupId
    ? await readLadder(db, chosen.groupId, at < visitor.now ? at : visitor.now)
    : null;
  const steps = row && foretell(toFullLadder(row), kind, at);
  return {
    services,
    chosen,
    kind,
    at: formatLocalInput(at, visitor.timezone),
    steps:
      steps?.map(({ step, at: opensAt, recipients, reason }) => ({
        label: step === LAST_RESORT ? 'Last resort' : step === 0 ? 'First' : `Step ${step}`,
        at: showTime(opensAt, visitor),
        who: nameAll(recipients, canOperate(chosen ? roleIn(visitor, chosen.organizationId) : null)),
        reason,
      })) ?? null,
  };
}

/** Addresses are for those who act on them. */
const nameAll = (recipients: readonly Recipient[], showsAddresses: boolean): string[] =>
  recipients.map(({ transport, recipient, accountName }) => {
    if (transport === 'webhook') return 'a webhook';
    return accountName ?? (showsAddresses ? recipient : 'an address');
  });
