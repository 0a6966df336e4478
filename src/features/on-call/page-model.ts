// What the page of those on call shows: each rota with its next seven days, and who would be told of a service.

import { roleIn } from '../../domain/accounts/requester.ts';
import { canAdminister, canOperate } from '../../domain/accounts/role.ts';
import { groupBy } from '../../domain/group-by.ts';
import type { Language } from '../../domain/language/speak.ts';
import { formatLocalInput, parseTypedTime } from '../../domain/local-time.ts';
import { BEGINNINGS, type Beginning } from '../../domain/notifications/subject.ts';
import type { MethodKind } from '../../domain/on-call/contact-method.ts';
import { findDutyNow, findStrayStandIns, listDuties, listShifts } from '../../domain/on-call/duties.ts';
import type { Recipient } from '../../domain/on-call/recipient.ts';
import { findShift, type Rota } from '../../domain/on-call/rota.ts';
import { readForecast } from '../../engine/forecasts/read-forecast.ts';
import { readRotas, type StoredRota } from '../../engine/on-call/rotas.ts';
import { toRota } from '../../engine/outbox/ladders.ts';
import { type DutyBar, drawBars, drawDays, SHOWN_MS, type Week } from '../../engine/pages/duty-bars.tsx';
import { type ForecastModel, showForecast } from '../../engine/pages/forecast.tsx';
import { readPageId } from '../../engine/pages/page-routes.ts';
import type { Visitor } from '../../engine/pages/visitor.ts';
import { nameMethod } from '../../engine/providers/providers.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { type Reader, type ShownTime, showTime } from '../../platform/html/time.tsx';
import { eachInTurn, inSlices } from '../../platform/in-slices.ts';
import { type LinkSigner, writeCalendarLink } from './calendar-link.ts';
import {
  type ChosenService,
  type ShiftReceipt,
  selectMembers,
  selectReceipts,
  selectServices,
} from './queries.ts';

export interface RotaModel {
  id: number;
  name: string;
  organizationName: string;
  onCall: string | null;
  /** When the shift or the stand-in is over; null: nothing is to come. */
  until: ShownTime | null;
  /** Who is on call then; null: nobody. */
  next: string | null;
  /** Whether who is on call has said so; null: nobody asks. */
  receipt: { confirmed: ShownTime | null } | null;
  bars: DutyBar[];
  days: Week['days'];
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
  /** What an administrator may swap; empty for others. */
  shifts: { start: string; label: string }[];
  /** Whom an administrator may appoint; empty for others. */
  candidates: { id: number; name: string }[];
  feed: string | null;
}

interface SpanModel {
  name: string | null;
  isStandIn: boolean;
  from: ShownTime;
  until: ShownTime;
}

export async function readRotaModels(
  { db, signer }: { db: ReadDatabase; signer: LinkSigner },
  visitor: Visitor,
): Promise<RotaModel[]> {
  const organizationIds = visitor.memberships.map(({ organizationId }) => organizationId);
  const [rotas, members, receipts] = await Promise.all([
    readRotas(db, organizationIds, visitor.now),
    selectMembers(db, organizationIds),
    selectReceipts(db, organizationIds),
  ]);
  const membersOf = groupBy(members, ({ organizationId }) => organizationId);
  const receiptsOf = groupBy(receipts, ({ rotaId }) => rotaId);
  const models: RotaModel[] = [];
  for (const stored of rotas) {
    const own = [membersOf.get(stored.organizationId) ?? [], receiptsOf.get(stored.id) ?? []] as const;
    const feed = writeCalendarLink(signer, stored, visitor.accountId);
    models.push({ ...(await inSlices(showRota(stored, ...own, visitor))), feed });
  }
  return models;
}

