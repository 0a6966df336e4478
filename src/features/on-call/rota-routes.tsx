// The settings of rotas: who takes turns, how long, from when on.

import { randomBytes } from 'node:crypto';
import type { OrganizationId } from '../../domain/ids.ts';
import { message } from '../../domain/language/message.ts';
import type { Sayable } from '../../domain/language/sayable.ts';
import { MOSTS, sayMost } from '../../domain/mosts.ts';
import { readName, sayNameTooLong } from '../../domain/names.ts';
import { placeVersion } from '../../domain/on-call/rota.ts';
import { LONGEST_SHIFT } from '../../domain/on-call/rota-version.ts';
import { ok, refuse } from '../../domain/result.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import {
  countRotas,
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
import { eachInTurn, inSlices } from '../../platform/in-slices.ts';
import { askDelete, askFeed } from './ask-rota.ts';
import { selectMembers } from './queries.ts';
import { type FormRefusal, type HandoverDraft, readDrafts, readRotaForm, redraft } from './rota-form.ts';
import { describeRota } from './rota-model.ts';
import { ROTAS, RotasPage } from './rota-view.tsx';

type Refusal = 'no_name' | 'name_too_long' | 'name_taken' | 'too_many_rotas' | FormRefusal;

const REFUSALS: Record<Refusal, [field: string, text: Sayable]> = {
  no_name: ['name', message('Give the rota a name.')],
  name_too_long: ['name', sayNameTooLong],
  name_taken: ['name', message('This organization has a rota of that name already.')],
  too_many_rotas: ['name', (language) => sayMost('rotas', language)],
  not_a_handover: ['handover', message('Write the time of each handover like 08:00.')],
  not_a_zone: ['timezone', message('Choose a time zone such as Europe/Berlin.')],
  not_a_length: [
    'length',
    ({ say }) => say('Turns change after 1 to {most} days or weeks.', { most: LONGEST_SHIFT }),
  ],
  nobody: ['members', message('Choose at least one person for each handover.')],
  same_time: [
    'handover',
    message('There are two handovers at the same time: choose another time for one of them.'),
  ],
  too_many_handovers: ['handover', (language) => sayMost('handovers', language)],
  too_many_members: ['members', (language) => sayMost('rotaMembers', language)],
  not_a_day: ['from', message('Write the day like 2026-12-25.')],
};

/** A form that is shown again with a handover more or less. */
interface Redrafted {
  form: FormFields;
  drafts: HandoverDraft[];
}

type Verb = SettingsVerb<Refusal, Redrafted>;

const readKnown = async (tx: Tx, organizationId: OrganizationId) =>
  new Set<number>((await selectMembers(tx, [organizationId])).map(({ id }) => id));

const create: Verb = async (tx, requester, { organizationId, form }, now) => {
  const drafts = redraft(form);
  if (drafts) return ok({ shown: { form, drafts } });
  const name = readName(form.name);
  if (!name.ok) return name;
  const read = readRotaForm(form, await readKnown(tx, organizationId), requester.timezone);
  if (!read.ok) return read;
  const { from, ...described } = read.value;
  const { timeZone } = described;
  if ((await countRotas(tx, organizationId)) >= MOSTS.rotas.most) return refuse('too_many_rotas');
  const made = await insertRota(tx, { organizationId, name: name.value, timeZone }, now);
  if (!made) return refuse('name_taken');
  const handover = described.handovers[0]?.at ?? '';
  const version = { ...described, ...placeVersion(null, { handover, timeZone, from }, now) };
  await insertVersion(tx, made.id, version, now);
  const confirm = form.confirm === 'yes';
  await setConfirm(tx, made.id, confirm);
  const detail = { rota: made.id, name: name.value, confirm, ...version };
  await writeAudit(tx, requester, { action: 'rota.create', organizationId, detail }, now);
  return ok({ done: 'create' });
};

/** What holds now stays as it was: a change is a version from the next handover on. */
const change: Verb = async (tx, requester, { organizationId, form }, now) => {
  const stored = await findOwn(tx, organizationId, form, now);
  if (!stored) return refuse('not_found');
  const drafts = redraft(form);
  if (drafts) return ok({ shown: { form, drafts } });
  const zone = stored.versions.at(-1)?.timeZone ?? stored.timeZone;
  const read = readRotaForm(form, await readKnown(tx, organizationId), zone);
  if (!read.ok) return read;
  const { from: _, ...described } = read.value;
  const handover = described.handovers[0]?.at ?? '';
  const placed = placeVersion(toRota(stored), { handover, timeZone: described.timeZone, from: null }, now);
  await insertVersion(tx, stored.id, { ...described, ...placed }, now);
  const detail = { rota: stored.id, name: stored.name, ...described, ...placed };
  await writeAudit(tx, requester, { action: 'rota.change', organizationId, detail }, now);
  return ok({});
};

/** Holds from now on, also for the shift that begins next. */
const ask: Verb = async (tx, requester, { organizationId, form }, now) => {
  const stored = await findOwn(tx, organizationId, form, now);
  if (!stored) return refuse('not_found');
  const confirm = form.confirm === 'yes';
  if ((await setConfirm(tx, stored.id, confirm)).length > 0) {
    const detail = { rota: stored.id, name: stored.name, confirm };
    await writeAudit(tx, requester, { action: 'rota.confirm', organizationId, detail }, now);
  }
  return ok({});
};

const remove: Verb = async (tx, requester, { organizationId, form }, now) => {
  const stored = await findOwn(tx, organizationId, form, now);
  if (!stored) return refuse('not_found');
  await deleteRota(tx, stored.id, now);
  const detail = { rota: stored.id, name: stored.name };
  await writeAudit(tx, requester, { action: 'rota.delete', organizationId, detail }, now);
  return ok({});
};

/** A new link takes the place of the old one, which leads nowhere then. */
const feed: Verb = async (tx, requester, { organizationId, form }, now) => {
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
    questions: { delete: askDelete(deps.db), feed: askFeed(deps.db) },
    asksFirst: ['delete'],
    done: {
      create: message('The rota is there. Put it on a step of a group, or nobody is notified by it.'),
      change: message('Changed from the next handover on.'),
      confirm: message('Set.'),
      delete: message('The rota is deleted.'),
      feed: message('The calendar has a new address, shown on the page of those on call.'),
    },
    show: async (visit, news) => {
      const { organization, visitor } = visit;
      const rotas = await readRotas(deps.db, [organization.id], visitor.now);
      const members = await selectMembers(deps.db, [organization.id]);
      const names = new Map(members.map(({ id, name }) => [id, name]));
      const described = await inSlices(eachInTurn(rotas, (rota) => describeRota(rota, names, visitor)));
      const typed = news.fault
        ? { form: news.fault.typed, drafts: readDrafts(news.fault.typed), fault: news.fault }
        : news.shown && { ...news.shown, fault: null };
      return (
        <RotasPage
          frame={frameOf(visit, news)}
          rotas={described}
          members={members}
          timeZone={visitor.timezone}
          typed={typed}
          openId={readPageId(visit.query.rota) ?? null}
        />
      );
    },
  });
