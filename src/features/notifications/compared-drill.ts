// What was foretold of a drill beside what became of it, in words.

import { message } from '../../domain/language/message.ts';
import type { Language } from '../../domain/language/speak.ts';
import {
  type ComparedStep,
  type Difference,
  sayComparison,
} from '../../domain/notifications/compare-foretold.ts';
import { findOutcome, isTrouble, type Outcome } from '../../domain/notifications/outcome.ts';
import type { MethodKind } from '../../domain/on-call/contact-method.ts';
import type { Recipient } from '../../domain/on-call/recipient.ts';
import { nameStep, showWhy } from '../../engine/pages/forecast.tsx';
import { describeDelivery, nameWay, type ToldReader } from '../../engine/told/told-model.ts';
import type { DeliveryRecord } from '../../engine/told/told-records.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { type ShownText, type ShownTime, showTime } from '../../platform/html/time.tsx';
import { selectWebhooks } from './queries.ts';

export interface ComparedModel {
  words: string;
  isOtherwise: boolean;
  /** Not all that was foretold has come to pass. */
  isUnderWay: boolean;
  steps: { step: number; label: string; at: ShownTime; reason: ShownText | null; ways: WayModel[] }[];
}

interface WayModel {
  name: string;
  /** How it differs; null: it does not, or the words say it. */
  difference: string | null;
  words: string;
  at: ShownTime | null;
  /** `muted`: nothing came of it, and nothing should. */
  tone: 'plain' | 'trouble' | 'muted';
}

type ToldWay = Recipient & { step: number; at: Date; outcome: Outcome; record: DeliveryRecord };

export const toWay = (record: DeliveryRecord): ToldWay => ({
  transport: record.transport,
  recipient: record.recipient,
  step: record.step,
  at: record.toldAt,
  outcome: findOutcome(record),
  record,
});

export function showCompared(
  steps: readonly ComparedStep<ToldWay>[],
  nameOf: NameOf,
  reader: ToldReader,
): ComparedModel {
  return {
    words: sayComparison(steps, reader.language),
    isUnderWay: isUnderWay(steps),
    isOtherwise: steps.some(({ ways }) => ways.some(({ difference }) => difference !== null)),
    steps: steps.map(({ step, at, reason, ways }) => ({
      step,
      label: nameStep(step, reader.language),
      at: showTime(at, reader),
      reason: reason && showWhy(reason, reader),
      ways: ways.map((one) => showWay(one, nameOf, reader)),
    })),
  };
}

export const isUnderWay = (steps: readonly ComparedStep<ToldWay>[]): boolean =>
  steps.some(({ ways }) => ways.some(({ standing, difference }) => standing === 'due' && !difference));

/** Where the words of its outcome do not say it. */
const DIFFERENCES = {
  not_told: message('Was not notified'),
  not_foretold: message('Was not foretold'),
  other_time: message('At another time'),
  left_out: null,
  not_handed_over: null,
} as const satisfies Record<Difference, string | null>;

function showWay(
  { way, told, standing, difference }: ComparedStep<ToldWay>['ways'][number],
  nameOf: NameOf,
  reader: ToldReader,
): WayModel {
  const { say } = reader.language;
  const differing = difference && DIFFERENCES[difference];
  const words = differing && say(differing);
  const tone = difference ? 'trouble' : 'plain';
  if (!told) {
    const standingWords = {
      told: '',
      due: say('To come'),
      spared: say('Not needed: acknowledged before'),
    }[standing];
    return {
      name: nameOf(way),
      difference: words,
      words: difference ? '' : standingWords,
      at: null,
      tone: difference ? tone : 'muted',
    };
  }
  const { recipient: name, ...delivery } = describeDelivery(told.record, reader);
  return {
    name,
    difference: words,
    words: delivery.words,
    at: delivery.at,
    tone: isTrouble(told.outcome) ? 'trouble' : tone,
  };
}

export type NameOf = (way: Recipient) => string;

/** As those who were told are named. */
export async function readNames(
  db: ReadDatabase,
  ways: readonly Recipient[],
  language: Language,
): Promise<NameOf> {
  const hooks = await selectWebhooks(
    db,
    ways.filter(({ transport }) => transport === 'webhook').map(({ recipient }) => recipient),
  );
  return ({ transport, recipient, accountName = null, via }) => {
    const { webhookKind = null, webhookUrl = null } = hooks.find(({ id }) => id === recipient) ?? {};
    const named = { transport, recipient, accountName, via: (via ?? null) as MethodKind | null };
    return nameWay({ ...named, webhookKind, webhookUrl }, true, language);
  };
}
