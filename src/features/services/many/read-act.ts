// Which act on many units a form asks for, and what it says of each unit that it reaches.

import type { Telling } from '../../../domain/equipment/telling.ts';
import { isTemplate } from '../../../domain/equipment/templates.ts';
import type { ServiceId } from '../../../domain/ids.ts';
import { ok, type Result, refuse } from '../../../domain/result.ts';
import { type ActRefusal, sayRefused } from '../../../domain/words/act-words.ts';
import { archiveMany } from '../../../engine/acts/many/archive-many.ts';
import { downtimeForMany } from '../../../engine/acts/many/downtime-many.ts';
import { groupForMany } from '../../../engine/acts/many/group-for-many.ts';
import { type LimitsSource, limitsForMany } from '../../../engine/acts/many/limits-for-many.ts';
import type { ManyAct, UnitStep } from '../../../engine/acts/many/many-act.ts';
import type { ManyActName } from '../../../engine/acts/many/many-act-rows.ts';
import { muteMany, unmuteMany } from '../../../engine/acts/many/mute-many.ts';
import { readMuteLength } from '../../../engine/acts/mute-by-page.ts';
import { readWindow } from '../../../engine/acts/schedule-downtime.ts';
import { readPageId } from '../../../engine/pages/page-routes.ts';
import {
  emptyValues,
  findEndTime,
  readValues,
  type ScheduleValues,
} from '../../../engine/pages/schedule-form.tsx';
import type { Visitor } from '../../../engine/pages/visitor.ts';
import { type FieldFault, NOBODY } from './act-forms.tsx';
import { sayGroupStep, sayLimitsStep, sayLoud, sayQuiet } from './say-steps.ts';

type Sent = Record<string, string | undefined>;
export type Tellings = ReadonlyMap<ServiceId, Telling>;

export interface SaidAct {
  act: ManyAct<UnitStep>;
  say(step: UnitStep, tellings: Tellings): string[];
}

const said = <OneStep extends UnitStep>(
  act: ManyAct<OneStep>,
  say: (step: OneStep, tellings: Tellings) => string[],
): SaidAct => ({ act, say: (step, tellings) => say(step as OneStep, tellings) });

/** null: something has to be chosen first. */
type ReadAct = (sent: Sent, visitor: Visitor, isSent: boolean) => Result<SaidAct | null, FieldFault>;

export const READ_ACTS: Record<ManyActName, ReadAct> = {
  mute: ({ minutes: span, reason }, { language }) => {
    const length = readMuteLength({ reason, span });
    if (!length.ok) return refuse(faultIn('reason', length.refusal, language));
    return ok(
      said(muteMany({ reason, ...length.value }), ({ serviceId }, tellings) => [
        sayQuiet(tellings.get(serviceId), language),
      ]),
    );
  },
  unmute: (_, { language }) =>
    ok(said(unmuteMany(), ({ serviceId }, tellings) => [sayLoud(tellings.get(serviceId), language)])),
  downtime: (sent, visitor, isSent) => {
    const { language, timezone, now } = visitor;
    const values = readWindowForm(sent, visitor, isSent);
    const { start_time: startTime, reason } = values;
    const endTime = findEndTime(values, timezone);
    // What it would do to each does not depend on when it is.
    const window = readWindow({ startTime, endTime, reason: isSent ? reason : '-' }, timezone, now);
    if (!window.ok) return refuse(faultIn(FIELD_OF[window.refusal] ?? 'reason', window.refusal, language));
    return ok(
      said(downtimeForMany({ ...window.value, reason }), ({ serviceId }, tellings) => [
        sayQuiet(tellings.get(serviceId), language),
      ]),
    );
  },
  group: ({ group = '' }, { language }) => {
    const id = readPageId(group);
    if (id === null && group !== NOBODY) return ok(null);
    return ok(said(groupForMany(id), (step) => [sayGroupStep(step, language)]));
  },
  limits: ({ limits = '' }, { language }) => {
    const source = readSource(limits);
    return ok(source && said(limitsForMany(source), (step) => sayLimitsStep(step, language)));
  },
  archive: (_, { language }) =>
    ok(said(archiveMany(), ({ serviceId }, tellings) => [sayQuiet(tellings.get(serviceId), language)])),
};

const FIELD_OF: Partial<Record<ActRefusal, string>> = {
  unparsable_time: 'start_time',
  end_not_after_start: 'end_time',
  already_over: 'end_time',
};

const faultIn = (field: string, refusal: ActRefusal, language: Visitor['language']): FieldFault => ({
  field,
  text: sayRefused(refusal, language).text,
});

export const readWindowForm = (sent: Sent, visitor: Visitor, isSent: boolean): ScheduleValues =>
  isSent ? readValues(withoutGaps(sent)) : emptyValues(null, visitor);

const withoutGaps = (sent: Sent): Record<string, string> =>
  Object.fromEntries(
    Object.entries(sent).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])),
  );

function readSource(text: string): LimitsSource | null {
  const template = /^template-(.+)$/.exec(text)?.[1];
  if (isTemplate(template)) return { template };
  const copiedFrom = readPageId<ServiceId>(/^unit-(\d+)$/.exec(text)?.[1]);
  return copiedFrom === null ? null : { copiedFrom };
}
