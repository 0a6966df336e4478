// The facts of an alarm on a page: the same words wherever it is shown.

import { type AlarmFacts, listFacts, sayAlarm, sayNow } from '../../domain/words/alarm-facts.ts';
import { useLanguage } from '../../platform/html/language.tsx';
import { type Reader, type ShownTime, showTime, Time } from '../../platform/html/time.tsx';

export interface ShownFacts {
  /** `5.29 °C, rising` */
  now: string;
  isStale: boolean;
  /** `Temperature 5.29 °C is above the critical limit of −8 °C` */
  said: string;
  /** All others. */
  details: { title: string; value: string | ShownTime }[];
}

/** null: there is no value to speak of, or no limit, and its message says it all. */
export function showFacts(facts: AlarmFacts | null | undefined, reader: Reader): ShownFacts | null {
  const now = facts ? sayNow(facts, reader.language) : null;
  const said = facts ? sayAlarm(facts, reader.language) : null;
  if (!facts || now === null || said === null) return null;
  return {
    now,
    isStale: facts.isStale,
    said,
    details: listFacts(facts, reader.language)
      .slice(1)
      .map(({ title, value }) => ({ title, value: value instanceof Date ? showTime(value, reader) : value })),
  };
}

export const NewestValue = ({ now, isStale }: Pick<ShownFacts, 'now' | 'isStale'>) => {
  const { say } = useLanguage();
  return (
    <>
      <strong class="alarm-value">{now}</strong>{' '}
      <span class="muted">{say(isStale ? 'last known' : 'now')}</span>
    </>
  );
};

export const FactList = ({ details }: Pick<ShownFacts, 'details'>) => (
  <dl class="facts" data-part="facts">
    {details.map(({ title, value }) => (
      <div key={title}>
        <dt>{title}</dt>
        <dd>{typeof value === 'string' ? value : <Time {...value} />}</dd>
      </div>
    ))}
  </dl>
);

/** In one line, where the limit and the alarm's beginning stand beside it already. */
export const FactLine = ({ details }: Pick<ShownFacts, 'details'>) => {
  const { say } = useLanguage();
  const titles = [say('Over since'), say('Worst so far')];
  const shown = details.filter(({ title }) => titles.includes(title));
  return shown.length === 0 ? null : (
    <div class="muted">
      {shown.map(({ title, value }, index) => (
        <span key={title}>
          {index > 0 && ' · '}
          {title} {typeof value === 'string' ? value : <Time {...value} />}
        </span>
      ))}
    </div>
  );
};
