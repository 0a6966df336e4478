// What somebody can do who has taken an alarm: undo it, say not to go, or hand it to somebody else.

import sql from 'sql-template-tag';
import { sayUntold } from '../../domain/equipment/telling.ts';
import { ALL_GUIDANCE_FIELDS, type FoundGuidance } from '../../domain/guidance/guidance.ts';
import type { AccountId, OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { Language } from '../../domain/language/speak.ts';
import { sayPassing } from '../../domain/words/passing-words.ts';
import { first, type ReadDatabase } from '../../platform/db/database.ts';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { listTargetNames, selectNamedTargets } from '../groups/who-is-told.ts';
import { readGuidanceOf } from '../guidance/guidance-rows.ts';
import { type Offer, selectOffer } from '../outbox/hand-overs.ts';
import { selectOperators } from '../services/operators.ts';
import { selectTellings } from '../services/tellings.ts';
import { IS_MUTED, isInDowntime } from '../sql-parts/service-state.ts';
import { GuidanceFacts } from './guidance-parts.tsx';
import { RefugeNote, type RefugeNoteModel, readRefugeNote } from './refuge-note.tsx';
import { type RescueLines, RescuePart, readRescueLines } from './rescue-part.tsx';

export interface TakenModel {
  serviceId: number;
  /** What follows from "I cannot go"; null: it is not one's own. */
  passing: string | null;
  people: { id: number; name: string }[];
  /** To whom it is offered. */
  offeredTo: string | null;
  /** Who offers it to the visitor. */
  offeredBy: string | null;
  /** What to do; null: nobody said so. */
  guidance: FoundGuidance | null;
  /** Where its contents can go; null: nothing is said of that. */
  rescue: RescueLines | null;
  /** What it takes in for others itself; null: nothing. */
  refuge: RefugeNoteModel | null;
}

interface Asked {
  serviceId: ServiceId;
  organizationId: OrganizationId;
  accountId: AccountId;
  language: Language;
  timezone: string;
}

/** For whoever may operate. */
export async function readTaken(
  db: ReadDatabase,
  { serviceId, organizationId, accountId, language, timezone }: Asked,
  now: Date,
): Promise<TakenModel> {
  const offer = await selectOffer(db, serviceId);
  const standing = await selectStanding(db, serviceId, accountId, now);
  const isOwn = standing?.isOwn === true;
  return {
    serviceId,
    passing: standing && isOwn ? await readPassing(db, serviceId, accountId, standing, language) : null,
    people: isOwn ? (await selectOperators(db, organizationId)).filter(({ id }) => id !== accountId) : [],
    offeredTo: isOwn && offer?.fromId === accountId ? offer.toName : null,
    offeredBy: nameGiver(offer, accountId),
    guidance: (await readGuidanceOf(db, [serviceId])).get(serviceId) ?? null,
    rescue: await readRescueLines(db, { serviceId, organizationId, canOperate: true }, { language, now }),
    refuge: await readRefugeNote(db, serviceId, { timezone, language, now }),
  };
}

const nameGiver = (offer: Offer | null, accountId: AccountId): string | null =>
  offer?.toId === accountId ? offer.fromName : null;

interface Standing {
  severity: 'critical' | 'warning';
  isOwn: boolean;
  isMuted: boolean;
  isInDowntime: boolean;
  nextStep: number | null;
}

const selectStanding = async (db: ReadDatabase, serviceId: ServiceId, accountId: AccountId, now: Date) =>
  first(
    await db.query<Standing>(sql`
      select state.severity, ${IS_MUTED} as "isMuted", ${isInDowntime(now)} as "isInDowntime",
        exists (select from acknowledgement where service_id = state.service_id and account_id = ${accountId}
          and ended_at is null) as "isOwn",
        (select min(step) from notification_group_step
          where group_id = notification_group_id and state.severity = any(kinds) and step > (
            select coalesce(max(step), 0) from step_opened
            where step_opened.service_id = state.service_id and step_opened.episode_id = state.episode_id
              and step_opened.severity = state.severity and step < 9)) as "nextStep"
      from alarm_state state join service_settings using (service_id)
      where state.service_id = ${serviceId} and state.severity <> 'normal'`),
  );

async function readPassing(
  db: ReadDatabase,
  serviceId: ServiceId,
  accountId: AccountId,
  { severity, isMuted, isInDowntime: isDown, nextStep }: Standing,
  language: Language,
): Promise<string> {
  const [telling] = await selectTellings(db, [serviceId]);
  const { say } = language;
  const held = isMuted ? say('it is muted') : isDown ? say('it is in downtime') : null;
  const untold = telling ? sayUntold(telling, severity, language) : null;
  const targets = await selectNamedTargets(db, serviceId);
  const others = targets.filter((one) => one.accountId !== accountId);
  const next = others.filter(({ step }) => nextStep === null || step === nextStep);
  const names = listTargetNames(next, language);
  return sayPassing({ untold: untold ?? held, nextStep, names }, language);
}

/** The first thing on the page of whoever is asked to take it: one button. */
export const TakeOver = ({ serviceId, offeredBy }: Pick<TakenModel, 'serviceId' | 'offeredBy'>) => {
  const { say } = useLanguage();
  return offeredBy === null ? null : (
    <form class="card take-over" method="post" action={`/alarms/${serviceId}/take-over`}>
      <p>
        {say('{name} hands this alarm to you. Until you take it, it stays with {name}.', {
          name: offeredBy,
        })}
      </p>
      <button type="submit" class="button-primary">
        {say('I take it')}
      </button>
    </form>
  );
};

export const TakenGuidance = ({
  guidance,
  rescue,
  refuge,
}: Pick<TakenModel, 'guidance' | 'rescue' | 'refuge'>) => (
  <>
    {rescue && <RescuePart {...rescue} />}
    {refuge && <RefugeNote {...refuge} />}
    {guidance && <GuidanceFacts found={guidance} shows={ALL_GUIDANCE_FIELDS} />}
  </>
);

export const TakenActions = ({ serviceId, passing, people, offeredTo }: TakenModel) => {
  const language = useLanguage();
  const { say } = language;
  return passing === null ? null : (
    <section class="taken" aria-labelledby="taken-title">
      <h2 id="taken-title">{say('It is yours now')}</h2>
      {offeredTo !== null && (
        <p>
          {sayWith(language, 'Handed to <strong>{name}</strong>. It stays yours until they take it.', {
            name: offeredTo,
            strong: (inside) => <strong>{inside}</strong>,
          })}
        </p>
      )}
      {people.length > 0 && (
        <form class="taken-action" method="post" action={`/alarms/${serviceId}/hand-over`}>
          <div class="field">
            <label for="hand-to">{say('Hand it to somebody else')}</label>
            <select id="hand-to" name="to" required>
              <option value="">{say('Choose who')}</option>
              {people.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </div>
          <p class="muted">
            {say(
              'They are notified at once by all their contact methods. It stays yours until they take it; if they have not within 15 minutes, you are notified.',
            )}
          </p>
          <button type="submit">{say('Hand it over')}</button>
        </form>
      )}
      <form class="taken-action" method="post" action={`/alarms/${serviceId}/cannot-go`}>
        <p class="muted">{passing}</p>
        <button type="submit">{say('I cannot go')}</button>
      </form>
      <form class="taken-action" method="post" action={`/alarms/${serviceId}/unacknowledge`}>
        <p class="muted">{say('The alarm is not acknowledged any more, as if you had not pressed.')}</p>
        <button type="submit">{say('Undo')}</button>
      </form>
    </section>
  );
};
