import type { FastifyReply } from 'fastify';
import { organizationNameIn } from '../../../domain/accounts/requester.ts';
import { canAdminister } from '../../../domain/accounts/role.ts';
import type { ServiceId } from '../../../domain/ids.ts';
import { sayManyRefusal } from '../../../domain/words/many-words.ts';
import { listPlace } from '../../../domain/words/place.ts';
import { actOnMany, previewMany } from '../../../engine/acts/many/many-act.ts';
import { MANY_ACTS, type ManyActName } from '../../../engine/acts/many/many-act-rows.ts';
import { undoMany } from '../../../engine/acts/many/undo-many.ts';
import { answerPage } from '../../../engine/pages/answer-page.ts';
import { routePage, type Visit } from '../../../engine/pages/page-routes.ts';
import type { Visitor } from '../../../engine/pages/visitor.ts';
import { selectTellings } from '../../../engine/services/tellings.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { HttpServer } from '../../../platform/http/server.ts';
import { manyPath } from '../list/boxes.ts';
import type { ListedService } from '../list/list-queries.ts';
import type { ManyDone } from '../list/many-words.ts';
import { UUID } from '../list/read-notice.ts';
import { readFilter, type ServiceFilter, writeFilter } from '../list/service-filter.ts';
import { toState } from '../shown-service/service-state.ts';
import {
  DowntimeFields,
  type FieldFault,
  GroupChoice,
  LimitsChoice,
  MuteFields,
  NOBODY,
} from './act-forms.tsx';
import { ManyPage, NothingSelected, type PreviewRow } from './many-view.tsx';
import { selectGroups, selectLimited } from './queries.ts';
import { READ_ACTS, readWindowForm, type SaidAct, type Tellings } from './read-act.ts';
import { readSelection, type Selection, writeUnits } from './selection.ts';

type SignedInVisit = Visit & { visitor: Visitor };
type Sent = Record<string, string | undefined>;

interface ManyDeps {
  db: Database;
  publicUrl: () => URL | null;
}

export function routeManyPages(app: HttpServer, deps: ManyDeps): void {
  for (const act of MANY_ACTS) {
    routePage(app, deps, {
      method: 'GET',
      url: manyPath(act),
      show: (visit) => showMany(deps.db, visit, act, visit.query, null),
    });
    routePage(app, deps, {
      method: 'POST',
      url: manyPath(act),
      show: (visit) => doMany(deps.db, visit, act),
    });
  }
  routePage(app, deps, {
    method: 'POST',
    url: '/services/many/undo',
    show: async ({ request, reply, visitor, query, form }) => {
      const { id = '' } = form;
      const onFailure = (error: unknown) => request.log.error({ err: error }, 'part of an undo failed');
      const undone = UUID.test(id) ? await undoMany(deps.db, visitor, id, visitor.now, onFailure) : null;
      return leadBack(reply, readFilter(query), {
        did: undone ? 'undo' : 'late',
        count: undone?.undone ?? 0,
        left: undone?.left ?? 0,
        id: undone?.hasFailed ? id : null,
      });
    },
  });
}

/** What is shown is computed by what would act, undone again. */
async function showMany(
  db: Database,
  { reply, visitor, query }: SignedInVisit,
  act: ManyActName,
  sent: Sent,
  fault: FieldFault | null,
): Promise<FastifyReply> {
  const filter = readFilter(query);
  const selection = await readSelection(db, visitor, filter, sent);
  if (selection.units.length === 0)
    return answerPage(reply, 200, <NothingSelected visitor={visitor} filter={filter} />);
  const read = READ_ACTS[act](fault ? {} : sent, visitor, false);
  const chosen = read.ok ? read.value : null;
  const preview = await readPreview(db, visitor, selection, chosen);
  const ids = selection.units.map(({ id }) => id);
  return answerPage(
    reply,
    fault ? 422 : 200,
    <ManyPage
      visitor={visitor}
      act={act}
      filter={filter}
      {...preview}
      units={{
        selected: writeUnits(ids),
        reached: writeUnits((preview.reached ?? []).map(({ id }) => id)),
      }}
      isToNobody={sent.group === NOBODY}
      isCut={selection.isCut}
      hasUnknown={selection.hasUnknown}
      fault={fault?.text ?? null}
      choice={await readChoice(db, visitor, act, sent)}
      fields={<Fields act={act} sent={sent} visitor={visitor} fault={fault} />}
    />,
  );
}