/** Stops now and then: shifts, stand-ins and times are many. */
function* showRota(
  stored: StoredRota,
  members: { id: number; name: string }[],
  receipts: readonly ShiftReceipt[],
  visitor: Visitor,
): Generator<void, Omit<RotaModel, 'feed'>> {
  const rota = toRota(stored);
  const current = findDutyNow(rota, visitor.now);
  const onCallId = current.duty?.accountId ?? null;
  const receipt = receipts.find(({ accountId }) => accountId === onCallId && stored.confirm);
  const { now } = visitor;
  const role = roleIn(visitor, stored.organizationId);
  const names = new Map(members.map(({ id, name }) => [id, name]));
  const nameOf = (id: number | null) => (id === null ? null : (names.get(id) ?? null));
  yield;
  const stray = new Set(findStrayStandIns(rota, now));
  yield;
  const until = new Date(now.getTime() + SHOWN_MS);
  const duties = listDuties(rota, now, until);
  yield;
  const bars = drawBars(
    duties.map(({ duty, ...span }) => ({ ...span, label: nameOf(duty?.accountId ?? null) })),
    visitor,
  );
  yield;
  return {
    id: stored.id,
    name: stored.name,
    organizationName: stored.organizationName,
    onCall: nameOf(onCallId),
    until: current.until && showTime(current.until, visitor),
    next: nameOf(current.next?.accountId ?? null),
    receipt: receipt ? { confirmed: receipt.confirmedAt && showTime(receipt.confirmedAt, visitor) } : null,
    bars,
    days: drawDays(visitor),
    spans: yield* eachInTurn(duties, ({ startAt, endAt, duty }) => ({
      name: nameOf(duty?.accountId ?? null),
      isStandIn: duty?.standIn != null,
      from: showTime(startAt, visitor),
      until: showTime(endAt, visitor),
    })),
    standIns: yield* eachInTurn(rota.standIns, (one) => ({
      id: one.id,
      name: nameOf(one.accountId) ?? visitor.language.say('Somebody who left'),
      insteadOf: nameOf(one.insteadOfId),
      from: showTime(one.startAt, visitor),
      until: showTime(one.endAt, visitor),
      isStray: stray.has(one),
      canEnd: canAdminister(role) || (canOperate(role) && one.accountId === visitor.accountId),
    })),
    canTakeOver: canOperate(role) && findShift(rota, now) !== null,
    shifts: canAdminister(role) ? yield* listSwappable(rota, nameOf, visitor) : [],
    candidates: canAdminister(role) ? members : [],
  };
}

const SWAPPABLE_MS = 8 * 7 * 24 * 60 * 60_000;
const MOST_SHIFTS = 60;

function* listSwappable(
  rota: Rota,
  nameOf: (id: number | null) => string | null,
  reader: Reader,
): Generator<void, RotaModel['shifts']> {
  const until = new Date(reader.now.getTime() + SWAPPABLE_MS);
  const shifts = listShifts(rota, reader.now, until, MOST_SHIFTS);
  yield;
  const shown = yield* eachInTurn(shifts, ({ startAt, endAt, memberId }) => {
    const name = nameOf(memberId);
    const [from, to] = [showTime(startAt, reader), showTime(endAt, reader)];
    const facts = { name: name ?? '', from: from.label, to: to.label };
    return name === null
      ? []
      : [{ start: from.iso, label: reader.language.say('{name}: {from} to {to}', facts) }];
  });
  return shown.flat();
}

export interface ForetoldModel {
  services: ChosenService[];
  chosen: ChosenService | null;
  subject: Beginning;
  /** As a form's field holds it. */
  at: string;
  /** null: nothing was asked. */
  forecast: ForecastModel | null;
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
  const subject = BEGINNINGS.find((one) => one === query.kind) ?? 'critical';
  const parsed = query.at ? parseTypedTime(query.at, visitor.timezone) : null;
  const at = parsed?.ok ? parsed.value : visitor.now;
  const showsAddresses = canOperate(chosen ? roleIn(visitor, chosen.organizationId) : null);
  const forecast = chosen && (await readForecast(db, chosen.id, subject, at, visitor.now));
  return {
    services,
    chosen,
    subject,
    at: formatLocalInput(at, visitor.timezone),
    forecast:
      forecast && showForecast(forecast, visitor, (one) => nameWay(one, showsAddresses, visitor.language)),
  };
}

/** Addresses are for those who act on them. */
function nameWay(
  { transport, recipient, accountName: name, via }: Recipient,
  showsAddresses: boolean,
  language: Language,
): string {
  const { say } = language;
  if (transport === 'webhook') return say('a webhook');
  if (!name) return showsAddresses ? recipient : say('an address');
  // For translators: {method} is how somebody is told, such as SMS
  return via === undefined
    ? name
    : say('{name} by {method}', { name, method: nameMethod(via as MethodKind, language) });
}
