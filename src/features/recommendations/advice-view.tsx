import { ColumnHeads, TableScroll } from '../../platform/html/table-scroll.tsx';
import { Time } from '../../platform/html/time.tsx';
import type { AdviceModel, BacktestModel, BandModel, ProposalModel } from './panel-model.ts';

const UNUSABLE = {
  missing: 'The result proposes no bands yet, so there is nothing to apply.',
  unusable: 'The result has no usable list of bands, so it cannot be applied.',
};

export const AdviceDetails = ({ proposal, reasoning, backtest }: AdviceModel) => (
  <>
    {typeof proposal === 'string' ? <p>{UNUSABLE[proposal]}</p> : <BandTable {...proposal} />}
    {reasoning.length > 0 && (
      <>
        <h3>Reasoning</h3>
        <ul>
          {reasoning.map((sentence, index) => (
            <li key={index}>{sentence}</li>
          ))}
        </ul>
      </>
    )}
    {backtest && <BacktestTable {...backtest} />}
  </>
);

const BandTable = ({ channelName, notes, bands }: ProposalModel) => (
  <>
    <TableScroll label="Current and proposed limits">
      <table>
        <caption>Limits of {channelName}</caption>
        <ColumnHeads columns={['Band', 'Current', 'Proposed', 'Change']} />
        <tbody>
          {bands.map(({ name, current, proposed, change }) => (
            <tr key={name} class={`band-${change}`}>
              <th scope="row">{name}</th>
              <BandCell band={current} />
              <BandCell band={proposed} />
              <td>{change === 'unchanged' ? 'unchanged' : <strong>{change}</strong>}</td>
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

const BandCell = ({ band }: { band: BandModel | null }) => (
  <td>
    {band ? (
      <>
        {band.limit}
        <div class="muted">{band.times}</div>
      </>
    ) : (
      'None'
    )}
  </td>
);

const BacktestTable = ({ from, to, readings, rows }: BacktestModel) => (
  <TableScroll label="Backtest">
    <table>
      <caption>
        Backtest: what these limits would have done
        {from && to && [' from ', <Time key="from" {...from} />, ' to ', <Time key="to" {...to} />]}
        {readings !== null && `, ${readings} readings`}
      </caption>
      <ColumnHeads columns={['Figure', 'Current limits', 'Proposed limits']} />
      <tbody>
        {rows.map(({ name, current, proposed }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{current}</td>
            <td>{proposed}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </TableScroll>
);
