// The parts of a page that stay true while it is looked at: the client asks for them again and patches them by `data-part`.

import type { ComponentChildren } from 'preact';
import { useLanguage } from './language.tsx';

interface LiveProps {
  id: string;
  /** Answers with all live parts of the page. */
  path: string;
  timeZone: string;
  /** How long until something changes by the clock alone, without anybody to tell of it; null: nothing will. */
  renewInMs?: number | null;
  /** How often to ask in any case, for what is not told; every minute unless given. */
  everySeconds?: number;
  class?: string;
  children: ComponentChildren;
}

export const Live = ({ id, path, timeZone, renewInMs, everySeconds, children, ...rest }: LiveProps) => (
  <div
    id={id}
    class={rest.class}
    data-live={path}
    data-zone={timeZone}
    data-renew-in={renewInMs ?? undefined}
    data-every={everySeconds}
  >
    {children}
  </div>
);

/** asOf: when it was so, on the visitor's clock. A script replaces it. */
export const LiveStatus = ({ asOf }: { asOf: string }) => {
  const { say } = useLanguage();
  return (
    <p class="live-status muted" role="status" data-live-status="">
      {say('As of {time}', { time: asOf })}
    </p>
  );
};

export const LooksForNews = ({ refreshSeconds }: { refreshSeconds: number }) => {
  const { say } = useLanguage();
  return (
    <p class="muted">
      {say('This page looks for news every {refreshSeconds, plural, one {# second} other {# seconds}}.', {
        refreshSeconds,
      })}
    </p>
  );
};
