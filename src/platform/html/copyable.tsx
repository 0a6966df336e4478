import { useLanguage } from './language.tsx';

/** What people take along: a secret, a command, an address. Where scripts run, a button copies it. */
export const Copyable = ({ text }: { text: string }) => {
  const { say } = useLanguage();
  return (
    <div class="copyable">
      <pre>
        <code>{text}</code>
      </pre>
      <button type="button" data-copy="" data-copied={say('Copied')}>
        {say('Copy')}
      </button>
    </div>
  );
};
