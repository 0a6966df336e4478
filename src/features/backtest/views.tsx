import type { BacktestFigures } from '../../domain/advisor/recommendation.ts';
import { useLanguage } from '../../platform/html/language.tsx';
import { Notice } from '../../platform/html/notice.tsx';
import { Cell, ColumnHeads, TableScroll } from '../../platform/html/table-scroll.tsx';
import { type ShownTime, Time } from '../../platform/html/time.tsx';

export interface TriedLimitsModel {
  subject: string;
  /** null: the last 30 days, from end to end. */
  since: ShownTime | null;
  readings: number;
  current: BacktestFigures;
  proposed: BacktestFigures;
  /** What would not be saved of what was typed. */
  warnings: string[];
}

const countAlarms = (alarms: number) => `${alarms} ${alarms === 1 ? 'alarm' : 'alarms'}`;
const showMinutes = (minutes: number) => `${Number(minutes.toFixed(1))} min`;

/** What stands beside the edit form while somebody changes limits. */
export const TriedLimits = ({ subject, since, readings, current, proposed, warnings }: TriedLimitsModel) => {
  const { say } = useLanguage();
  return (
    <div class="backtest" role="status">
      <p>
        {since
          ? ['Since ', <Time key="since" {...since} />, ', the first stored reading']
          : say('In the last 30 days')}
        , these limits would have raised <strong>{countAlarms(proposed.alarms)}</strong>; the ones in force
        would have raised <strong>{countAlarms(current.alarms)}</strong>.
      </p>
      <TableScroll label={say('Backtest of these limits')}>
        <table class="stacked">
          <caption>
            {say('Limits of {subject}, tried on {readings} stored readings', { subject, readings })}
          </caption>
          <ColumnHeads columns={['Figure', 'In force', 'These']} />
          <tbody>
            <Figure name="Alarms" now={`${current.alarms}`} then={`${proposed.alarms}`} />
            <Figure
              name="Time in alarm"
              now={showMinutes(current.alarm_minutes)}
              then={showMinutes(proposed.alarm_minutes)}
            />
            <Figure
              name="Longest excursion"
              now={showMinutes(current.longest_minutes)}
              then={showMinutes(proposed.longest_minutes)}
            />
          </tbody>
        </table>
      </TableScroll>
      {warnings.map((warning) => (
        <Notice key={warning} kind="error">
          {warning}
        </Notice>
      ))}
    </div>
  );
};

const Figure = ({ name, now, then }: { name: string; now: string; then: string }) => {
  const { say } = useLanguage();
  return (
    <tr>
      <th scope="row">{name}</th>
      <Cell column={say('In force')}>{now}</Cell>
      <Cell column={say('These')}>{then}</Cell>
    </tr>
  );
};

export const BacktestNotice = ({ text }: { text: string }) => (
  <div class="backtest">
    <Notice kind="error">{text}</Notice>
  </div>
);
