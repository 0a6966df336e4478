import { Page } from '../../engine/pages/page.tsx';
import { Place } from '../../engine/pages/place.tsx';
import { Notice } from '../../platform/html/notice.tsx';
import { type ShownTime, Time } from '../../platform/html/time.tsx';

/** How the alarm of a message stands by now. */
export type Standing = 'open' | 'acknowledged' | 'over';

interface AlarmModel {
  serviceId: number;
  serviceName: string;
  place: string[];
  severity: 'critical' | 'warning' | 'stale';
  isDrill: boolean;
  standing: Standing;
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
  const [worst] = alarms;
  const isOne = alarms.length === 1 && more === 0;
  const title = isOne && worst ? worst.serviceName : `${alarms.length + more} alarms`;
  return (
    <Page title={`${title}: do you have it?`} visitor={null}>
      <div class="narrow">
        <h1>{title}</h1>
        {isOne && worst ? (
          <OneAlarm {...worst} toldAt={toldAt} />
        ) : (
          <p>
            Told <Time {...toldAt} />
          </p>
        )}
        {confirmedAt ? (
          <Notice kind="done">
            Noted, <Time {...confirmedAt} />: you have it. Thank you.
          </Notice>
        ) : (
          <form method="post" action={action}>
            <button type="submit" class="button-primary">
              I have it
            </button>
          </form>
        )}
        <p>
          This acknowledges nothing and stops no message. For more,{' '}
          {isOne && worst ? (
            <a href={`/services/${worst.serviceId}`}>look at the service</a>
          ) : (
            <a href="/">see all alarms</a>
          )}
          : that asks you to sign in.
        </p>
        {!isOne && <AlarmRows alarms={alarms} more={more} />}
        <p class="muted">Times are in {timezone}.</p>
      </div>
    </Page>
  );
};

const LABELS: Record<AlarmModel['severity'], string> = {
  critical: 'Critical',
  warning: 'Warning',
  stale: 'No data',
};

const Severity = ({ severity }: Pick<AlarmModel, 'severity'>) => (
  <span class={`severity severity-${severity}`}>{LABELS[severity]}</span>
);

const STANDINGS: Record<Exclude<Standing, 'open'>, string> = {
  acknowledged: 'Somebody has acknowledged it by now: there is nothing left for you to do.',
  over: 'It is over by now: there is nothing left for you to do.',
};

const OneAlarm = ({ place, severity, isDrill, toldAt, standing }: AlarmModel & { toldAt: ShownTime }) => (
  <>
    <Place parts={place} />
    <p>
      <Severity severity={severity} /> told <Time {...toldAt} />
    </p>
    {isDrill && <p>This is a drill, not a real alarm.</p>}
    {standing !== 'open' && <p>{STANDINGS[standing]}</p>}
  </>
);

const SHORTLY: Record<Standing, string> = {
  open: '',
  acknowledged: 'acknowledged by now',
  over: 'over by now',
};

const AlarmRows = ({ alarms, more }: Pick<ReceiptModel, 'alarms' | 'more'>) => (
  <>
    <ul class="rows">
      {alarms.map(({ serviceName, place, severity, isDrill, standing }, index) => (
        <li key={index}>
          <div>
            <strong>{serviceName}</strong>
            <Place parts={place} />
          </div>
          <span>
            {isDrill && 'Drill: '}
            <Severity severity={severity} /> {SHORTLY[standing]}
          </span>
        </li>
      ))}
    </ul>
    {more > 0 && <p class="muted">and {more} more</p>}
  </>
);
