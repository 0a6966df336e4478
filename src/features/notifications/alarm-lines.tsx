// How an alarm stands, on the pages that links of messages lead to.
import { FactList, NewestValue, type ShownFacts } from '../../engine/pages/alarm-facts.tsx';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { type ShownTime, Time } from '../../platform/html/time.tsx';

export interface ShownAlarm {
  severity: 'critical' | 'warning';
  message: string;
  since: ShownTime | null;
  facts: ShownFacts | null;
}

export const AlarmLines = ({ severity, message, since, facts }: ShownAlarm) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <>
      {facts && (
        <p>
          <NewestValue {...facts} />
        </p>
      )}
      <p>
        <span class={`severity severity-${severity}`}>
          {severity === 'critical' ? say('Critical') : say('Warning')}
        </span>{' '}
        {since
          ? sayWith(language, '{message}, since {time}', { message, time: <Time {...since} /> })
          : message}
      </p>
      {facts && <FactList {...facts} />}
    </>
  );
};
