import { message } from '../../../domain/language/message.ts';
import type { Language } from '../../../domain/language/speak.ts';
import { sayWith, useLanguage } from '../../../platform/html/language.tsx';
import { type Reader, showTime, Time } from '../../../platform/html/time.tsx';
import type { AcknowledgementRecord } from '../shown-service/queries.ts';
import type { ServicePageModel } from './page-model.ts';

const ENDS = {
  // For translators: how an acknowledgement of an alarm ended; a time follows behind a comma
  removed: message('Removed'),
  recovered: message('Ended with the alarm'),
  limits_changed: message('Ended as the limits changed'),
  archived: message('Ended as the service was archived'),
  expired: message('Ended by itself, as its group has it'),
  handed_over: message('Handed over'),
} satisfies Record<NonNullable<AcknowledgementRecord['endReason']>, string>;

function sayEnd({ endReason, handedTo, isGivenBack }: AcknowledgementRecord, { say }: Language): string {
  if (handedTo !== null) return say('Handed to {name}', { name: handedTo });
  if (isGivenBack) return say('Given back: could not go');
  return endReason === null ? '' : say(ENDS[endReason]);
}

export const HistorySection = ({ acknowledgements, mutes, reader }: ServicePageModel) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <div id="history" class="cards">
      <section class="card" aria-labelledby="acknowledgements-title">
        <h2 id="acknowledgements-title">{say('Acknowledgements')}</h2>
        {acknowledgements.length === 0 ? (
          <p>{say('Nobody has acknowledged an alarm of this service yet.')}</p>
        ) : (
          <ul class="rows">
            {acknowledgements.map((record) => (
              <li key={record.id}>
                <div>
                  {/* For translators: {by} is the name of a person */}
                  {sayWith(
                    language,
                    '{by}, at {severity, select, CRITICAL {critical} other {warning}}, {time}',
                    {
                      by: record.by,
                      severity: record.severity,
                      time: <Time {...showTime(record.at, reader)} />,
                    },
                  )}
                  <Quote text={record.comment} />
                </div>
                <End words={sayEnd(record, language)} at={record.endedAt} reader={reader} />
              </li>
            ))}
          </ul>
        )}
      </section>
      <section class="card" aria-labelledby="mutes-title">
        <h2 id="mutes-title">{say('Mutes')}</h2>
        {mutes.length === 0 ? (
          <p>{say('This service was never muted.')}</p>
        ) : (
          <ul class="rows">
            {mutes.map(({ id, by, at, reason, endedAt }) => (
              <li key={id}>
                <div>
                  {sayWith(language, '{by}, {time}', { by, time: <Time {...showTime(at, reader)} /> })}
                  <Quote text={reason} />
                </div>
                <End words={say('Ended')} at={endedAt} reader={reader} />
              </li>
            ))}
          </ul>
        )}
      </section>
    </div>
  );
};

const Quote = ({ text }: { text: string | null }) =>
  text === null ? null : (
    <p>
      <q>{text}</q>
    </p>
  );

const End = ({ words, at, reader }: { words: string; at: Date | null; reader: Reader }) => {
  const language = useLanguage();
  return at === null ? (
    <strong>{language.say('Holds')}</strong>
  ) : (
    <span class="muted">
      {sayWith(language, '{ending}, {time}', { ending: words, time: <Time {...showTime(at, reader)} /> })}
    </span>
  );
};
