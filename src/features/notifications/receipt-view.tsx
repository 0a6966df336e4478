import { message } from '../../domain/language/message.ts';
import { Page } from '../../engine/pages/page.tsx';
import { Place } from '../../engine/pages/place.tsx';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { Notice } from '../../platform/html/notice.tsx';
import { type ShownTime, Time } from '../../platform/html/time.tsx';

/** How the alarm of a message stands by now. */
export type HowItStands = 'open' | 'acknowledged' | 'over';

interface AlarmModel {
  serviceId: number;
  serviceName: string;
  place: string[];
  severity: 'critical' | 'warning' | 'stale';
  isDrill: boolean;
  standing: HowItStands;
}

export interface ReceiptModel {
  /** Where the button leads. */
  action: string;
  timezone: string;
  toldAt: ShownTime;
  confirmedAt: ShownTime | null;
  /** The worst first. */
  alarms: AlarmModel[];
  /** Alarms of the same mail that are not listed. */
  more: number;
}

/** Looking is not enough: programs that check links in mails look, too. */
export const ReceiptPage = ({ action, timezone, toldAt, confirmedAt, alarms, more }: ReceiptModel) => {
  const language = useLanguage();
  const { say } = language;
  const [worst] = alarms;
  const isOne = alarms.length === 1 && more === 0;
  const title =
    isOne && worst
      ? worst.serviceName
      : say('{count, plural, one {# alarm} other {# alarms}}', { count: alarms.length + more });
  return (
    <Page title={say('{title}: do you have it?', { title })} visitor={null}>
      <div class="narrow">
        <h1>{title}</h1>
        {isOne && worst ? (
          <OneAlarm {...worst} toldAt={toldAt} />
        ) : (
          <p>{sayWith(language, 'Notified {time}', { time: <Time {...toldAt} /> })}</p>
        )}
        {confirmedAt ? (
          <Notice kind="done">
            {sayWith(language, 'Noted, {time}: you have it. Thank you.', { time: <Time {...confirmedAt} /> })}
          </Notice>
        ) : (
          <form method="post" action={action}>
            <button type="submit" class="button-primary">
              {say('I have it')}
            </button>
          </form>
        )}
        <p>
          {isOne && worst
            ? sayWith(
                language,
                'This acknowledges nothing and stops no message. For more, <a>look at the service</a>: that asks you to sign in.',
                { a: (inside) => <a href={`/services/${worst.serviceId}`}>{inside}</a> },
              )
            : sayWith(
                language,
                'This acknowledges nothing and stops no message. For more, <a>see all alarms</a>: that asks you to sign in.',
                { a: (inside) => <a href="/">{inside}</a> },
              )}
        </p>
        {!isOne && <AlarmRows alarms={alarms} more={more} />}
        <p class="muted">{say('Times are in {timezone}.', { timezone })}</p>
      </div>
    </Page>
  );
};

const LABELS = {
  critical: message('Critical'),
  warning: message('Warning'),
  stale: message('No data'),
} as const satisfies Record<AlarmModel['severity'], string>;

const Severity = ({ severity }: Pick<AlarmModel, 'severity'>) => (
  <span class={`severity severity-${severity}`}>{useLanguage().say(LABELS[severity])}</span>
);

const STANDINGS = {
  acknowledged: message('Somebody has acknowledged it by now: there is nothing left for you to do.'),
  over: message('It is over by now: there is nothing left for you to do.'),
} as const satisfies Record<Exclude<HowItStands, 'open'>, string>;

const OneAlarm = ({ place, severity, isDrill, toldAt, standing }: AlarmModel & { toldAt: ShownTime }) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <>
      <Place parts={place} />
      <p>
        {sayWith(language, '{severity} notified {time}', {
          severity: <Severity severity={severity} />,
          time: <Time {...toldAt} />,
        })}
      </p>
      {isDrill && <p>{say('This is a drill, not a real alarm.')}</p>}
      {standing !== 'open' && <p>{say(STANDINGS[standing])}</p>}
    </>
  );
};

const SHORTLY = {
  open: null,
  acknowledged: message('{severity} acknowledged by now'),
  over: message('{severity} over by now'),
} as const satisfies Record<HowItStands, string | null>;

const SHORTLY_OF_DRILL = {
  open: message('Drill: {severity}'),
  acknowledged: message('Drill: {severity} acknowledged by now'),
  over: message('Drill: {severity} over by now'),
} as const satisfies Record<HowItStands, string>;

const Standing = ({ isDrill, severity, standing }: AlarmModel) => {
  const language = useLanguage();
  const shown = <Severity severity={severity} />;
  const words = (isDrill ? SHORTLY_OF_DRILL : SHORTLY)[standing];
  return <span>{words ? sayWith(language, words, { severity: shown }) : shown}</span>;
};

const AlarmRows = ({ alarms, more }: Pick<ReceiptModel, 'alarms' | 'more'>) => {
  const { say } = useLanguage();
  return (
    <>
      <ul class="rows">
        {alarms.map((alarm, index) => (
          <li key={index}>
            <div>
              <strong>{alarm.serviceName}</strong>
              <Place parts={alarm.place} />
            </div>
            <Standing {...alarm} />
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p class="muted">{say('{count, plural, one {and # more} other {and # more}}', { count: more })}</p>
      )}
    </>
  );
};
