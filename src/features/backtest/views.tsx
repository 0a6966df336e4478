import type { ComponentChildren } from 'preact';
import type { BacktestFigures } from '../../domain/advisor/recommendation.ts';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
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

/** What stands beside the edit form while somebody changes limits. */
export const TriedLimits = ({ subject, since, readings, current, proposed, warnings }: TriedLimitsModel) => {
  const language = useLanguage();
  const { say, sayAs } = language;
  const strong = (inside: ComponentChildren) => <strong>{inside}</strong>;
  const alarms = { proposed: proposed.alarms, current: current.alarms };
  const sayFigure = (minutes: number) => say('{minutes} min', { minutes: language.number(minutes, 1) });
  return (
    <div class="backtest" role="status">
      <p>
        {since
          ? sayWith(
              language,
              'Since {since}, the first stored reading, these limits would have raised <strong>{proposed, plural, one {# alarm} other {# alarms}}</strong>; the ones in force would have raised <strong>{current, plural, one {# alarm} other {# alarms}}</strong>.',
              { ...alarms, since: <Time {...since} />, strong },
            )
          : sayWith(
              language,
              'In the last 30 days, these limits would have raised <strong>{proposed, plural, one {# alarm} other {# alarms}}</strong>; the ones in force would have raised <strong>{current, plural, one {# alarm} other {# alarms}}</strong>.',
              { ...alarms, strong },
            )}
      </p>
      <TableScroll label={say('Backtest of these limits')}>
        <table class="stacked">
          <caption>
            {say('Limits of {subject}, tried on {readings} stored readings', { subject, readings })}
          </caption>
          <ColumnHeads columns={[say('Figure'), sayAs('limits', 'In force'), sayAs('limits', 'These')]} />
          <tbody>
            <Figure
              name={say('Alarms')}
              now={language.number(current.alarms)}
              then={language.number(proposed.alarms)}
            />
            <Figure
              name={say('Time in alarm')}
              now={sayFigure(current.alarm_minutes)}
              then={sayFigure(proposed.alarm_minutes)}
            />
            <Figure
              name={say('Longest excursion')}
              now={sayFigure(current.longest_minutes)}
              then={sayFigure(proposed.longest_minutes)}
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
  const { sayAs } = useLanguage();
  return (
    <tr>
      <th scope="row">{name}</th>
      <Cell column={sayAs('limits', 'In force')}>{now}</Cell>
      <Cell column={sayAs('limits', 'These')}>{then}</Cell>
    </tr>
  );
};

export const BacktestNotice = ({ text }: { text: string }) => (
  <div class="backtest">
    <Notice kind="error">{text}</Notice>
  </div>
);