async function doMany(db: Database, visit: SignedInVisit, act: ManyActName): Promise<FastifyReply> {
  const { request, reply, visitor, query, form } = visit;
  const read = READ_ACTS[act](form, visitor, true);
  if (!read.ok) return showMany(db, visit, act, form, read.refusal);
  const { units } = await readSelection(db, visitor, readFilter(query), { units: form.units ?? '' });
  if (!read.value || units.length === 0) return showMany(db, visit, act, form, null);
  const ids = units.map(({ id }) => id);
  const onFailure = (error: unknown) => request.log.error({ err: error }, 'part of an act on many failed');
  const done = await actOnMany(db, visitor, read.value.act, ids, visitor.now, onFailure);
  return leadBack(reply, readFilter(query), {
    did: act,
    count: done.done.length,
    left: done.refused.length,
    id: done.id,
  });
}

interface Did {
  did: ManyDone;
  count: number;
  left: number;
  id: string | null;
}

function leadBack(reply: FastifyReply, filter: ServiceFilter, { did, count, left, id }: Did): FastifyReply {
  const words = new URLSearchParams({
    did,
    count: String(count),
    left: String(left),
    ...(id && { many: id }),
  });
  const path = writeFilter(filter);
  return reply.redirect(`${path}${path.includes('?') ? '&' : '?'}${words}`, 303);
}

async function readPreview(
  db: Database,
  visitor: Visitor,
  { units }: Selection,
  chosen: SaidAct | null,
): Promise<{ selected: PreviewRow[]; reached: PreviewRow[] | null; refused: PreviewRow[] }> {
  const ids = units.map(({ id }) => id);
  const tellings: Tellings = new Map(
    (await selectTellings(db, ids)).map((telling) => [telling.serviceId, telling]),
  );
  const rowOf = (unit: ListedService, says: string[]): PreviewRow => ({
    id: unit.id,
    name: unit.name,
    place: listPlace({
      organizationName: organizationNameIn(visitor, unit.organizationId),
      locationName: unit.locationName,
    }),
    state: toState(unit),
    says,
  });
  if (!chosen) return { selected: units.map((unit) => rowOf(unit, [])), reached: null, refused: [] };
  const { steps, refused } = await previewMany(db, visitor, chosen.act, ids, visitor.now);
  const byId = <Row extends { serviceId: ServiceId }>(rows: readonly Row[]) =>
    new Map(rows.map((row): [ServiceId, Row] => [row.serviceId, row]));
  const [stepOf, refusalOf] = [byId(steps), byId(refused)];
  return {
    selected: [],
    reached: units.flatMap((unit) => {
      const step = stepOf.get(unit.id);
      return step ? [rowOf(unit, chosen.say(step, tellings))] : [];
    }),
    refused: units.flatMap((unit) => {
      const one = refusalOf.get(unit.id);
      return one ? [rowOf(unit, [sayManyRefusal(one.refusal, visitor.language)])] : [];
    }),
  };
}

async function readChoice(db: Database, visitor: Visitor, act: ManyActName, sent: Sent) {
  if (act !== 'group' && act !== 'limits') return null;
  const own = visitor.memberships
    .filter(({ role }) => canAdminister(role))
    .map(({ organizationId }) => organizationId);
  const found = act === 'group' ? await selectGroups(db, own) : await selectLimited(db, own);
  const choices = found.map(({ id, name, organizationId }) => {
    const organizationName = organizationNameIn(visitor, organizationId);
    return { value: String(id), label: organizationName === null ? name : `${name} (${organizationName})` };
  });
  return act === 'group' ? (
    <GroupChoice groups={choices} chosen={sent.group ?? ''} />
  ) : (
    <LimitsChoice units={choices} chosen={sent.limits ?? ''} />
  );
}

interface FieldsProps {
  act: ManyActName;
  sent: Sent;
  visitor: Visitor;
  fault: FieldFault | null;
}

/** Of a choice that was made before: what it was. */
const Fields = ({ act, sent, visitor, fault }: FieldsProps) => {
  switch (act) {
    case 'mute':
      return <MuteFields typed={sent} fault={fault} />;
    case 'downtime':
      return <DowntimeFields values={readWindowForm(sent, visitor, fault !== null)} fault={fault} />;
    case 'group':
    case 'limits':
      return <input type="hidden" name={act} value={sent[act] ?? ''} />;
    case 'unmute':
    case 'archive':
      return null;
  }
};
