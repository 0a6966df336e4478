// What is asked before a rota is deleted, and before its calendar gets another address.
import type { Language } from '../../domain/language/speak.ts';
import { sayGroupsOf } from '../../engine/groups/groups-of.ts';
import { readRota } from '../../engine/on-call/rotas.ts';
import type { ActQuestion } from '../../engine/pages/ask.tsx';
import type { AskAct, OrganizationVisit } from '../../engine/pages/ask-settings.ts';
import { readPageId } from '../../engine/pages/page-routes.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import type { RotaModel } from './page-model.ts';
import { selectMembers } from './queries.ts';
import { describeRota } from './rota-model.ts';

async function findRota(db: ReadDatabase, { organization, form, visitor }: OrganizationVisit) {
  const stored = await readRota(db, readPageId(form.rota_id) ?? 0, visitor.now);
  if (stored?.organizationId !== organization.id) return null;
  const members = await selectMembers(db, [organization.id]);
  return describeRota(stored, new Map(members.map(({ id, name }) => [id, name])), visitor);
}

export const askDelete =
  (db: ReadDatabase): AskAct =>
  async (visit) => {
    const { language } = visit.visitor;
    const { say } = language;
    const rota = await findRota(db, visit);
    if (!rota) return null;
    const { id: rotaId, name } = rota;
    return {
      act: say('Delete {name}', { name }),
      says: [
        ...(rota.onCall ? [say('{name} is on call now, and is not any more.', { name: rota.onCall })] : []),
        ...(await sayGroupsOf(db, visit.organization.id, { rotaId, name }, language)),
        ...(rota.hasCalendar ? [say('The address of its calendar leads nowhere.')] : []),
      ],
      canUndo: false,
    };
  };

export const askFeed =
  (db: ReadDatabase): AskAct =>
  async (visit) => {
    const { say } = visit.visitor.language;
    const rota = await findRota(db, visit);
    return rota?.hasCalendar
      ? {
          act: say('Renew the calendar'),
          says: [say('The address of its calendar leads nowhere.')],
          canUndo: false,
        }
      : null;
  };

/** null: there is no such stand-in, or it is not the visitor's to end. */
export function askEnd(
  rotas: readonly RotaModel[],
  { rotaId, standInId }: { rotaId: string | undefined; standInId: string | undefined },
  { say }: Language,
): ActQuestion | null {
  const rota = rotas.find(({ id }) => String(id) === rotaId);
  const one = rota?.standIns.find(({ id, canEnd }) => canEnd && String(id) === standInId);
  if (!rota || !one) return null;
  return {
    act: say('End the stand-in of {name}', { name: one.name }),
    says: [
      one.insteadOf === null
        ? say('Whoever has the turn in {rota} is on call again.', { rota: rota.name })
        : say('{name} is on call again.', { name: one.insteadOf }),
    ],
    canUndo: false,
  };
}
