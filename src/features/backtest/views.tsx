import type { BacktestFigures } from '../../domain/recommendation.ts';
import { ColumnHeads, TableScroll } from '../../platform/html/table-scroll.tsx';
import { type ShownTime, Time } from '../../platform/html/time.tsx';

export interface TriedLimitsModel {
  subject: string;
  /** null: the last 30 days, from end to end. */
  since: ShownTime | null;
  readings: number;
  current: BacktestFigures;
  proposed: BacktestFigures;
  /** Bands, as people call them, whose limit of 0 would not be saved. */
  unsaved: string[];
}

const countAlarms = (alarms: number) => `${alarms} ${alarms === 1 ? 'alarm' : 'alarms'}`;
const showMinutes = (minutes: number) => `${Number(minutes.toFixed(1))} min`;

/** What stands beside the edit form while somebody changes limits. */
export const TriedLimits = ({ subject, since, readings, current, proposed, unsaved }: TriedLimitsModel) => (
  <div class="backtest" role="status">
    <p>
      {since
        ? ['Since ', <Time key="since" {...since} />, ', the first stored reading']
        : 'In the last 30 days'}
      , these limits would have raised <strong>{countAlarms(proposed.alarms)}</strong>; the ones in force
      would have raised <strong>{countAlarms(current.alarms)}</strong>.
    </p>
    <TableScroll label="Backtest of these limits">
      <table>
        <caption>
          Limits of {subject}, tried on {readings} stored readings
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
    {unsaved.map((band) => (
      <p key={band}>{band}: a limit of 0 without delay and sustained time is not saved.</p>
    ))}
  </div>
);

const Figure = ({ name, now, then }: { name: string; now: string; then: string }) => (
  <tr>
    <th scope="row">{name}</th>
    <td>{now}</td>
    <td>{then}</td>
  </tr>
);

export const BacktestNotice = ({ text }: { text: string }) => (
  <div class="backtest" role="alert">
    <p>{text}</p>
  </div>
);
