// Who would be told, step by step, as the decision itself says.

import type { Language } from '../../domain/language/speak.ts';
import type { Forecast } from '../../domain/notifications/foretell.ts';
import { LAST_RESORT } from '../../domain/notifications/ladder.ts';
import { type Reason, sayReason } from '../../domain/notifications/reason.ts';
import type { Recipient } from '../../domain/on-call/recipient.ts';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import {
  type Reader,
  type ShownText,
  type ShownTime,
  showText,
  showTime,
  Text,
  Time,
} from '../../platform/html/time.tsx';
import { Rung } from './rung.tsx';

export interface ForecastModel {
  steps: { step: number; label: string; at: ShownTime; who: string[]; reason: ShownText | null }[];
  /** Why nobody is told at all; null: somebody is. */
  nobody: ShownText | null;
}

export function showForecast(
  { told, reason }: Forecast,
  reader: Reader,
  nameOf: (recipient: Recipient) => string,
): ForecastModel {
  return {
    steps: told.map(({ step, at, recipients, reason: why }) => ({
      step,
      label: nameStep(step, reader.language),
      at: showTime(at, reader),
      who: [...new Set(recipients.map(nameOf))],
      reason: showWhy(why, reader),
    })),
    nobody: told.some(({ recipients }) => recipients.length > 0)
      ? null
      : showText(sayReason(reason, reader.language), reader),
  };
}

/** null: that a drill begins says its page. */
export const showWhy = (reason: Reason, reader: Reader): ShownText | null =>
  reason.code === 'drill' ? null : showText(sayReason(reason, reader.language), reader);

export function nameStep(step: number, { say, sayAs }: Language): string {
  if (step === LAST_RESORT) return say('Last resort: administrators');
  return step === 0 ? sayAs('a step', 'First') : say('Step {step}', { step });
}

export const ForecastList = ({ steps, nobody }: ForecastModel) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <>
      {nobody !== null && (
        <p>
          {sayWith(language, '<strong>Nobody is notified</strong>: {why}', {
            strong: (inside) => <strong class="error">{inside}</strong>,
            why: <Text parts={nobody} />,
          })}
        </p>
      )}
      {steps.length > 0 && (
        <ol class="ladder" aria-label={say('Who would be notified')}>
          {steps.map(({ step, label, at, who, reason }) => (
            <Rung
              key={`${step} ${at.iso}`}
              step={step}
              when={label}
              note={<Time {...at} />}
              isEmpty={who.length === 0}
            >
              <p>
                {who.length === 0 ? (
                  <strong class="error">{say('Nobody')}</strong>
                ) : (
                  <strong>{who.join(', ')}</strong>
                )}
              </p>
              {reason && (
                <p class="muted">
                  <Text parts={reason} />
                </p>
              )}
            </Rung>
          ))}
        </ol>
      )}
    </>
  );
};
