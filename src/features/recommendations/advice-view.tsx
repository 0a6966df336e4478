import { message } from '../../domain/language/message.ts';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { Cell, ColumnHeads, TableScroll } from '../../platform/html/table-scroll.tsx';
import { Time } from '../../platform/html/time.tsx';
import type { AdviceModel, BacktestModel, BandModel, ProposalModel } from './panel-model.ts';

const UNUSABLE = {
  missing: message('The result proposes no bands yet, so there is nothing to apply.'),
  unusable: message('The result has no usable list of bands, so it cannot be applied.'),
};

const CHANGES = {
  // For translators: what becomes of a limit
  new: message('new'),
  changed: message('changed'),
  removed: message('removed'),
  unchanged: message('unchanged'),
};

export const AdviceDetails = ({ proposal, reasoning, backtest }: AdviceModel) => {
  const { say } = useLanguage();
  return (
    <>
      {typeof proposal === 'string' ? <p>{say(UNUSABLE[proposal])}</p> : <BandTable {...proposal} />}
      {reasoning.length > 0 && (
        <>
          <h3>{say('Reasoning')}</h3>
          <ul class="reasons">
            {reasoning.map((sentence, index) => (
              <li key={index}>{sentence}</li>
            ))}
          </ul>
        </>
      )}
      {backtest && <BacktestTable {...backtest} />}
    </>
  );
};

const BandTable = ({ channelName, isInForce, notes, bands }: ProposalModel) => {
  const { say, sayAs } = useLanguage();
  return (
    <>
      <TableScroll label={isInForce ? say('Applied limits') : say('Current and proposed limits')}>
        <table class="stacked">
          <caption>{say('Limits of {subject}', { subject: channelName })}</caption>
          <ColumnHeads
            columns={
              isInForce
                ? [say('Band'), sayAs('limits', 'Applied')]
                : [say('Band'), sayAs('limits', 'Current'), sayAs('limits', 'Proposed'), say('Change')]
            }
          />
          <tbody>
            {bands.map(({ name, current, proposed, change }) => (
              <tr key={name} class={`band-${change}`}>
                <th scope="row">{name}</th>
                {!isInForce && <BandCell column={sayAs('limits', 'Current')} band={current} />}
                <BandCell
                  column={isInForce ? sayAs('limits', 'Applied') : sayAs('limits', 'Proposed')}
                  band={proposed}
                />
                {!isInForce && (
                  <Cell column={say('Change')}>
                    {change === 'unchanged' ? (
                      say(CHANGES.unchanged)
                    ) : (
                      <strong>{say(CHANGES[change])}</strong>
                    )}
                  </Cell>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
    </>
  );
};

const BandCell = ({ column, band }: { column: string; band: BandModel | null }) => {
  const { sayAs } = useLanguage();
  return (
    <Cell column={column}>
      {band
        ? [
            band.limit,
            ...band.times.map((time) => (
              <span key={time} class="band-time">
                {time}
              </span>
            )),
          ]
        : sayAs('a limit', 'None')}
    </Cell>
  );
};

const Tried = ({ from, to, readings }: Pick<BacktestModel, 'from' | 'to' | 'readings'>) => {
  const language = useLanguage();
  const span = from && to && { from: <Time {...from} />, to: <Time {...to} /> };
  if (span)
    return readings === null
      ? sayWith(language, 'Backtest: what these limits would have done from {from} to {to}', span)
      : sayWith(
          language,
          'Backtest: what these limits would have done from {from} to {to}, {readings} readings',
          {
            ...span,
            readings,
          },
        );
  return readings === null
    ? language.say('Backtest: what these limits would have done')
    : language.say('Backtest: what these limits would have done, {readings} readings', { readings });
};

const BacktestTable = ({ from, to, readings, before, rows }: BacktestModel) => {
  const { say } = useLanguage();
  return (
    <TableScroll label={say('Backtest')}>
      <table class="stacked">
        <caption>
          <Tried from={from} to={to} readings={readings} />
        </caption>
        <ColumnHeads columns={[say('Figure'), before, say('Proposed limits')]} />
        <tbody>
          {rows.map(({ name, current, proposed }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <Cell column={before}>{current}</Cell>
              <Cell column={say('Proposed limits')}>{proposed}</Cell>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  );
};
