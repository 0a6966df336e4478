// The ladder of a group as its page draws it: each step with who stands on it, and whom it reaches now.

import type { Language } from '../../domain/language/speak.ts';
import { inARow } from '../../domain/list-names.ts';
import { foretellInSteps, serviceOf } from '../../domain/notifications/foretell.ts';
import { findGaps, type Gap, listStandings, type Outlook } from '../../domain/notifications/gaps.ts';
import { FIRST_STEP, standAt } from '../../domain/notifications/ladder.ts';
import type { Beginning } from '../../domain/notifications/subject.ts';
import type { During } from '../../domain/on-call/lab-hours.ts';
import type { Recipient } from '../../domain/on-call/recipient.ts';
import { sayMinutes } from '../../domain/words/say-minutes.ts';
import { readRotaNames } from '../../engine/on-call/rotas.ts';
import { readLadder, toLadder } from '../../engine/outbox/ladders.ts';
import { type DutyBar, drawBars, drawDays, SHOWN_MS, type Week } from '../../engine/pages/duty-bars.tsx';
import { type ForecastModel, showForecast } from '../../engine/pages/forecast.tsx';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { type Reader, type ShownTime, showTime } from '../../platform/html/time.tsx';
import { eachInTurn, inSlices } from '../../platform/in-slices.ts';
import type { Group } from './queries.ts';

const DAY_MS = 24 * 60 * 60_000;

export interface LadderModel {
  rungs: RungModel[];
  /** Without one everybody is told at once, as ever. */
  hasSteps: boolean;
  hasHours: boolean;
  rotas: { id: number; name: string }[];
  /** The next seven days of each step. */
  lines: { name: string; bars: DutyBar[] }[];
  days: Week['days'];
  outlook: OutlookModel;
  /** Of a critical alarm that begins now. */
  forecast: ForecastModel;
}

export interface OutlookModel {
  nobody: GapsModel;
  onlyMail: GapsModel;
  /** People change so often that it was not looked further than this. */
  endsEarly: ShownTime | null;
}

interface GapsModel {
  count: number;
  /** The first of them. */
  shown: { from: ShownTime; until: ShownTime }[];
}

const GAPS_SHOWN = 5;

export interface RungModel {
  step: number;
  afterMinutes: number;
  subjects: readonly Beginning[];
  stand: StandModel[];
  /** Whom it would reach now. */
  now: string[];
}

interface StandModel {
  /** `rota 3`, as the form says it. */
  who: string;
  name: string;
  during: During;
}

export async function readLadderModel(
  db: ReadDatabase,
  group: Group,
  nameWebhook: (id: string) => string,
  reader: Reader,
): Promise<LadderModel | null> {
  const { now, language } = reader;
  const [row, rotas] = await Promise.all([
    readLadder(db, group.id, now),
    readRotaNames(db, group.organizationId),
  ]);
  if (!row) return null;
  const ladder = toLadder(row);
  const told = { id: group.id, name: group.name, ladder };
  const standing = standAt(ladder, now);
  const nameOf = ({ transport, recipient, accountName }: Recipient) =>
    transport === 'webhook' ? nameWebhook(recipient) : (accountName ?? recipient);
  const nameAll = (recipients: readonly Recipient[]) =>
    recipients.length === 0
      ? null
      : inARow(
          [
            // However many ways a person has.
            ...new Set(
              [...recipients]
                // Whoever changes comes first: a narrow bar shows no more.
                .sort((one, other) => Number(one.accountId == null) - Number(other.accountId == null))
                .map(nameOf),
            ),
          ],
          language,
        );
  const stands = [
    ...row.targets.map((target) => ({
      step: target.step,
      during: target.during,
      name: nameOf(target),
      who:
        target.transport === 'webhook'
          ? `webhook ${target.recipient}`
          : target.accountId != null
            ? `account ${target.accountId}`
            : `email ${target.recipient}`,
    })),
    ...row.rotaTargets.map(({ rotaId, ...target }) => ({
      ...target,
      name: language.say('Rota {name}', { name: rotas.find(({ id }) => id === rotaId)?.name ?? '' }),
      who: `rota ${rotaId}`,
    })),
  ];
  const rungs = [FIRST_STEP, ...row.steps].map(({ step, afterMinutes, subjects }) => ({
    step,
    afterMinutes,
    subjects,
    stand: stands.filter((one) => one.step === step),
    now: [...new Set((standing.steps.find((one) => one.step === step)?.recipients ?? []).map(nameOf))],
  }));
  const week = await inSlices(listStandings(ladder, now, new Date(now.getTime() + SHOWN_MS)));
  const drawLine = ({ step, afterMinutes }: RungModel) => {
    const spans = week.map(({ standing: { steps }, ...span }) => ({
      ...span,
      label: nameAll(steps.find((one) => one.step === step)?.recipients ?? []),
    }));
    return { name: nameWhen(step, afterMinutes, language), bars: drawBars(spans, reader) };
  };
  const lines = await inSlices(eachInTurn(rungs, drawLine));
  const outlook = await inSlices(findGaps(told, now));
  return {
    rungs,
    hasSteps: row.steps.length > 0,
    hasHours: row.hours !== null,
    rotas,
    lines,
    days: drawDays(reader),
    forecast: showForecast(
      await inSlices(
        foretellInSteps(serviceOf(told), 'critical', { from: now, until: new Date(now.getTime() + DAY_MS) }),
      ),
      reader,
      nameOf,
    ),
    outlook: showOutlook(outlook, reader),
  };
}

function showOutlook({ gaps, endsEarlyAt }: Outlook, reader: Reader): OutlookModel {
  const show = (wanted: Gap['kind']): GapsModel => {
    const alike = gaps.filter(({ kind }) => kind === wanted);
    const shown = alike.slice(0, GAPS_SHOWN).map(({ startAt, endAt }) => ({
      from: showTime(startAt, reader),
      until: showTime(endAt, reader),
    }));
    return { count: alike.length, shown };
  };
  return {
    nobody: show('nobody'),
    onlyMail: show('only_mail'),
    endsEarly: endsEarlyAt && showTime(endsEarlyAt, reader),
  };
}

export const nameWhen = (step: number, afterMinutes: number, language: Language): string =>
  step === 0
    ? language.say('At once')
    : language.say('After {span}', { span: sayMinutes(afterMinutes, language) });
