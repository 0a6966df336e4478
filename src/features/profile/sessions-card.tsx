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

export const SessionsCard = ({ sessions }: { sessions: ShownSession[] }) => (
  <section class="card">
    <h2>Where you are signed in</h2>
    <p>Browsers and scripts that signed in as you. Each session ends by itself after eight hours.</p>
    <ul class="rows">
      {sessions.map(({ id, program, address, isThisOne, beganAt, lastSeenAt }) => (
        <li key={id}>
          <div>
            <strong>{program}</strong>
            {isThisOne && ' (this one)'}
            <p class="muted">
              since <Time {...beganAt} />, last seen <Time {...lastSeenAt} /> from {address}
            </p>
          </div>
          <form method="post" action={`${SESSIONS}/${id}/end`}>
            <button
              type="submit"
              aria-label={`End ${isThisOne ? 'this session' : `the session of ${program}`}`}
            >
              End
            </button>
          </form>
        </li>
      ))}
    </ul>
    {sessions.some(({ isThisOne }) => !isThisOne) && (
      <form method="post" action={`${SESSIONS}/end-others`}>
        <button type="submit">End all others</button>
      </form>
    )}
  </section>
);
