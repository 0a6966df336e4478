import { type Reader, showTime, Time } from '../../../platform/html/time.tsx';
import type { AcknowledgementRecord } from '../shown-service/queries.ts';
import type { ServicePageModel } from './page-model.ts';

const ENDS: Record<NonNullable<AcknowledgementRecord['endReason']>, string> = {
  removed: 'Removed',
  recovered: 'Ended with the alarm',
  limits_changed: 'Ended as the limits changed',
  archived: 'Ended as the service was archived',
  expired: 'Ended by itself, as its group has it',
  handed_over: 'Handed over',
};

export const HistorySection = ({ acknowledgements, mutes, reader }: ServicePageModel) => (
  <div id="history" class="cards">
    <section class="card" aria-labelledby="acknowledgements-title">
      <h2 id="acknowledgements-title">Acknowledgements</h2>
      {acknowledgements.length === 0 ? (
        <p>Nobody has acknowledged an alarm of this service yet.</p>
      ) : (
        <ul class="rows">
          {acknowledgements.map(({ id, severity, by, at, comment, endedAt, endReason, passing }) => (
            <li key={id}>
              <div>
                {by}, at {severity.toLowerCase()}, <Time {...showTime(at, reader)} />
                <Quote text={comment} />
              </div>
              <End words={passing ?? (endReason && ENDS[endReason])} at={endedAt} reader={reader} />
            </li>
          ))}
        </ul>
      )}
    </section>
    <section class="card" aria-labelledby="mutes-title">
      <h2 id="mutes-title">Mutes</h2>
      {mutes.length === 0 ? (
        <p>This service was never muted.</p>
      ) : (
        <ul class="rows">
          {mutes.map(({ id, by, at, reason, endedAt }) => (
            <li key={id}>
              <div>
                {by}, <Time {...showTime(at, reader)} />
                <Quote text={reason} />
              </div>
              <End words="Ended" at={endedAt} reader={reader} />
            </li>
          ))}
        </ul>
      )}
    </section>
  </div>
);

const Quote = ({ text }: { text: string | null }) =>
  text === null ? null : (
    <p>
      <q>{text}</q>
    </p>
  );

const End = ({ words, at, reader }: { words: string | null; at: Date | null; reader: Reader }) =>
  at === null ? (
    <strong>Holds</strong>
  ) : (
    <span class="muted">
      {words}, <Time {...showTime(at, reader)} />
    </span>
  );
