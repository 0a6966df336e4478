import { useLanguage } from '../../platform/html/language.tsx';
import { Cell, ColumnHeads, TableScroll } from '../../platform/html/table-scroll.tsx';
import { Time } from '../../platform/html/time.tsx';
import type { AdviceModel, BacktestModel, BandModel, ProposalModel } from './panel-model.ts';

const UNUSABLE = {
  missing: 'The result proposes no bands yet, so there is nothing to apply.',
  unusable: 'The result has no usable list of bands, so it cannot be applied.',
};

export const AdviceDetails = ({ proposal, reasoning, backtest }: AdviceModel) => {
  const { say } = useLanguage();
  return (
    <>
      {typeof proposal === 'string' ? <p>{UNUSABLE[proposal]}</p> : <BandTable {...proposal} />}
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
  const { say } = useLanguage();
  return (
    <>
      <TableScroll label={isInForce ? say('Applied limits') : say('Current and proposed limits')}>
        <table class="stacked">
          <caption>{say('Limits of {channelName}', { channelName })}</caption>
          <ColumnHeads
            columns={isInForce ? ['Band', 'Applied'] : ['Band', 'Current', 'Proposed', 'Change']}
          />
          <tbody>
            {bands.map(({ name, current, proposed, change }) => (
              <tr key={name} class={`band-${change}`}>
                <th scope="row">{name}</th>
                {!isInForce && <BandCell column={say('Current')} band={current} />}
                <BandCell column={isInForce ? say('Applied') : say('Proposed')} band={proposed} />
                {!isInForce && (
                  <Cell column={say('Change')}>
                    {change === 'unchanged' ? 'unchanged' : <strong>{change}</strong>}
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
  const { say } = useLanguage();
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
        : say('None')}
    </Cell>
  );
};

const BacktestTable = ({ from, to, readings, before, rows }: BacktestModel) => {
  const { say } = useLanguage();
  return (
    <TableScroll label={say('Backtest')}>
      <table class="stacked">
        <caption>
          {say('Backtest: what these limits would have done')}
          {from && to && [' from ', <Time key="from" {...from} />, ' to ', <Time key="to" {...to} />]}
          {readings !== null && say(', {readings} readings', { readings })}
        </caption>
        <ColumnHeads columns={['Figure', before, 'Proposed limits']} />
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
