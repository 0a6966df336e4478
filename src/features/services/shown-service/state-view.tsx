import type { ServiceState } from './service-state.ts';

export const StateBadges = ({ severity, label, marks }: ServiceState) => (
  <span class="badges">
    <span class={`severity severity-${severity}`}>{label}</span>
    {marks.map((mark) =>
      mark === 'Stale' ? (
        <span key={mark} class="severity severity-stale">
          Stale
        </span>
      ) : (
        <span key={mark} class="mark">
          {mark}
        </span>
      ),
    )}
  </span>
);
