// The link in what was sent to one person: whoever holds it acknowledges as them, this one alarm, once, within a day.
import { type Requester, roleIn } from '../../domain/accounts/requester.ts';
import { canOperate } from '../../domain/accounts/role.ts';
import type { Language } from '../../domain/language/speak.ts';
import { canBeAcknowledged } from '../../domain/notifications/subject.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import type { AlarmFacts } from '../../domain/words/alarm-facts.ts';
import { selectRequester } from '../../engine/accounts/select-requester.ts';
import { acknowledgeEpisode } from '../../engine/acts/acknowledge.ts';
import { readAlarmFacts } from '../../engine/alarm-state/read-alarm-facts.ts';
import { type PersonalLink, provesPersonal } from '../../engine/outbox/personal-path.ts';
import { noteConfirmed, noteLinkUsed } from '../../engine/outbox/receipts.ts';
import { readBigId } from '../../engine/pages/page-routes.ts';
import type { TokenSigner } from '../../platform/auth/token.ts';
import type { ReadDatabase, Tx } from '../../platform/db/database.ts';
import { acknowledgeOwnDrill } from './acknowledge-drill.ts';
import { type CurrentAlarm, type Earlier, selectCurrentAlarm, selectEarlier } from './acknowledge-queries.ts';
import { selectDrill } from './drill-queries.ts';
import { lockLetter, selectTold, type ToldOne } from './personal-queries.ts';

const GOOD_FOR_MS = 24 * 60 * 60_000;

/** That its button acknowledges, or why not. */
export type Standing = 'open' | 'acknowledged' | 'used' | 'over' | 'newer_alarm' | 'too_old' | 'not_allowed';

export interface PersonalAlarm {
  told: ToldOne;
  standing: Standing;
  /** Until when it would. */
  until: Date;
  alarm: CurrentAlarm | null;
  facts: AlarmFacts | null;
  /** Who has it. */
  acknowledged: Pick<Earlier, 'by' | 'at'> | null;
}

interface Opened {
  told: ToldOne;
  requester: Requester;
}

/** null: the link was never sent, or its person has signed out everywhere or changed their password since. */
async function openLink(
  db: ReadDatabase,
  signer: TokenSigner,
  { letterId, proof }: PersonalLink,
): Promise<Opened | null> {
  const id = readBigId(letterId);
  const [told, ...others] = id === null ? [] : await selectTold(db, id);
  if (!told || others.length > 0 || !canBeAcknowledged(told.subject)) return null;
  if (!provesPersonal(signer, { ...told, signsAs: told }, proof)) return null;
  const requester = await selectRequester(db, told.accountId);
  return requester && { told, requester };
}

export async function readPersonalAlarm(
  db: ReadDatabase,
  { signer, link, language }: { signer: TokenSigner; link: PersonalLink; language: Language },
  now: Date,
): Promise<PersonalAlarm | null> {
  const opened = await openLink(db, signer, link);
  return opened && describe(db, opened, language, now);
}

async function describe(
  db: ReadDatabase,
  opened: Opened,
  language: Language,
  now: Date,
): Promise<PersonalAlarm> {
  const { told } = opened;
  const until = endOf(told);
  const nothing = { told, until, alarm: null, facts: null, acknowledged: null };
  const refusal = findRefusal(opened, now);
  // Whoever may not see the unit any more learns nothing new of it.
  if (refusal === 'not_allowed') return { ...nothing, standing: refusal };
  if (told.drillId !== null) {
    const { acknowledgedBy: by, acknowledgedAt: at } = (await selectDrill(db, told.drillId)) ?? {};
    const acknowledged = by && at ? { by, at } : null;
    return { ...nothing, standing: acknowledged ? 'acknowledged' : (refusal ?? 'open'), acknowledged };
  }
  const alarm = await selectCurrentAlarm(db, told.serviceId);
  if (!alarm || alarm.severity === 'normal') return { ...nothing, standing: 'over' };
  if (alarm.episodeId !== told.episodeId) return { ...nothing, standing: 'newer_alarm' };
  const acknowledged = await selectEarlier(db, told.serviceId, alarm.severity);
  const facts = (await readAlarmFacts(db, [told.serviceId], language)).get(told.serviceId) ?? null;
  const standing = acknowledged ? 'acknowledged' : (refusal ?? 'open');
  return { ...nothing, standing, alarm, facts, acknowledged };
}

const endOf = ({ createdAt }: ToldOne): Date => new Date(createdAt.getTime() + GOOD_FOR_MS);

function findRefusal({ told, requester }: Opened, now: Date): 'not_allowed' | 'used' | 'too_old' | null {
  if (!told.isAllowed || !canOperate(roleIn(requester, told.organizationId))) return 'not_allowed';
  if (told.usedAt) return 'used';
  return now.getTime() >= endOf(told).getTime() ? 'too_old' : null;
}

/** What does not acknowledge any more says so on its page. */
export async function acknowledgeByPersonalLink(
  tx: Tx,
  { address, requestId }: Pick<Requester, 'address' | 'requestId'>,
  { signer, link }: { signer: TokenSigner; link: PersonalLink },
  now: Date,
): Promise<Result<null, 'no_such_link' | 'not_open'>> {
  const id = readBigId(link.letterId);
  // Two presses at once are decided one after the other.
  if (id !== null) await lockLetter(tx, id);
  const opened = await openLink(tx, signer, link);
  if (!opened) return refuse('no_such_link');
  const { told } = opened;
  if (findRefusal(opened, now)) return refuse('not_open');
  const requester = { ...opened.requester, address, requestId };
  const isDone =
    told.drillId === null
      ? (await acknowledgeEpisode(tx, requester, { ...told, by: 'link' }, now)).ok
      : await acknowledgeOwnDrill(tx, requester, { ...told, drillId: told.drillId, by: 'link' }, now);
  if (!isDone) return refuse('not_open');
  await noteLinkUsed(tx, told.id, now);
  await noteConfirmed(tx, told.id, 'link', now);
  return ok(null);
}
