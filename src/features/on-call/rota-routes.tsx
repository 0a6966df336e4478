// The settings of rotas: who takes turns, how long, from when on.
import { randomBytes } from 'node:crypto';
import type { OrganizationId } from '../../domain/ids.ts';
import { LONGEST_NAME, readName } from '../../domain/names.ts';
import { isClock } from '../../domain/on-call/local-instant.ts';
import { findChangeDay, LONGEST_SHIFT, SHIFT_UNITS } from '../../domain/on-call/rota.ts';
import { ok, refuse } from '../../domain/result.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import {
  deleteRota,
  insertRota,
  insertVersion,
  readRota,
  readRotas,
  setConfirm,
  setFeedToken,
} from '../../engine/on-call/rotas.ts';
import { toRota } from '../../engine/outbox/ladders.ts';
import { readPageId } from '../../engine/pages/page-routes.ts';
import { frameOf, routeDesk, type SettingsVerb } from '../../engine/pages/settings-routes.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import type { FormFields } from '../../platform/http/form-body.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { selectMembers } from './queries.ts';
import { ROTAS, RotasPage } from './rota-view.tsx';

type Refusal = 'no_name' | 'name_too_long' | 'name_taken' | 'not_a_handover' | 'not_a_length' | 'nobody';

const REFUSALS: Record<Refusal, [field: string, text: string]> = {
  no_name: ['name', 'Give the rota a name.'],
  name_too_long: ['name', `Choose a name of at most ${LONGEST_NAME} characters.`],
  name_taken: ['name', 'This organization has a rota of that name already.'],
  not_a_handover: ['handover', 'Write the time of the handover like 08:00.'],
  not_a_length: ['length', `A shift lasts 1 to ${LONGEST_SHIFT} days or weeks.`],
  nobody: ['members', 'Choose at least one person: who has turn 1 begins.'],
};

/** Up to so many places in a form. */
const MOST_MEMBERS = 12;

async function readVersion(tx: Tx, organizationId: OrganizationId, form: FormFields) {
  const { handover = '', every: unit } = form;
  if (!isClock(handover)) return refuse('not_a_handover' as const);
  const every = SHIFT_UNITS.find((one) => one === unit) ?? 'week';
  const length = Number(form.length ?? '1');
  if (!Number.isInteger(length) || length < 1 || length > LONGEST_SHIFT)
    return refuse('not_a_length' as const);
  const known = (await selectMembers(tx, [organizationId])).map(({ id }) => id);
  const chosen = Array.from({ length: MOST_MEMBERS }, (_, place) => readPageId(form[`member_${place}`]));
  const members = chosen.flatMap((one) => known.find((id) => id === one) ?? []);
  if (members.length === 0) return refuse('nobody' as const);
  return ok({ handover, every, length, members });
}

const create: SettingsVerb<Refusal> = async (tx, requester, { organizationId, form }, now) => {
  const name = readName(form.name);
  if (!name.ok) return name;
  const version = await readVersion(tx, organizationId, form);
  if (!version.ok) return version;
  const timeZone = requester.timezone;
  const made = await insertRota(tx, { organizationId, name: name.value, timeZone }, now);
  if (!made) return refuse('name_taken');
  const fromDate = findChangeDay(
    { id: made.id, timeZone, versions: [], standIns: [], present: new Set() },
    now,
  );
  await insertVersion(tx, made.id, { ...version.value, fromDate }, now);
  const confirm = form.confirm === 'yes';
  await setConfirm(tx, made.id, confirm);
  const detail = { rota: made.id, name: name.value, from: fromDate, confirm, ...version.value };
  await writeAudit(tx, requester, { action: 'rota.create', organizationId, detail }, now);
  return ok({ done: 'create' });
};

/** What holds now stays as it was: a change is a version from the next handover on. */
const change: SettingsVerb<Refusal> = async (tx, requester, { organizationId, form }, now) => {
  const stored = await findOwn(tx, organizationId, form, now);
  if (!stored) return refuse('not_found');
  const version = await readVersion(tx, organizationId, form);
  if (!version.ok) return version;
  const fromDate = findChangeDay(toRota(stored), now);
  await insertVersion(tx, stored.id, { ...version.value, fromDate }, now);
  const detail = { rota: stored.id, name: stored.name, from: fromDate, ...version.value };
  await writeAudit(tx, requester, { action: 'rota.change', organizationId, detail }, now);
  return ok({});
};

/** Holds from now on, also for the shift that begins next. */
const ask: SettingsVerb<Refusal> = async (tx, requester, { organizationId, form }, now) => {
  const stored = await findOwn(tx, organizationId, form, now);
  if (!stored) return refuse('not_found');
  const confirm = form.confirm === 'yes';
  if ((await setConfirm(tx, stored.id, confirm)).length > 0) {
    const detail = { rota: stored.id, name: stored.name, confirm };
    await writeAudit(tx, requester, { action: 'rota.confirm', organizationId, detail }, now);
  }
  return ok({});
};

const remove: SettingsVerb<Refusal> = async (tx, requester, { organizationId, form }, now) => {
  const stored = await findOwn(tx, organizationId, form, now);
  if (!stored) return refuse('not_found');
  await deleteRota(tx, stored.id, now);
  const detail = { rota: stored.id, name: stored.name };
  await writeAudit(tx, requester, { action: 'rota.delete', organizationId, detail }, now);
  return ok({});
};

/** A new link takes the place of the old one, which leads nowhere then. */
const feed: SettingsVerb<Refusal> = async (tx, requester, { organizationId, form }, now) => {
  const stored = await findOwn(tx, organizationId, form, now);
  if (!stored) return refuse('not_found');
  await setFeedToken(tx, stored.id, randomBytes(24).toString('base64url'));
  const detail = { rota: stored.id, name: stored.name };
  await writeAudit(tx, requester, { action: 'rota.feed', organizationId, detail }, now);
  return ok({});
};

async function findOwn(tx: Tx, organizationId: OrganizationId, { rota_id: id }: FormFields, now: Date) {
  const stored = await readRota(tx, readPageId(id) ?? 0, now);
  return stored?.organizationId === organizationId ? stored : null;
}

export const routeRotaPage = (app: HttpServer, deps: { db: Database; publicUrl: () => URL | null }): void =>
  routeDesk(app, deps, {
    url: ROTAS,
    verbs: { create, change, confirm: ask, delete: remove, feed },
    refusals: REFUSALS,
    done: {
      create: 'The rota is there. Put it on a step of a group, or nobody is told by it.',
      change: 'Changed from the next handover on.',
      confirm: 'Set.',
      delete: 'The rota is deleted.',
      feed: 'The calendar has a new address, shown on the page of those on call.',
    },
    show: async (visit, news) => {
      const { organization, visitor } = visit;
      const rotas = await readRotas(deps.db, [organization.id], visitor.now);
      const members = await selectMembers(deps.db, [organization.id]);
      return <RotasPage frame={frameOf(visit, news)} rotas={rotas} members={members} fault={news.fault} />;
    },
  });
