// What a mapping or a codec makes of the last body that came, beside the text in which it is written.
import { useLanguage } from '../../platform/html/language.tsx';
import { type ShownTime, Time } from '../../platform/html/time.tsx';

export interface TriedReading {
  /** null: the settings cannot be read, and this is why; or nothing came yet. */
  refusal: string | null;
  readings: { device: string; channel: string; value: number; at: ShownTime }[];
  rejected: string[];
}

export const TRIED_ID = 'tried';

export const TriedView = ({ refusal, readings, rejected }: TriedReading) => {
  const { say } = useLanguage();
  return (
    <div id={TRIED_ID}>
      {refusal !== null && <p class="error">{refusal}</p>}
      {rejected.map((reason) => (
        <p key={reason} class="error">
          {reason}
        </p>
      ))}
      {readings.length > 0 && (
        <ul class="rows">
          {readings.map(({ device, channel, value, at }) => (
            <li key={`${device} ${channel} ${at.iso}`}>
              <div>
                {device} · {channel}: <strong>{value}</strong>{' '}
                <span class="muted">
                  <Time {...at} />
                </span>
              </div>
            </li>
          ))}
        </ul>
      )}
      {refusal === null && readings.length + rejected.length === 0 && (
        <p>{say('It makes no reading of it.')}</p>
      )}
    </div>
  );
};
