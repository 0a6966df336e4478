import { AskLink } from '../../engine/pages/ask.tsx';
import { sayWith, useLanguage } from '../../platform/html/language.tsx';
import { type ShownTime, Time } from '../../platform/html/time.tsx';

export interface ShownSession {
  id: number;
  program: string;
  address: string;
  isThisOne: boolean;
  beganAt: ShownTime;
  lastSeenAt: ShownTime;
}

export const SESSIONS = '/profile/sessions';

export const SessionsCard = ({ sessions }: { sessions: ShownSession[] }) => {
  const language = useLanguage();
  const { say } = language;
  return (
    <section class="card">
      <h2>{say('Where you are signed in')}</h2>
      <p>
        {say('Browsers and scripts that signed in as you. Each session ends by itself after eight hours.')}
      </p>
      <ul class="rows">
        {sessions.map(({ id, program, address, isThisOne, beganAt, lastSeenAt }) => (
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
                {sayWith(language, 'since {began}, last seen {seen} from {address}', {
                  began: <Time {...beganAt} />,
                  seen: <Time {...lastSeenAt} />,
                  address,
                })}
              </p>
            </div>
            <AskLink
              to={`${SESSIONS}/${id}/end`}
              label={isThisOne ? say('End this session') : say('End the session of {program}', { program })}
              isQuiet
            >
              {say('End')}
            </AskLink>
          </li>
        ))}
      </ul>
      {sessions.some(({ isThisOne }) => !isThisOne) && (
        <AskLink to={`${SESSIONS}/end-others`} isQuiet>
          {say('End all others')}
        </AskLink>
      )}
    </section>
  );
};
