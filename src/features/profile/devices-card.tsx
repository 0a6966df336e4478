import { AskLink } from '../../engine/pages/ask.tsx';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { type ShownTime, Time } from '../../platform/html/time.tsx';

export interface ShownDevice {
  id: number;
  program: string;
  address: string;
  isThisOne: boolean;
  beganAt: ShownTime;
  lastUsedAt: ShownTime;
  endsAt: ShownTime;
}

export const DEVICES = '/profile/devices';

/** Nothing where nobody stays signed in. */
export const DevicesCard = ({ devices }: { devices: ShownDevice[] }) => {
  const language = useLanguage();
  const { say } = language;
  if (devices.length === 0) return null;
  return (
    <section class="card">
      <h2>{say('Where you stay signed in')}</h2>
      <p>
        {say(
          'These browsers begin a session by themselves when one is over. End those that you do not know, have lost, or do not use any more.',
        )}
      </p>
      <ul class="rows">
        {devices.map(({ id, program, address, isThisOne, beganAt, lastUsedAt, endsAt }) => (
          <li key={id}>
            <div>
              {isThisOne ? (
                // For translators: {program} is the browser that somebody is signed in with; this session is the one they look at
                sayWith(language, '<strong>{program}</strong> (this one)', {
                  program,
                  strong: (inside) => <strong>{inside}</strong>,
                })
              ) : (
                <strong>{program}</strong>
              )}
              <p class="muted">
                {sayWith(
                  language,
                  'since {began}, last used {used} from {address}; ends {ends} unless it is used',
                  {
                    began: <Time {...beganAt} />,
                    used: <Time {...lastUsedAt} />,
                    ends: <Time {...endsAt} />,
                    address,
                  },
                )}
              </p>
            </div>
            <AskLink
              to={`${DEVICES}/${id}/end`}
              label={say('End staying signed in on {program}', { program })}
              isQuiet
            >
              {say('End')}
            </AskLink>
          </li>
        ))}
      </ul>
    </section>
  );
};
