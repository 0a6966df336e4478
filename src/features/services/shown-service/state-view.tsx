import { useLanguage } from '../../../platform/html/language.tsx';
import { SERVICE_STATES, type ServiceState } from './service-state.ts';

export const StateBadges = ({ severity, marks }: ServiceState) => {
  const { say } = useLanguage();
  return (
    <span class="badges">
      <span class={`severity severity-${severity}`}>{say(SERVICE_STATES[severity])}</span>
      {marks.map((mark) => (
        <span key={mark} class={mark === 'stale' ? 'severity severity-stale' : 'mark'}>
          {say(SERVICE_STATES[mark])}
        </span>
      ))}
    </span>
  );
};
